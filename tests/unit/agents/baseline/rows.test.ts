import { expect, test } from "vitest";
import { tableFeatures } from "../../../../src/agents/baseline/features/tables.ts";
import { planMemory } from "../../../../src/agents/baseline/memory-plan.ts";
import { makePlan } from "../../../../src/agents/baseline/plan.ts";
import { readTarget } from "../../../../src/agents/baseline/row-target.ts";
import {
  makeFolds,
  type RowsProblem,
  scoredPart,
} from "../../../../src/agents/baseline/solvers/rows-problem.ts";
import { blend } from "../../../../src/agents/baseline/validation/blend.ts";
import { crossValidator } from "../../../../src/agents/baseline/validation/cross-validation.ts";
import { decide } from "../../../../src/agents/baseline/validation/decide.ts";
import { foldView } from "../../../../src/agents/baseline/validation/fold-view.ts";
import { binFeatures } from "../../../../src/learning/boosting/bins.ts";
import { seededRandom } from "../../../../src/learning/seeded-random.ts";

const TRAIN = 240;
const TEST = 60;

/** The answer depends on a number and a category; the rest is noise. */
function scene(shuffled = false, blockRows = TEST) {
  const random = seededRandom(7);
  const rows = Array.from({ length: TRAIN + TEST }, () => ({
    x: random(),
    kind: "abcdef"[Math.floor(random() * 6)],
    noise: random(),
  }));
  const truth = rows.map(({ x, kind, noise }) => Number(x + (kind < "c" ? 0.5 : 0) + 0.2 * noise > 0.85));
  const target = Float64Array.from(truth.slice(0, TRAIN));
  if (shuffled) for (let i = 0; i < TRAIN; i++) target[i] = Number(random() < 0.5);
  const columns = (["x", "kind", "noise"] as const).map((name) => {
    const cells = rows.map((row) => String(row[name]));
    return { name, train: cells.slice(0, TRAIN), test: cells.slice(TRAIN) };
  });
  const features = tableFeatures(columns, null, {
    trainRows: TRAIN,
    testRows: TEST,
    memory: { blockRows, linearBytes: 2 ** 24 },
  });
  const options = { target, rows: TRAIN, kind: "classes", separation: { by: "chance" } } as const;
  const folds = makeFolds(options, 3, 0);
  const problem: RowsProblem = {
    kind: "classes",
    outputs: 1,
    classes: 2,
    trainRows: TRAIN,
    testRows: TEST,
    target,
    folds,
    ...scoredPart(folds, target, TRAIN),
    metric: "auc",
    seed: 0,
  };
  return { features, problem };
}

function solved(shuffled: boolean, blockRows = TEST) {
  const { features, problem } = scene(shuffled, blockRows);
  const tryOut = crossValidator(features, problem, () => false);
  const tried = makePlan(problem, features, { seconds: 8, modelBytes: 2 ** 28 })
    .chosen.slice(0, 5)
    .flatMap((candidate) => tryOut(candidate) ?? []);
  const blended = blend(problem, tried, false);
  return decide(problem, blended.outOfFold, blended.test, false);
}

test("a signal in a number and a category is found", () => {
  expect(solved(false).score).toBeGreaterThan(0.93);
});

test("a target without any signal is not found out of fold: nothing leaks", () => {
  expect(solved(true).score).toBeLessThan(0.65);
});

test("the same seed gives the same predictions", () => {
  expect(solved(false).test).toEqual(solved(false).test);
});

test("a test that is predicted in blocks gets the same predictions", () => {
  expect(solved(false, 7).test).toEqual(solved(false).test);
});

test("a plan stays within its memory: what needs more is left out", () => {
  const { features, problem } = scene();
  const names = (modelBytes: number) =>
    makePlan(problem, features, { seconds: 60, modelBytes }).chosen.map(({ name }) => name);
  expect(names(2 ** 28)).toContain("random forest");
  expect(names(2 ** 20)).not.toContain("random forest");
  expect(names(1)).toEqual(["prior"]);
});

