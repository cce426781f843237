import fs from "node:fs";
import { join } from "node:path";
import { applyBlend, selectGreedily } from "../../learning/ensemble/greedy-selection.ts";
import type { GrayImage } from "../../learning/features/gray-image.ts";
import { randomSubset, seededRandom } from "../../learning/seeded-random.ts";
import { rmse } from "../../metrics/regression/rmse.ts";
import {
  boxMean,
  everywhere,
  localDeviation,
  patchPlanes,
  rankFilter,
  readPicture,
  softMean,
  steepness,
} from "../learners/pictures.ts";
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
import {
  chain,
  constant,
  drawBackground,
  drawDenoising,
  drawSharpening,
  meanOfLikes,
  plain,
  surface,
  toned,
} from "./stained-drawings/filters.ts";

interface Named {
  readonly name: string;
  readonly family: string;
  readonly restore: PixelModel;
}

export const field: Field = {
  competitionId: "starter-stained-drawings",
  open(publicFolder, seed) {
    const examples = fs
      .readdirSync(join(publicFolder, "train"))
      .sort()
      .map((file) => file.replace(/\.png$/, ""))
      .map((name): Example => {
        const clean = readPicture(join(publicFolder, "train_cleaned"), name);
        return {
          picture: readPicture(join(publicFolder, "train"), name),
          target: Float32Array.from(clean.pixels, (value) => value / 255),
        };
      });
    const ids = readPlainCsv(join(publicFolder, "sample_submission.csv")).get("id")!;
    const places = ids.map(placeOf);
    const names = [...new Set(places.map(({ name }) => name))];
    const dirty = new Map(names.map((name) => [name, readPicture(join(publicFolder, "test"), name)]));
    const solution = ({ name, family, restore }: Named): Solution => ({
      name,
      family,
      solve() {
        const model = restore(examples);
        const restored = new Map([...dirty].map(([drawing, picture]) => [drawing, model(picture)]));
        return plainCsv("id,value", ids, (row) => {
          const place = places[row];
          const { width } = dirty.get(place.name)!;
          const share = restored.get(place.name)![(place.row - 1) * width + place.column - 1];
          return String(Number((255 * Math.min(1, Math.max(0, share))).toFixed(1)));
        });
      },
    });
    const drawn = variantsOf(seed, solution);
    return [
      ...simple.map(solution),
      ...drawn(34, 1, drawFilter),
      ...drawn(14, 2, (draw) => drawLearned(draw, "linear")),
      ...drawn(15, 3, (draw) => drawLearned(draw, "boosted")),
      ...drawn(9, 4, (draw) => drawLearned(draw, "forest")),
      ...drawn(5, 5, (draw) => drawLearned(draw, "neighbours")),
      ...drawn(10, 6, (draw) => drawLearned(draw, "network")),
      ...drawn(12, 7, drawBlend),
      ...drawn(6, 8, drawSecondLook),
    ];
  },
};

/** "d00003_1_2": the drawing, the row and the column. */
function placeOf(id: string) {
  const [name, row, column] = id.split("_");
  return { name, row: Number(row), column: Number(column) };
}

const simple: readonly Named[] = [
  { name: "light gray everywhere", family: "constant", restore: constant(() => 0.9) },
  {
    name: "the mean of the clean drawings",
    family: "constant",
    restore: constant(
      (examples) =>
        examples.reduce((sum, { target }) => sum + target.reduce((own, value) => own + value, 0), 0) /
        examples.reduce((sum, { target }) => sum + target.length, 0),
    ),
  },
  { name: "as it came", family: "rule", restore: plain(({ pixels }) => Float32Array.from(pixels)) },
  {
    name: "stretched from darkest to brightest",
    family: "rule",
    restore: plain(({ pixels }) => {
      const sorted = Float32Array.from(pixels).sort();
      const [low, high] = [sorted[0], sorted[sorted.length - 1]];
      return Float32Array.from(pixels, (value) => (255 * (value - low)) / Math.max(1, high - low));
    }),
  },
  {
    name: "white from 170 on",
    family: "rule",
    restore: plain(({ pixels }) => Float32Array.from(pixels, (value) => (value > 170 ? 255 : value))),
  },
  {
    name: "black or white by 128",
    family: "rule",
    restore: plain(({ pixels }) => Float32Array.from(pixels, (value) => (value > 128 ? 255 : 0))),
  },
];

function drawFilter(draw: Draw): Named {
  const steps = [
    ...(draw.chance(0.7) ? [drawDenoising(draw)] : []),
    ...(draw.chance(0.6) ? [drawBackground(draw)] : []),
    ...(draw.chance(0.25) ? [drawSharpening(draw)] : []),
  ];
  if (steps.length === 0) steps.push(drawDenoising(draw));
  const isToned = draw.chance(0.5);
  const filter = chain(steps.map(({ apply }) => apply));
  return {
    name: `${steps.map(({ name }) => name).join(", ")}${isToned ? ", shades put right" : ""}`,
    family: "filter",
    restore: isToned ? toned(filter) : plain(filter),
  };
}

