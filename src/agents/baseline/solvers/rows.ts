import type { FeatureSource } from "../features/features.ts";
import { readFeatures } from "../features/rows.ts";
import { makePlan } from "../plan.ts";
import type { Cells } from "../reading/cells.ts";
import { readTarget } from "../row-target.ts";
import { blend } from "../validation/blend.ts";
import { crossValidator, type Tried } from "../validation/cross-validation.ts";
import { decide, decisionMeasure } from "../validation/decide.ts";
import { separationOf } from "../validation/separation.ts";
import type { Solver, Workbench } from "../workbench.ts";
import { makeFolds, type RowsProblem, scoredPart } from "./rows-problem.ts";

const FEW_SECONDS = 15;
const MANY_ROWS = 300_000;

/** One row, one answer: learns from tables, texts, pictures and sounds alike, once they are numbers. */
export const solveRows: Solver<"rows"> = async (task, bench) => {
  const { view, seed, clock, journal } = bench;
  const { train, sample, metric } = view;
  if (train === null) return;
  const target = readTarget(task.answer, train, view);
  if (target === null || target.rows.length < 10) {
    const note = "too few rows have a target that can be learned";
    journal.steps.push({ name: "target", score: null, note });
    return;
  }
  const source = readFeatures(task, view, target.rows);
  const trainRows = target.rows.length;
  const isShort = clock.plannedSeconds < FEW_SECONDS || target.kind === "labels";
  const wanted = foldsFor(source, trainRows, { isShort, plannedSeconds: clock.plannedSeconds });
  const separation = separationOf(task, train, target.rows);
  const folds = makeFolds(
    { target: target.values, rows: trainRows, kind: target.kind, separation },
    wanted,
    seed,
  );
  const problem: RowsProblem = {
    kind: target.kind,
    outputs: target.outputs,
    classes: target.classes,
    trainRows,
    testRows: sample.rows,
    target: target.values,
    folds,
    ...scoredPart(folds, target.values, trainRows),
    metric: metric.name,
    seed,
  };
  const { modelBytes } = view.memory;
  const plan = makePlan(problem, source, { seconds: clock.plannedSeconds, modelBytes });
  journal.settings = {
    folds: folds.length,
    separation: task.separation,
    rows: trainRows,
    rowsInFile: view.trainRowsInFile,
    blocksOfTest: source.blockCount,
    numbers: source.train.numbers.columns,
    categories: source.train.categories.length,
    planned: plan.chosen.map(({ name }) => name),
    leftOut: plan.leftOut.map(({ name }) => name),
  };
  const isOver = () => clock.isOver();
  const tryOut = crossValidator(source, problem, isOver);
  const wantsLabel = task.answer.kind === "label";
  const tried: Tried[] = [];
  for (const candidate of plan.chosen) {
    if (isOver()) break;
    const one = tryOut(candidate);
    if (one === null) break;
    tried.push(one);
    const { score, rule } = decide(problem, one.outOfFold, one.test, wantsLabel);
    journal.steps.push({ name: candidate.name, score, note: rule });
    const isLast = candidate === plan.chosen.at(-1);
    if (isLast || tried.length === 1 || tried.length % 4 === 3)
      await submitBlend(problem, tried, target.write, wantsLabel, bench);
  }
  if (clock.wasCut() && tried.length > 0) await submitBlend(problem, tried, target.write, wantsLabel, bench);
};

/** Many rows, and pictures that a network takes long to learn, are held back once; else each row is, once. */
function foldsFor(
  { train: { pictures }, testRows }: FeatureSource,
  rows: number,
  { isShort, plannedSeconds }: { isShort: boolean; plannedSeconds: number },
): number {
  if (rows + testRows > MANY_ROWS) return 1;
  if (pictures?.of !== "pictures") return isShort ? 3 : 5;
  const pixels = rows * pictures.pixels.columns;
  if (pixels > PIXELS_PER_SECOND * plannedSeconds) return 1;
  return 3;
}

/** Of the pixels of all pictures, for each planned second: three networks learn no more. */
const PIXELS_PER_SECOND = 80_000;

async function submitBlend(
  problem: RowsProblem,
  tried: readonly Tried[],
  write: (test: Float64Array) => Cells[],
  wantsLabel: boolean,
  { submit, journal, tell }: Workbench,
): Promise<void> {
  const blended = blend(problem, tried, wantsLabel);
  const { score, rule, test } = decide(problem, blended.outOfFold, blended.test, wantsLabel);
  const outcome = await submit(write(test));
  if (outcome.status === "refused") {
    journal.steps.push({ name: "blend", score, note: `not submitted: ${outcome.reason}` });
    return;
  }
  journal.settings = { ...journal.settings, blend: blended.weights, rule };
  if (problem.metric === null) journal.measure = decisionMeasure(problem, wantsLabel);
  journal.score = score;
  journal.measuredOn = `out-of-fold predictions of ${problem.scoredRows.length} training rows`;
  tell();
}
