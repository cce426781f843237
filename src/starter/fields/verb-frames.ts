import { bestThreshold } from "../../learning/ensemble/thresholds.ts";
import { shuffledFolds } from "../../learning/features/folds.ts";
import { composeField } from "../learners/compose.ts";
import { boosting, perceptron } from "../learners/dense-learners.ts";
import {
  readBoth,
  readTable,
  submissionWriter,
  type TextTable,
  type WriteSubmission,
} from "../learners/read-table.ts";
import { drawTextLearner } from "../learners/sparse-learners.ts";
import { type TextViews, textViews, type Weighting } from "../learners/text-view.ts";
import { type Draw, drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { type Method, methodOf, type Target } from "../making/method.ts";
import type { Decision, Problem } from "../making/problem.ts";

/** A chance for each of the frames; decisions say which of them are named. */
export const field: Field = {
  competitionId: "starter-verb-frames",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const table = readBoth(folder);
    const frames = readTable(folder, "train.csv")
      .texts("frames")
      .map((cell) => cell.split(" "));
    const write = submissionWriter(folder);
    const names = namesByFrequency(frames);
    const target: Target = { kind: "labels", values: indicators(frames, names), outputs: names.length };
    const problem: Problem = {
      trainRows: frames.length,
      testRows: table.rows - frames.length,
      folds: shuffledFolds(frames.length, 3, seed),
      // Only ever asked for all training rows.
      goodness: (_rows, prediction) =>
        -prediction.reduce((sum, chance, at) => sum + (chance - target.values[at]) ** 2, 0),
    };
    const views = readings(table);
    return composeField({
      problem,
      target,
      draw,
      rules: rulesOfThumb(table, frames, names, write),
      decisions: decisionsFor(names, target, write),
      singles: 92,
      ensembles: 20,
      pool: 8,
      drawMethod: (serious) => drawMethod(draw, views, target, serious),
    });
  },
};

function drawMethod(draw: Draw, views: readonly TextViews[], target: Target, serious: boolean): Method {
  const reading = draw.pick(serious ? views.slice(1) : views);
  if (draw.chance(0.8)) {
    const options = {
      words: draw.pick([
        [1, 1],
        [1, 2],
        [1, 3],
      ] as const),
      characters: draw.chance(0.2) ? ([3, 4] as const) : null,
      bits: draw.pick(serious ? [13, 14] : [9, 11, 12, 13, 14]),
    };
    const weighting: Weighting = draw.pick(["rarity", "rarity", "presence"]);
    return methodOf(reading.sparse(options, weighting), drawTextLearner(draw, serious), target);
  }
  if (serious || draw.chance(0.6)) {
    const view = reading.dense({ words: [1, 1], characters: null, bits: draw.pick([8, 9, 10]) });
    const network = perceptron({
      hidden: [draw.pick([32, 64])],
      epochs: draw.whole(4, 10),
      learningRate: draw.pick([0.001, 0.002]),
      dropout: draw.pick([0, 0.2, 0.4]),
      seed: draw.seed(),
    });
    return methodOf(view, network, target);
  }
  const view = reading.dense({ words: [1, 1], characters: null, bits: draw.pick([5, 6]) });
  const trees = draw.pick([10, 15, 20]);
  return methodOf(
    view,
    boosting({ trees, maxLeaves: draw.pick([4, 6]), learningRate: draw.pick([0.1, 0.2]) }),
    target,
  );
}

/** Three ways to read a row. In the last one the first words of the definition, mostly a more general verb, stand out. */
function readings(table: TextTable): TextViews[] {
  const words = table.texts("words");
  const definitions = table.texts("definition");
  const marked = definitions.map((definition, row) => {
    const [first = "", second = ""] = definition.split(" ");
    const own = words[row].split("; ").map((word) => `own_${word.replaceAll(" ", "_")}`);
    return `first_${first} second_${second} last_${definition.split(" ").at(-1)} ${own.join(" ")} ${definition}`;
  });
  return [
    textViews("the words", words),
    textViews("the definition", definitions),
    textViews(
      "words and definition",
      words.map((own, row) => `${own} ${definitions[row]}`),
    ),
    textViews("words and definition with its beginning marked", marked),
  ];
}

function decisionsFor(names: readonly string[], target: Target, write: WriteSubmission): Decision[] {
  const named = (prediction: Float64Array, wanted: (chance: number, rank: number) => boolean) => {
    const rows = prediction.length / names.length;
    return write((row) => {
      const order = names
        .map((name, k) => ({ name, chance: prediction[k * rows + row] }))
        .sort((a, b) => b.chance - a.chance);
      return order
        .filter(({ chance }, rank) => rank === 0 || wanted(chance, rank))
        .map(({ name }) => name)
        .join(" ");
    });
  };
  const above = (limit: number): Decision => ({
    name: `frames above ${limit}, at least one`,
    tuned: false,
    submit: (prediction) => named(prediction, (chance) => chance >= limit),
  });
  const first = (count: number): Decision => ({
    name: count === 1 ? "the likeliest frame" : `the ${count} likeliest frames`,
    tuned: false,
    submit: (prediction) => named(prediction, (_, rank) => rank < count),
  });
  const tuned: Decision = {
    name: "frames above a threshold by cross-validation",
    tuned: true,
    submit(prediction, validated) {
      if (!validated) throw new Error("a threshold needs validated predictions");
      const { threshold } = bestThreshold(target.values, validated);
      return named(prediction, (chance) => chance >= threshold);
    },
  };
  return [above(0.5), above(0.4), above(0.3), above(0.25), first(1), first(2), tuned];
}

function rulesOfThumb(
  table: TextTable,
  frames: readonly string[][],
  names: readonly string[],
  write: WriteSubmission,
): Solution[] {
  const always = (count: number): Solution => ({
    name: count === 1 ? "always the commonest frame" : `always the ${count} commonest frames`,
    family: "constant",
    solve: () => write(() => names.slice(0, count).join(" ")),
  });
  const remembered = (name: string, keys: readonly string[]): Solution => ({
    name,
    family: "rule",
    solve() {
      const seen = new Map(frames.map((own, row) => [keys[row], own]));
      return write((row) => (seen.get(keys[frames.length + row]) ?? names.slice(0, 1)).join(" "));
    },
  });
  const definitions = table.texts("definition");
  const words = table.texts("words");
  return [
    always(1),
    always(2),
    always(3),
    remembered(
      "frames of a verb whose definition begins alike",
      definitions.map((text) => text.split(" ")[0]),
    ),
    remembered(
      "frames of a verb whose definition begins with the same two words",
      definitions.map((text) => text.split(" ").slice(0, 2).join(" ")),
    ),
    remembered(
      "frames of a verb with the same first word",
      words.map((text) => text.split("; ")[0]),
    ),
    remembered(
      "frames of a verb that ends in the same three letters",
      words.map((text) => text.split("; ")[0].slice(-3)),
    ),
  ];
}

function namesByFrequency(frames: readonly string[][]): string[] {
  const counts = new Map<string, number>();
  for (const name of frames.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name);
}

function indicators(frames: readonly string[][], names: readonly string[]): Float64Array {
  const values = new Float64Array(frames.length * names.length);
  const numberOf = new Map(names.map((name, k) => [name, k]));
  for (const [row, own] of frames.entries())
    for (const name of own) values[(numberOf.get(name) ?? 0) * frames.length + row] = 1;
  return values;
}