test("forward in time a fold learns from what lies before the rows it holds back", () => {
  const times = Float64Array.from({ length: 40 }, (_, row) => (row * 17) % 40);
  const separation = { by: "time", times } as const;
  const target = new Float64Array(40).map((_, row) => row);
  const folds = makeFolds({ target, rows: 40, kind: "number", separation }, 3, 1);
  for (const { train, validation } of folds) {
    const last = Math.max(...Array.from(train, (row) => times[row]));
    expect(Array.from(validation).every((row) => times[row] > last)).toBe(true);
  }
  const { scoredRows, truth } = scoredPart(folds, target, 40);
  expect(scoredRows).toHaveLength(30);
  expect(Array.from(truth)).toEqual(Array.from(scoredRows));
});

test("a mix for accuracy is chosen by hits where that is better on rows it was not chosen on", () => {
  const { problem } = scene();
  const { truth } = problem;
  const random = seededRandom(2);
  const told = (margin: number, share: number) =>
    truth.map((label) => 0.5 + (random() < share ? 1 : -1) * (label === 1 ? margin : -margin));
  // The timid one is right far more often, but by so little that any share of the other drowns it.
  const tried = Object.entries({ timid: told(0.01, 0.9), loud: told(0.3, 0.75) }).map(
    ([name, outOfFold]) => ({ name, outOfFold, test: new Float64Array(TEST) }),
  );
  expect(blend({ ...problem, metric: "accuracy" }, tried, true).weights).toEqual([
    { name: "timid", weight: 1 },
  ]);
  const [loudest] = [...blend({ ...problem, metric: "log-loss" }, tried, false).weights].sort(
    (a, b) => b.weight - a.weight,
  );
  expect(loudest.name).toBe("loud");
});

test("a candidate that the clock cut is dropped whole", () => {
  const { features, problem } = scene();
  const [candidate] = makePlan(problem, features, { seconds: 5, modelBytes: 2 ** 28 }).chosen;
  let asked = 0;
  expect(crossValidator(features, problem, () => ++asked > 2)(candidate)).toBeNull();
});

test("a smaller budget plans for less, and never for more than it has", () => {
  const { features, problem } = scene();
  const [small, large] = [1, 60].map((seconds) =>
    makePlan(problem, features, { seconds, modelBytes: 2 ** 28 }),
  );
  expect(small.chosen.length).toBeLessThan(large.chosen.length);
  expect(small.chosen.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThanOrEqual(1);
  expect(small.chosen.length + small.leftOut.length).toBe(large.chosen.length + large.leftOut.length);
});

test("rows held back do not move the encodings a fold learns from", () => {
  const { features, problem } = scene();
  const [fold] = problem.folds;
  const changed = problem.target.slice();
  for (const row of fold.validation) changed[row] = 1 - changed[row];
  const seen = (target: Float64Array) => {
    const bins = () => binFeatures(features.train.numbers);
    const view = foldView(features.train, { ...problem, target }, fold, 0, bins);
    return { bins: view.binned().bins, held: view.askRows(fold.validation).trees().values };
  };
  expect(seen(changed)).toEqual(seen(problem.target));
});

test("groups stay in one fold", () => {
  const groups = Int32Array.from({ length: 30 }, (_, row) => row % 7);
  const separation = { by: "groups", groups } as const;
  const folds = makeFolds({ target: new Float64Array(30), rows: 30, kind: "classes", separation }, 3, 1);
  for (const { train, validation } of folds) {
    const known = new Set(Array.from(train, (row) => groups[row]));
    expect(Array.from(validation).some((row) => known.has(groups[row]))).toBe(false);
  }
});

test("labels between blanks come back as labels between blanks, the rarest left out", () => {
  const cells = [...new Array(6).fill("b a"), "rare"];
  const table = { header: ["id", "labels"], rows: 7, columns: [cells.map((_, i) => String(i)), cells] };
  const metric = { name: "micro-f1", direction: "maximize", k: null, evidence: "" } as const;
  const view = {
    sample: table,
    train: table,
    trainRowsInFile: 7,
    test: table,
    media: null,
    metric,
    twinFolders: [],
    sideTables: [],
    memory: planMemory(Number.NaN, null, null, 7),
  };
  const target = readTarget({ kind: "label set" }, table, view);
  expect(target).toMatchObject({ kind: "labels", outputs: 2 });
  const written = target?.write(Float64Array.from([1, 0, 1, 1])) ?? [];
  expect(written.map((cells) => [...cells])).toEqual([["a b", "b"]]);
});
