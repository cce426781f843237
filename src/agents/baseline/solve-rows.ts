import fs from "node:fs";
import path from "node:path";
import { type DenseMatrix, joinColumns } from "../../learning/matrix.ts";
import { blend } from "./blend.ts";
import { crossValidator, type Tried } from "./cross-validation.ts";
import { decide } from "./decide.ts";
import { type Features, linearColumns } from "./features.ts";
import { pictureFeatures } from "./picture-features.ts";
import { makePlan } from "./plan.ts";
import { readTarget } from "./row-target.ts";
import { makeFolds, type RowsProblem } from "./rows-problem.ts";
import { soundFeatures } from "./sound-features.ts";
import { type NamedCells, tableFeatures } from "./table-features.ts";
import type { PublicView, Task } from "./task.ts";
import { columnOf, type TextTable } from "./text-table.ts";
import type { Solver, Workbench } from "./workbench.ts";

const MOST_CELLS = 6e6;
const FEW_SECONDS = 15;

/** One row, one answer: learns from tables, texts, pictures and sounds alike, once they are numbers. */
export const solveRows: Solver<"rows"> = async (task, bench) => {
  const { view, seed, clock, journal } = bench;
  const { train, sample, metric } = view;
  if (train === null) return;
  const all = readTarget(task.answer, train, view);
  if (all === null || all.rows.length < 10) {
    journal.steps.push({
      name: "target",
      score: null,
      note: "too few rows have a target that can be learned",
    });
    return;
  }
  const wanted = sampleRows(all.rows, Math.floor(MOST_CELLS / Math.max(1, train.header.length)));
  const target = readTarget(task.answer, train, view, wanted) ?? all;
  const features = readFeatures(task, view, target.rows);
  const groups = task.group === null ? null : codesOf(columnOf(train, task.group) ?? [], target.rows);
  const folds = clock.plannedSeconds < FEW_SECONDS || target.kind === "labels" ? 3 : 5;
  const problem: RowsProblem = {
    kind: target.kind,
    outputs: target.outputs,
    classes: target.classes,
    trainRows: target.rows.length,
    testRows: sample.rows,
    target: target.values,
    folds: makeFolds(
      { target: target.values, rows: target.rows.length, kind: target.kind, groups },
      folds,
      seed,
    ),
    metric: metric.name,
    seed,
  };
  const plan = makePlan(problem, features, clock.plannedSeconds);
  journal.settings = {
    folds: problem.folds.length,
    grouped: task.group,
    rows: problem.trainRows,
    numbers: features.numbers.columns,
    categories: features.categories.length,
    planned: plan.chosen.map(({ name }) => name),
    leftOut: plan.leftOut.map(({ name }) => name),
  };
  const isOver = () => clock.isOver();
  const tryOut = crossValidator(features, problem, isOver);
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

async function submitBlend(
  problem: RowsProblem,
  tried: readonly Tried[],
  write: (test: Float64Array) => string[][],
  wantsLabel: boolean,
  { submit, journal }: Workbench,
): Promise<void> {
  const blended = blend(problem, tried);
  const { score, rule, test } = decide(problem, blended.outOfFold, blended.test, wantsLabel);
  const outcome = await submit(write(test));
  if (outcome.status === "refused") {
    journal.steps.push({ name: "blend", score, note: `not submitted: ${outcome.reason}` });
    return;
  }
  journal.settings = { ...journal.settings, blend: blended.weights, rule };
  journal.score = score;
  journal.measuredOn = `out-of-fold predictions of ${problem.trainRows} training rows`;
}

/** Evenly spread over the file: a table may be in order of time or of class. */
function sampleRows(rows: readonly number[], most: number): readonly number[] {
  if (rows.length <= most) return rows;
  return Array.from({ length: most }, (_, i) => rows[Math.floor((i * rows.length) / most)]);
}

function codesOf(cells: readonly string[], rows: readonly number[]): Int32Array {
  const codes = new Map<string, number>();
  return Int32Array.from(rows, (row) => {
    const code = codes.get(cells[row]) ?? codes.size;
    codes.set(cells[row], code);
    return code;
  });
}

/** Training rows in the order given, then the rows of the sample submission in its order. */
function readFeatures(
  task: Extract<Task, { shape: "rows" }>,
  view: PublicView,
  trainRows: readonly number[],
): Features {
  const { sample, test, media } = view;
  const train = view.train as TextTable;
  const [id] = sample.header;
  const rows = trainRows.length + sample.rows;
  const skipped = new Set([...sample.header, task.group]);
  const shared =
    test === null ? [] : test.header.filter((name) => !skipped.has(name) && train.header.includes(name));
  const place = new Map((test && columnOf(test, id))?.map((own, row) => [own, row]));
  const columns = shared.map((name): NamedCells => {
    const [own, other] = [columnOf(train, name) ?? [], (test && columnOf(test, name)) ?? []];
    const asked = sample.columns[0].map((key) => other[place.get(key) ?? -1] ?? "");
    return { name, cells: [...trainRows.map((row) => own[row]), ...asked] };
  });
  if (media === null) return tableFeatures(columns, [], rows);
  const trainIds = columnOf(train, id) ?? [];
  const read = (row: number): Buffer | null => {
    const isTrain = row < trainRows.length;
    const name = isTrain ? trainIds[trainRows[row]] : sample.columns[0][row - trainRows.length];
    const file = path.join(isTrain ? media.trainFolder : media.testFolder, `${name}.${media.extension}`);
    return fs.existsSync(file) ? fs.readFileSync(file) : null;
  };
  if (media.kind === "sounds") return tableFeatures(columns, [soundFeatures(read, rows)], rows);
  const pictures = pictureFeatures(read, rows);
  const rest = tableFeatures(columns, [], rows);
  const numbers: DenseMatrix = joinColumns([pictures.described, rest.numbers]);
  const { pixels, side } = pictures;
  return {
    ...rest,
    numbers,
    linear: linearColumns(numbers, rest.categories, false),
    pictures: { shape: { width: side, height: side, channels: 1 }, pixels },
  };
}
