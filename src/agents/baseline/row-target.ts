import { type Cells, cellsFrom, isNumberColumn, toNumber } from "./reading/cells.ts";
import { columnOf, type TextTable } from "./reading/text-table.ts";
import type { PublicView, RowAnswer } from "./task.ts";

/** The target as numbers, and the way back to cells. */
export interface RowTarget {
  readonly kind: "number" | "classes" | "labels";
  readonly outputs: number;
  /** Classes, or grades of an ordered scale; 0 for plain numbers. */
  readonly classes: number;
  /** Rows of the training table that have a target. */
  readonly rows: readonly number[];
  readonly values: Float64Array;
  /** Decided predictions for the test rows to the columns of the submission. */
  readonly write: (test: Float64Array) => Cells[];
}

const MIN_PER_LABEL = 5;
const MAX_CLASSES = 200;

/** Null for a target that this cannot learn. `only` names the rows to keep. */
export function readTarget(
  answer: RowAnswer,
  train: TextTable,
  view: PublicView,
  only?: readonly number[],
): RowTarget | null {
  const targets = view.sample.header.slice(1);
  const main = columnOf(train, answer.kind === "probabilities" ? answer.column : targets[0]);
  if (main === null) return null;
  const rows =
    only ??
    Array.from({ length: main.length }, (_, row) => row).filter(
      (row) => answer.kind === "label set" || main.at(row) !== "",
    );
  const cells = rows.map((row) => main.at(row) ?? "");
  switch (answer.kind) {
    case "number":
      return numbers(
        targets.map((target) => columnOf(train, target) ?? []),
        rows,
        view.metric.name === "rmsle",
      );
    case "grade":
      return grades(cells, rows);
    case "label set":
      return labelSets(cells, rows);
    case "label":
      return classes(cells, rows, sortedValues(cells), (test, values) => [
        cellsFrom(test.length, (row) => values[test[row]]),
      ]);
    case "probability":
      return classes(cells, rows, sortedValues(cells), (test) => [numberColumn(test)]);
    case "probabilities":
      return classes(cells, rows, targets, (test, values) => {
        const asked = test.length / values.length;
        return values.map((_, label) => numberColumn(test.subarray(label * asked, (label + 1) * asked)));
      });
  }
}

/** Squared logarithmic errors are squared errors of logarithms: there the target is learned as its logarithm. */
function numbers(columns: readonly Cells[], rows: readonly number[], asLogarithm: boolean): RowTarget | null {
  const values = Float64Array.from(
    columns.flatMap((cells) => rows.map((row) => toNumber(cells.at(row) ?? ""))),
  );
  if (values.some((value) => Number.isNaN(value) || (asLogarithm && value < 0))) return null;
  const outputs = columns.length;
  return {
    kind: "number",
    outputs,
    classes: 0,
    rows,
    values: asLogarithm ? values.map(Math.log1p) : values,
    write(test) {
      const asked = test.length / outputs;
      const plain = asLogarithm ? test.map((value) => Math.max(0, Math.expm1(value))) : test;
      return columns.map((_, output) => numberColumn(plain.subarray(output * asked, (output + 1) * asked)));
    },
  };
}

/** Grades that are not 0, 1, 2 … are numbered in their order. */
function grades(cells: readonly string[], rows: readonly number[]): RowTarget | null {
  const scale = sortedValues(cells);
  const found = classes(cells, rows, scale, (test) => [cellsFrom(test.length, (row) => scale[test[row]])]);
  return found && { ...found, kind: "number", outputs: 1 };
}

function classes(
  cells: readonly string[],
  rows: readonly number[],
  values: readonly string[],
  write: (test: Float64Array, values: readonly string[]) => Cells[],
): RowTarget | null {
  if (values.length < 2 || values.length > MAX_CLASSES) return null;
  const numberOf = new Map(values.map((value, label) => [value, label]));
  const labels = cells.map((cell) => numberOf.get(cell));
  if (labels.some((label) => label === undefined)) return null;
  return {
    kind: "classes",
    outputs: values.length === 2 ? 1 : values.length,
    classes: values.length,
    rows,
    values: Float64Array.from(labels as number[]),
    write: (test) => write(test, values),
  };
}

/** Labels between blanks; the rarest are left out. */
function labelSets(cells: readonly string[], rows: readonly number[]): RowTarget | null {
  const sets = cells.map((cell) => new Set(cell.split(" ").filter((word) => word !== "")));
  const counts = new Map<string, number>();
  for (const set of sets) for (const label of set) counts.set(label, (counts.get(label) ?? 0) + 1);
  const names = [...counts]
    .filter(([, count]) => count >= MIN_PER_LABEL)
    .map(([name]) => name)
    .sort();
  if (names.length === 0 || names.length > MAX_CLASSES) return null;
  return {
    kind: "labels",
    outputs: names.length,
    classes: 2,
    rows,
    values: Float64Array.from(names.flatMap((name) => sets.map((set) => Number(set.has(name))))),
    write(test) {
      const asked = test.length / names.length;
      const chosen = (row: number) => names.filter((_, label) => test[label * asked + row] === 1);
      return [cellsFrom(asked, (row) => chosen(row).join(" "))];
    },
  };
}

/** Numbers by size, words by code unit: never by the machine's language. */
function sortedValues(cells: readonly string[]): string[] {
  const values = [...new Set(cells)];
  return isNumberColumn(values) ? values.sort((a, b) => toNumber(a) - toNumber(b)) : values.sort();
}

function numberColumn(values: Float64Array): Cells {
  return cellsFrom(values.length, (row) => numberText(values[row]));
}

/** Seven digits are more than any model knows, and keep the file short. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(7)));
}
