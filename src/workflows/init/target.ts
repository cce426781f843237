import { labelText } from "../../competitions/preparing/splits/own-split.ts";
import { type Column, isMissing, isNumeric } from "../../table/columns/column.ts";
import { type InitRefusal, refusal } from "./schema.ts";

/** What the cells of a target are, before anything is decided. */
export interface TargetFacts {
  name: string;
  /** Rows that have a target; the others are left out. */
  rows: number;
  missing: number;
  /** How often each value occurs, in the order of the classes: numbers by size, texts by code unit. */
  counts: ReadonlyMap<string, number>;
  /** Null unless every value is a finite number. */
  values: Float64Array | null;
  wholeNumbers: boolean;
}

export type TargetKind = "binary" | "classes" | "grades" | "number";

const MIN_ROWS = 20;
const FEW_WHOLE_NUMBERS = 10;
const MAX_CLASSES = 100;
const ROWS_PER_CLASS = 3;

export function targetFacts(column: Column): TargetFacts | InitRefusal {
  const { name } = column;
  const rows = Array.from({ length: column.length }, (_, row) => row).filter(
    (row) => !isMissing(column, row),
  );
  const asNumbers = isNumeric(column) && column.kind !== "bool";
  const values = asNumbers ? Float64Array.from(rows, (row) => column.numbers[row]) : null;
  const infinite = values?.findIndex((value) => !Number.isFinite(value)) ?? -1;
  if (infinite >= 0)
    return refusal(
      "BAD_TARGET",
      `Row ${rows[infinite] + 1} of "${name}" is infinite.`,
      "Remove the row or give it a value.",
    );
  const found = new Map<string, number>();
  for (const row of rows) {
    const label = labelText(column, row);
    found.set(label, (found.get(label) ?? 0) + 1);
  }
  const order = asNumbers
    ? (a: string, b: string) => Number(a) - Number(b)
    : (a: string, b: string) => (a < b ? -1 : 1);
  const counts = new Map([...found].sort(([a], [b]) => order(a, b)));
  if (rows.length < MIN_ROWS)
    return refusal(
      "TOO_FEW_ROWS",
      `${rows.length} rows have a value in "${name}"; at least ${MIN_ROWS} are needed to split and score.`,
      "Give a longer table.",
    );
  if (counts.size === 1)
    return refusal(
      "CONSTANT_TARGET",
      `"${name}" is ${JSON.stringify([...counts.keys()][0])} in every row: there is nothing to predict.`,
      "Name another column with --target.",
    );
  return {
    name,
    rows: rows.length,
    missing: column.length - rows.length,
    counts,
    values,
    wholeNumbers: values?.every(Number.isInteger) ?? false,
  };
}

/** What kind of target it is when nobody says so, and the rule by which that was decided. */
export function inferKind(facts: TargetFacts): { kind: TargetKind; why: string } | InitRefusal {
  const { name, rows, counts, values, wholeNumbers } = facts;
  if (counts.size === 2) return { kind: "binary", why: "it has two values" };
  if (values !== null) {
    const few = wholeNumbers && counts.size <= FEW_WHOLE_NUMBERS && rows >= ROWS_PER_CLASS * counts.size;
    if (!few) return { kind: "number", why: "its values are numbers" };
    const why = `it has ${counts.size} different whole numbers; if they are amounts say --metric rmse, if grades on a scale --metric quadratic-kappa`;
    return { kind: "classes", why };
  }
  const tooMany = classesProblem(facts);
  if (tooMany === null) return { kind: "classes", why: `it has ${counts.size} values that repeat` };
  const example = [...counts.keys()][0].slice(0, 40);
  return refusal(
    "FREE_TEXT",
    `"${name}" holds text that does not repeat enough to be classes (${counts.size} different values in ${rows} rows, such as ${JSON.stringify(example)}).`,
    "Predicting free text needs a grader of its own: docs/add-a-competition.md. Numbers must be written plainly, as 1234.5.",
  );
}

/** Why the values cannot be taken for classes; null when they can. */
export function classesProblem({ rows, counts }: TargetFacts): string | null {
  if (counts.size > MAX_CLASSES) return `it has ${counts.size} classes; up to ${MAX_CLASSES} are possible`;
  if (rows < ROWS_PER_CLASS * counts.size)
    return `it has ${counts.size} classes in ${rows} rows, too few rows for each to be learned and tested`;
  return null;
}

/** Classes with a single row cannot be both learned and tested. */
export function lonelyClasses({ counts }: TargetFacts): string[] {
  return [...counts].flatMap(([label, count]) => (count === 1 ? [label] : []));
}

const YES = /^(1|yes|y|true|t|positive|pos|present|bad|fraud|spam|default|churn(ed)?|malignant|m)$/i;

/** Which of two values the probability is of: the one that says yes, else the rarer one. */
export function positiveOf({ counts, values }: TargetFacts): { positive: string; why: string } {
  const [first, second] = [...counts.keys()];
  if (values !== null) return { positive: second, why: "the larger number" };
  const yes = [first, second].filter((label) => YES.test(label.trim()));
  if (yes.length === 1) return { positive: yes[0], why: "its name says so" };
  const rarer = counts.get(first)! < counts.get(second)! ? first : second;
  return { positive: rarer, why: "the rarer value" };
}
