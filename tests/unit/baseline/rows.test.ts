import { expect, test } from "vitest";
import { blend } from "../../../src/agents/baseline/blend.ts";
import { crossValidator } from "../../../src/agents/baseline/cross-validation.ts";
import { decide } from "../../../src/agents/baseline/decide.ts";
import { foldView } from "../../../src/agents/baseline/fold-view.ts";
import { makePlan } from "../../../src/agents/baseline/plan.ts";
import { readTarget } from "../../../src/agents/baseline/row-target.ts";
import { makeFolds, type RowsProblem } from "../../../src/agents/baseline/rows-problem.ts";
import { tableFeatures } from "../../../src/agents/baseline/table-features.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";

const TRAIN = 240;
const TEST = 60;

/** The answer depends on a number and a category; the rest is noise. */
function scene(shuffled = false) {
  const random = seededRandom(7);
  const rows = Array.from({ length: TRAIN + TEST }, () => ({
    x: random(),
    kind: "abcdef"[Math.floor(random() * 6)],
    noise: random(),
  }));
  const truth = rows.map(({ x, kind, noise }) => Number(x + (kind < "c" ? 0.5 : 0) + 0.2 * noise > 0.85));
  const target = Float64Array.from(truth.slice(0, TRAIN));
  if (shuffled) for (let i = 0; i < TRAIN; i++) target[i] = Number(random() < 0.5);
  const columns = (["x", "kind", "noise"] as const).map((name) => ({
    name,
    cells: rows.map((row) => String(row[name])),
  }));
  const features = tableFeatures(columns, [], rows.length);
  const folds = makeFolds({ target, rows: TRAIN, kind: "classes", groups: null }, 3, 0);
  const problem: RowsProblem = {
    kind: "classes",
    outputs: 1,
    classes: 2,
    trainRows: TRAIN,
    testRows: TEST,
    target,
    folds,
    metric: "auc",
    seed: 0,
  };
  return { features, problem };
}

function solved(shuffled: boolean) {
  const { features, problem } = scene(shuffled);
  const tryOut = crossValidator(features, problem, () => false);
  const tried = makePlan(problem, features, 8)
    .chosen.slice(0, 5)
    .flatMap((candidate) => tryOut(candidate) ?? []);
  const blended = blend(problem, tried);
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

test("a candidate that the clock cut is dropped whole", () => {
  const { features, problem } = scene();
  const [candidate] = makePlan(problem, features, 5).chosen;
  let asked = 0;
  expect(crossValidator(features, problem, () => ++asked > 2)(candidate)).toBeNull();
});

test("a smaller budget plans for less, and never for more than it has", () => {
  const { features, problem } = scene();
  const [small, large] = [makePlan(problem, features, 1), makePlan(problem, features, 60)];
  expect(small.chosen.length).toBeLessThan(large.chosen.length);
  expect(small.chosen.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThanOrEqual(1);
  expect(small.chosen.length + small.leftOut.length).toBe(large.chosen.length + large.leftOut.length);
});

test("rows held back do not move the encodings a fold learns from", () => {
  const { features, problem } = scene();
  const [fold] = problem.folds;
  const changed = problem.target.slice();
  for (const row of fold.validation) changed[row] = 1 - changed[row];
  const before = foldView(features, problem, fold, 0).matrix();
  const after = foldView(features, { ...problem, target: changed }, fold, 0).matrix();
  expect(after.values).toEqual(before.values);
});

test("groups stay in one fold", () => {
  const groups = Int32Array.from({ length: 30 }, (_, row) => row % 7);
  const folds = makeFolds({ target: new Float64Array(30), rows: 30, kind: "classes", groups }, 3, 1);
  for (const { train, validation } of folds) {
    const known = new Set(Array.from(train, (row) => groups[row]));
    expect(Array.from(validation).some((row) => known.has(groups[row]))).toBe(false);
  }
});

test("labels between blanks come back as labels between blanks, the rarest left out", () => {
  const cells = [...new Array(6).fill("b a"), "rare"];
  const table = { header: ["id", "labels"], rows: 7, columns: [cells.map((_, i) => String(i)), cells] };
  const metric = { name: "micro-f1", direction: "maximize", k: null, evidence: "" } as const;
  const view = { sample: table, train: table, test: table, media: null, metric, twinFolders: [] };
  const target = readTarget({ kind: "label set" }, table, view);
  expect(target).toMatchObject({ kind: "labels", outputs: 2 });
  expect(target?.write(Float64Array.from([1, 0, 1, 1]))).toEqual([["a b", "b"]]);
});