/** Groups of features of a pixel. */
const features: Readonly<Record<string, Planes>> = {
  means: (picture) => [1, 2, 4, 8].map((radius) => boxMean(picture, radius)),
  "soft means": (picture) => [1, 2].map((radius) => softMean(picture, radius)),
  medians: (picture) => [1, 2].map((radius) => rankFilter(picture, radius, 0.5)),
  extremes: (picture) =>
    [1, 3].flatMap((radius) => [rankFilter(picture, radius, 0), rankFilter(picture, radius, 1)]),
  likes: (picture) => [meanOfLikes(picture, 2, 40), meanOfLikes(picture, 3, 70)],
  roughness: (picture) => [1, 3].map((radius) => localDeviation(picture, radius)),
  steepness: (picture) => [steepness(picture), steepness({ ...picture, pixels: boxMean(picture, 1) })],
  surface: (picture) => [surface(picture, 2)],
  place: ({ width, pixels }) => [
    Float32Array.from(pixels, (_, at) => at % width),
    Float32Array.from(pixels, (_, at) => Math.floor(at / width)),
  ],
  drawing: wholePicture,
};

/** Numbers of the whole drawing: how bright it is, and how noisy. */
function wholePicture(picture: GrayImage): Float32Array[] {
  const sorted = Float32Array.from(picture.pixels).sort();
  const rough = localDeviation(picture, 1).sort();
  const ranks = [0.1, 0.5, 0.9].map((share) => sorted[Math.round(share * (sorted.length - 1))]);
  return [...ranks, rough[rough.length >> 2]].map((value) => everywhere(picture, value));
}

function drawPlanes(draw: Draw, patches: readonly number[], share: number): { name: string; planes: Planes } {
  const radius = draw.pick(patches);
  const groups = Object.keys(features).filter(() => draw.chance(share));
  const side = 2 * radius + 1;
  return {
    name: [`${side} x ${side} pixels`, ...groups].join(", "),
    planes: (picture) => [
      ...patchPlanes(picture, radius),
      ...groups.flatMap((group) => features[group](picture)),
    ],
  };
}

function drawLearned(draw: Draw, kind: keyof typeof learners): Named {
  const drawn = learners[kind](draw, "share");
  const isSmooth = kind === "linear" || kind === "network";
  const { name, planes } = drawPlanes(draw, isSmooth ? [1, 2, 3] : [0, 1, 1], isSmooth ? 0.4 : 0.6);
  const [pictures, seed] = [draw.whole(40, 110), draw.whole(1, 999)];
  const model = pixelModel(planes, drawn.learner, { pixels: drawn.pixels, seed });
  return {
    name: `${drawn.name} of ${pictures} drawings; ${name}`,
    family: drawn.family,
    restore: (examples) => model(examples.slice(0, pictures)),
  };
}

const HELD_BACK = 20;

/** Models drawn at random, blended by what they make of drawings that none of them has seen. */
function drawBlend(draw: Draw): Named {
  const [size, seed] = [draw.whole(3, 6), draw.whole(1, 9999)];
  const members = drawFrom(seed);
  const kinds = ["boosted", "boosted", "network", "network", "linear", "forest"] as const;
  const models = Array.from({ length: size }, () => drawLearned(members, members.pick(kinds)).restore);
  return {
    name: `blend of ${size} models (${seed}), chosen on ${HELD_BACK} drawings`,
    family: "ensemble",
    restore(examples) {
      const unseen = new Set(randomSubset(examples.length, HELD_BACK, seededRandom(seed)));
      const judges = examples.filter((_, i) => unseen.has(i));
      const fitted = models.map((model) => model(examples.filter((_, i) => !unseen.has(i))));
      const truth = Float64Array.from(judges.flatMap(({ target }) => [...target]));
      const tried = fitted.map((model) =>
        Float64Array.from(judges.flatMap(({ picture }) => [...model(picture)])),
      );
      const { weights } = selectGreedily(tried, (blend) => rmse(truth, blend), {
        direction: "minimize",
        rounds: 12,
      });
      return (picture) =>
        Float32Array.from(
          applyBlend(
            weights,
            fitted.map((model, i) =>
              weights[i] === 0 ? new Float64Array(picture.pixels.length) : Float64Array.from(model(picture)),
            ),
          ),
        );
    },
  };
}

/** A second model looks at what a first one made of the drawing, and at its surroundings. */
function drawSecondLook(draw: Draw): Named {
  const first = drawLearned(draw, draw.pick(["boosted", "network"] as const));
  const second = learners.boosted(draw, "share");
  const { name, planes } = drawPlanes(draw, [0, 1], 0.4);
  const sample = { pixels: second.pixels, seed: draw.whole(1, 999) };
  return {
    name: `second look: ${second.name}; ${name}; after ${first.name}`,
    family: "ensemble",
    restore(examples) {
      // The two halves of the examples are not mixed: what a model makes of drawings it knows is too good.
      const half = examples.length >> 1;
      const look = first.restore(examples.slice(0, half));
      const after: Planes = (picture) => {
        const seen = { ...picture, pixels: look(picture).map((share) => 255 * share) };
        return [
          ...patchPlanes(seen, 1),
          ...[2, 4].map((radius) => boxMean(seen, radius)),
          rankFilter(seen, 1, 0.5),
          ...planes(picture),
        ];
      };
      return pixelModel(after, second.learner, sample)(examples.slice(half));
    },
  };
}
