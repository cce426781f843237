import { join } from "node:path";
import type { GrayImage } from "../../learning/features/gray-image.ts";
import { randomSubset, seededRandom } from "../../learning/seeded-random.ts";
import { boxMean, readPicture } from "../learners/pictures.ts";
import {
  type Example,
  learners,
  type PixelModel,
  type Planes,
  pixelModel,
} from "../learners/pixel-models.ts";
import { plainCsv, readPlainCsv } from "../learners/plain-csv.ts";
import { variantsOf } from "../learners/variants.ts";
import { type Draw, drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { bestThreshold, drawFinishing, type Finishing, maskFrom, type Scorer } from "./cutouts/finishing.ts";
import { type Mask, maskOf, overlap, runsOf } from "./cutouts/masks.ts";
import { features, wayFromBorder } from "./cutouts/planes.ts";
import { centred, farSide, otsu, signs } from "./cutouts/signs.ts";

/** Learns from examples how to cut out. */
type Cutter = (examples: readonly Example[]) => (picture: GrayImage) => Mask;

interface Named {
  readonly name: string;
  readonly family: string;
  readonly cut: Cutter;
}

export const field: Field = {
  competitionId: "starter-cutouts",
  open(publicFolder, seed) {
    const train = readPlainCsv(join(publicFolder, "train.csv"));
    const masks = train.get("mask")!;
    const examples = train.get("image_id")!.map((id, row): Example => {
      const picture = readPicture(join(publicFolder, "train"), id);
      const { set } = maskOf(masks[row], picture.width, picture.height);
      return { picture, target: Float32Array.from(set) };
    });
    const ids = readPlainCsv(join(publicFolder, "sample_submission.csv")).get("image_id")!;
    const pictures = ids.map((id) => readPicture(join(publicFolder, "test"), id));
    const solution = ({ name, family, cut }: Named): Solution => ({
      name,
      family,
      solve() {
        const cutOut = cut(examples);
        return plainCsv("image_id,mask", ids, (row) => runsOf(cutOut(pictures[row])));
      },
    });
    const drawn = variantsOf(seed, solution);
    return [
      ...simple.map(solution),
      ...drawn(36, 1, drawFilter),
      ...drawn(14, 2, (draw) => drawLearned(draw, "linear")),
      ...drawn(16, 3, (draw) => drawLearned(draw, "boosted")),
      ...drawn(9, 4, (draw) => drawLearned(draw, "forest")),
      ...drawn(4, 5, (draw) => drawLearned(draw, "neighbours")),
      ...drawn(8, 6, (draw) => drawLearned(draw, "network")),
      ...drawn(9, 7, drawBlend),
      ...drawn(9, 8, drawSecondLook),
    ];
  },
};

/** A mask of the same shape for every picture. */
const shape =
  (isInside: (x: number, y: number) => boolean): Cutter =>
  () =>
  ({ width, height, pixels }) => ({
    width,
    height,
    set: Uint8Array.from(pixels, (_, at) =>
      Number(isInside((2 * (at % width)) / (width - 1) - 1, (2 * Math.floor(at / width)) / (height - 1) - 1)),
    ),
  });

const AS_IT_IS: Finishing = { smooth: 0, opened: 0, closed: 0, filled: false, least: 0 };

const simple: readonly Named[] = [
  { name: "all pixels", family: "constant", cut: shape(() => true) },
  { name: "a disc in the middle", family: "constant", cut: shape((x, y) => x * x + y * y < 0.4) },
  {
    name: "a square in the middle",
    family: "constant",
    cut: shape((x, y) => Math.max(Math.abs(x), Math.abs(y)) < 0.6),
  },
  {
    name: "where most drawings are",
    family: "rule",
    cut: (examples) => {
      const share = Float32Array.from(examples[0].target, (_, at) =>
        examples.reduce((sum, { target }) => sum + target[at] / examples.length, 0),
      );
      const threshold = bestThreshold(examples.slice(0, 60), () => share, AS_IT_IS);
      return (picture) => maskFrom(picture, share, threshold, AS_IT_IS);
    },
  },
  {
    name: "darker than 100",
    family: "rule",
    cut: () => (picture) =>
      maskFrom(
        picture,
        Float32Array.from(picture.pixels, (value) => -value),
        -100,
        AS_IT_IS,
      ),
  },
  {
    name: "Otsu's threshold, the side that the border is not on",
    family: "rule",
    cut: () => (picture) => {
      const isFar = farSide(picture, otsu(picture));
      return maskFrom(picture, isFar, 0.5, AS_IT_IS);
    },
  },
];

const HELD_BACK = 24;

function drawFilter(draw: Draw): Named {
  const name = draw.pick(Object.keys(signs));
  const [isCentred, seed] = [draw.chance(0.3), draw.whole(1, 999)];
  const { finishing, name: end } = drawFinishing(draw);
  const scorer: Scorer = (picture) =>
    isCentred ? centred(picture, signs[name](picture)) : signs[name](picture);
  return {
    name: `${name}${isCentred ? ", more in the middle" : ""}, ${end}`,
    family: "filter",
    cut(examples) {
      const judges = Array.from(
        randomSubset(examples.length, HELD_BACK, seededRandom(seed)),
        (i) => examples[i],
      );
      const threshold = bestThreshold(judges, scorer, finishing);
      return (picture) => maskFrom(picture, scorer(picture), threshold, finishing);
    },
  };
}

interface DrawnModel {
  readonly name: string;
  readonly family: string;
  readonly model: PixelModel;
}

function drawModel(draw: Draw, kind: keyof typeof learners, chance = 0.55): DrawnModel {
  const drawn = learners[kind](draw, "yes or no");
  const some = Object.keys(features).filter(() => draw.chance(chance));
  const groups = some.length > 0 ? some : ["shade", "means"];
  const planes: Planes = (picture) => groups.flatMap((group) => features[group](picture));
  const sample = { pixels: drawn.pixels, seed: draw.whole(1, 999) };
  const pictures = draw.whole(50, 130);
  return {
    name: `${drawn.name} of ${pictures} pictures; ${groups.join(", ")}`,
    family: drawn.family,
    model: (examples) => pixelModel(planes, drawn.learner, sample)(examples.slice(0, pictures)),
  };
}

/** A model that finds its threshold on pictures it has not seen. */
function withThreshold(model: PixelModel, finishing: Finishing): Cutter {
  return (examples) => {
    const scorer = model(examples.slice(HELD_BACK));
    const threshold = bestThreshold(examples.slice(0, HELD_BACK), scorer, finishing);
    return (picture) => maskFrom(picture, scorer(picture), threshold, finishing);
  };
}

function drawLearned(draw: Draw, kind: keyof typeof learners): Named {
  const { name, family, model } = drawModel(draw, kind);
  const { finishing, name: end } = drawFinishing(draw);
  return { name: `${name}; ${end}`, family, cut: withThreshold(model, finishing) };
}

/** The mean of several models; how it is finished is chosen on pictures that none of them has seen. */
function drawBlend(draw: Draw): Named {
  const [size, seed] = [draw.whole(2, 4), draw.whole(1, 9999)];
  const members = drawFrom(seed);
  const kinds = ["boosted", "boosted", "network", "forest"] as const;
  const models = Array.from({ length: size }, () => drawModel(members, members.pick(kinds), 0.75).model);
  const ends = Array.from({ length: 4 }, () => drawFinishing(members).finishing);
  return {
    name: `mean of ${size} models (${seed}), finished as suits it`,
    family: "ensemble",
    cut: (examples) => chooseFinish(mean(models), ends, examples),
  };
}

function mean(models: readonly PixelModel[]): PixelModel {
  return (examples) => {
    const fitted = models.map((model) => model(examples));
    return (picture) => {
      const all = fitted.map((model) => model(picture));
      return all[0].map((_, at) => all.reduce((sum, scores) => sum + scores[at] / all.length, 0));
    };
  };
}

function chooseFinish(
  model: PixelModel,
  ends: readonly Finishing[],
  examples: readonly Example[],
): (picture: GrayImage) => Mask {
  const scorer = model(examples.slice(HELD_BACK));
  const judges = examples.slice(0, HELD_BACK);
  const known = new Map(judges.map(({ picture }) => [picture, scorer(picture)]));
  const remembered: Scorer = (picture) => known.get(picture) ?? scorer(picture);
  const tried = ends.map((finishing) => {
    const threshold = bestThreshold(judges, remembered, finishing);
    const value = judges.reduce(
      (sum, { picture, target }) =>
        sum + overlap(maskFrom(picture, remembered(picture), threshold, finishing).set, target),
      0,
    );
    return { finishing, threshold, value };
  });
  const best = tried.reduce((one, other) => (other.value > one.value ? other : one));
  return (picture) => maskFrom(picture, scorer(picture), best.threshold, best.finishing);
}

/** A second model looks at what a first one made of the picture, near and far. */
function drawSecondLook(draw: Draw): Named {
  const first = drawModel(draw, draw.pick(["boosted", "network"] as const), 0.75);
  const second = learners.boosted(draw, "yes or no");
  const groups = Object.keys(features).filter(() => draw.chance(0.4));
  const sample = { pixels: second.pixels, seed: draw.whole(1, 999) };
  const ends = Array.from({ length: 3 }, () => drawFinishing(draw).finishing);
  const model: PixelModel = (examples) => {
    // What a model makes of pictures it knows is too good: the second one learns from others.
    const half = examples.length >> 1;
    const look = first.model(examples.slice(0, half));
    const planes: Planes = (picture) => {
      const seen = { ...picture, pixels: look(picture) };
      return [
        seen.pixels,
        ...[1, 2, 4, 8].map((radius) => boxMean(seen, radius)),
        wayFromBorder(seen, 0),
        ...groups.flatMap((group) => features[group](picture)),
      ];
    };
    return pixelModel(planes, second.learner, sample)(examples.slice(half));
  };
  return {
    name: `second look: ${second.name}; ${["what was seen", ...groups].join(", ")}; after ${first.name}`,
    family: "ensemble",
    cut: (examples) => chooseFinish(model, ends, examples),
  };
}
