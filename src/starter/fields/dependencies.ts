import { plainCsv } from "../learners/plain-csv.ts";
import { variantsOf } from "../learners/variants.ts";
import { type Draw, drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import {
  byTraits,
  naiveBayes,
  popularity,
  similarities,
  type Trait,
  together,
  traits,
} from "./dependencies/counting.ts";
import { alternatingFactors, completingNetwork, linearItems } from "./dependencies/factors.ts";
import { type Judge, judged, tuned, weighted } from "./dependencies/mixtures.ts";
import { likeliestName, nearestPackages } from "./dependencies/neighbours.ts";
import { bestItems, LIST, type Recommender, readPackages } from "./dependencies/packages.ts";

interface Named {
  readonly name: string;
  readonly family: string;
  readonly recommend: Recommender;
}

export const field: Field = {
  competitionId: "starter-dependencies",
  open(publicFolder, seed) {
    const { known, cases, ids, items } = readPackages(publicFolder);
    const solution = ({ name, family, recommend }: Named): Solution => ({
      name,
      family,
      solve() {
        const score = recommend({ known, cases, items: items.length });
        return plainCsv("package_id,missing", ids, (row) =>
          bestItems(score(cases[row]), cases[row].needs, LIST)
            .map((item) => items[item])
            .join(" "),
        );
      },
    });
    const drawn = variantsOf(seed, solution);
    return [
      ...simple.map(solution),
      ...drawn(6, 1, drawTraits),
      ...drawn(24, 2, drawTogether),
      ...drawn(8, 3, drawBayes),
      ...drawn(22, 4, drawNeighbours),
      ...drawn(7, 5, drawLinear),
      ...drawn(8, 6, drawFactors),
      ...drawn(3, 7, drawNetwork),
      ...drawn(8, 8, drawMixture),
      ...drawn(9, 9, drawTuned),
      ...drawn(10, 10, drawJudged),
    ];
  },
};

const simple: readonly Named[] = [
  { name: "the most popular", family: "constant", recommend: popularity },
  { name: "the most popular of the section", family: "rule", recommend: byTraits(["section"], 0) },
  {
    name: "the most popular for the first part of the name",
    family: "rule",
    recommend: byTraits(["first part"], 0),
  },
  { name: "what the package with the likest beginning needs", family: "rule", recommend: likeliestName },
  {
    name: "packages that share the rarest item shown",
    family: "rule",
    recommend: together({ similarity: "conditional", shrink: 0, power: 1, rarity: 4, withCases: false }),
  },
];

const traitNames = Object.keys(traits) as Trait[];

function drawSome(draw: Draw, chance: number): Trait[] {
  const some = traitNames.filter(() => draw.chance(chance));
  return some.length > 0 ? some : [draw.pick(traitNames)];
}

function drawTraits(draw: Draw): Named {
  const [names, shrink] = [drawSome(draw, 0.5), draw.scale(0.3, 30)];
  return {
    name: `shares by ${names.join(", ")}, shrunk by ${shrink}`,
    family: "co-occurrence",
    recommend: byTraits(names, shrink),
  };
}

function drawTogether(draw: Draw): Named {
  const options = {
    similarity: draw.pick(Object.keys(similarities) as (keyof typeof similarities)[]),
    shrink: draw.scale(0.1, 30),
    power: draw.pick([0.5, 1, 1.5, 2, 3]),
    rarity: draw.pick([0, 0, 0.2, 0.4, 0.7]),
    withCases: draw.chance(0.5),
  };
  const { similarity, shrink, power, rarity, withCases } = options;
  return {
    name: `items together, ${similarity}, shrunk by ${shrink}, power ${power}, rarity ${rarity}${withCases ? ", test lists too" : ""}`,
    family: "co-occurrence",
    recommend: together(options),
  };
}

function drawBayes(draw: Draw): Named {
  const options = {
    smoothing: draw.scale(0.1, 30),
    traits: draw.chance(0.3) ? [] : drawSome(draw, 0.3),
    trust: draw.pick([0.3, 0.5, 0.7, 1]),
  };
  return {
    name: `naive Bayes, smoothing ${options.smoothing}, trust ${options.trust}, ${["items", ...options.traits].join(", ")}`,
    family: "linear",
    recommend: naiveBayes(options),
  };
}

function drawNeighbours(draw: Draw): Named {
  const options = {
    k: Math.round(draw.scale(3, 150)),
    section: draw.pick([0, 0, 0.1, 0.3]),
    letters: draw.pick([0, 0, 0.2, 0.5, 1]),
    width: draw.whole(2, 5),
    rarity: draw.pick([0, 0.5, 1, 2]),
    power: draw.pick([1, 2, 3, 5]),
    items: draw.chance(0.9),
  };
  const { k, section, letters, width, rarity, power, items } = options;
  const marks = [
    ...(items ? [`items ^${rarity}`] : []),
    ...(section > 0 ? [`section ${section}`] : []),
    ...(letters > 0 || !items ? [`${width} letters ${letters || 1}`] : []),
  ];
  return {
    name: `${k} nearest packages by ${marks.join(", ")}, power ${power}`,
    family: "neighbours",
    recommend: nearestPackages(items ? options : { ...options, letters: letters || 1 }),
  };
}

function drawLinear(draw: Draw): Named {
  const options = { items: draw.whole(250, 800), l2: draw.scale(2, 200), withCases: draw.chance(0.5) };
  return {
    name: `items from items by least squares, ${options.items} items, l2 ${options.l2}${options.withCases ? ", test lists too" : ""}`,
    family: "linear",
    recommend: linearItems(options),
  };
}

function drawFactors(draw: Draw): Named {
  const options = {
    factors: draw.whole(8, 30),
    rounds: draw.whole(2, 4),
    l2: draw.scale(0.3, 20),
    confidence: draw.pick([3, 10, 30]),
    seed: draw.whole(1, 999),
  };
  return {
    name: `${options.factors} factors, ${options.rounds} rounds, l2 ${options.l2}, confidence ${options.confidence}`,
    family: "linear",
    recommend: alternatingFactors(options),
  };
}

function drawNetwork(draw: Draw): Named {
  const options = {
    items: draw.whole(400, 700),
    hidden: draw.whole(32, 96),
    epochs: draw.whole(5, 8),
    seed: draw.whole(1, 999),
  };
  return {
    name: `network that completes lists, ${options.items} items, ${options.hidden} hidden, ${options.epochs} epochs`,
    family: "network",
    recommend: completingNetwork(options),
  };
}

const kinds = [drawTogether, drawTogether, drawNeighbours, drawNeighbours, drawBayes, drawTraits];

function drawMembers(draw: Draw, least: number, most: number) {
  const seed = draw.whole(1, 9999);
  const members = drawFrom(seed);
  const count = draw.whole(least, most);
  return { count, seed, models: Array.from({ length: count }, () => members.pick(kinds)(members).recommend) };
}

function drawMixture(draw: Draw): Named {
  const { count, seed, models } = drawMembers(draw, 2, 4);
  return {
    name: `plain sum of ${count} models (${seed})`,
    family: "ensemble",
    recommend: weighted(
      models,
      models.map(() => 1),
    ),
  };
}

function drawTuned(draw: Draw): Named {
  const { count, seed, models } = drawMembers(draw, 3, 5);
  return {
    name: `tuned sum of ${count} models (${seed})`,
    family: "ensemble",
    recommend: tuned(models, seed),
  };
}

function drawJudged(draw: Draw): Named {
  const { count, seed, models } = drawMembers(draw, 3, 5);
  const candidates = draw.whole(12, 30);
  const judge: Judge = draw.chance(0.7)
    ? {
        kind: "boosting",
        options: {
          loss: "log",
          trees: draw.whole(40, 120),
          learningRate: draw.scale(0.04, 0.15),
          maxLeaves: draw.whole(6, 20),
          minSamplesLeaf: 30,
          seed: draw.whole(1, 999),
        },
      }
    : { kind: "logistic", l2: draw.scale(0.1, 30) };
  return {
    name: `${candidates} candidates of each of ${count} models (${seed}), ordered by ${judge.kind}`,
    family: "ensemble",
    recommend: judged(models, judge, candidates, seed),
  };
}
