import { join } from "node:path";
import type { Column } from "../../../table/columns/column.ts";
import { isMissing } from "../../../table/columns/column.ts";
import { definePreparer, type Preparation, type Preparer } from "../../preparer.ts";
import { openRawCsv, type RawCsv, readColumns, requireColumn } from "../rows/raw-csv.ts";
import type { OutputColumn } from "../rows/row-target.ts";
import { writeRows } from "../rows/write-rows.ts";
import { malformed, stopPreparing } from "../stop-preparing.ts";
import {
  labelText,
  type OwnSplit,
  type OwnSplitRequest,
  type OwnSplitRule,
  ownSplit,
  timesOf,
} from "./own-split.ts";

/** What the answers and the submission hold in place of the target. */
export type OwnTarget =
  | { readonly column: string; readonly as: "number"; readonly sample: string }
  | { readonly column: string; readonly as: "label"; readonly sample: string }
  /** 1 for the rows that have this value, 0 for the others, in train too. */
  | { readonly column: string; readonly as: "probability"; readonly positive: string }
  /** A column for each class; train keeps the label. */
  | { readonly column: string; readonly as: "probabilities"; readonly classes: readonly string[] };

export interface OwnTable {
  /** The table in the raw folder. */
  readonly table: string;
  readonly separator?: "," | "\t" | ";";
  /** A column of the table, or one that is made and tells nothing. */
  readonly id: string | { readonly made: string };
  readonly target: OwnTarget;
  /** Columns that nobody gets to see. */
  readonly drop?: readonly string[];
  readonly split: OwnSplitRule;
  readonly testSize: number;
  readonly seed: number;
}

/**
 * Prepares a competition from one table: `train.csv`, `test.csv` without the target, a constant sample submission, and
 * the answers. Rows without a target are left out. A group that decides the split stays in train alone, since no test
 * row has one that train knows.
 */
export function splitOwnTable(own: OwnTable): Preparer {
  return definePreparer({
    settings: { test_size: own.testSize, seed: own.seed },
    async prepare(preparation) {
      const csv = await openRawCsv(preparation, join(preparation.raw, own.table), {
        separator: own.separator ?? ",",
      });
      const { target, drop = [] } = own;
      for (const name of drop) requireColumn(csv, name);
      const [column] = readColumns(csv, [target.column]);
      const labels = Array.from({ length: csv.rowCount }, (_, row) => labelText(column, row));
      const split = splitOf(preparation, own, csv, column, labels);
      const id: OutputColumn =
        typeof own.id === "string" ? own.id : { name: own.id.made, cell: madeIds(split, csv.rowCount) };
      const made = typeof own.id === "string" ? [] : [id];
      const group = own.split.by === "group" ? own.split.column : null;
      const shown = csv.header.filter((name) => !drop.includes(name));
      const train = shown.map((name) => (name === target.column ? trainTarget(target, labels) : name));
      const test = shown.filter((name) => name !== target.column && name !== group);
      await writeRows(preparation, csv, [
        {
          path: join(preparation.public, "train.csv"),
          rows: split.train,
          columns: [...made, ...train],
        },
        {
          path: join(preparation.public, "test.csv"),
          rows: split.test,
          columns: [...made, ...test],
        },
        {
          path: join(preparation.public, "sample_submission.csv"),
          rows: split.test,
          columns: [id, ...sampleTarget(target)],
        },
        {
          path: join(preparation.private, "test.csv"),
          rows: split.test,
          columns: [id, ...answerTarget(target, labels)],
        },
      ]);
    },
  });
}

function splitOf(
  preparation: Preparation<{ test_size: number; seed: number }>,
  { target, split: rule }: OwnTable,
  csv: RawCsv,
  column: Column,
  labels: readonly string[],
): OwnSplit {
  const { test_size: testSize, seed } = preparation.settings;
  const rows = labels.flatMap((_, row) => (isMissing(column, row) ? [] : [row]));
  const by = splitKeys(rule, csv, labels);
  const split = ownSplit({ rows, sourceRows: csv.rowCount, testSize, seed, by });
  if (typeof split === "string") return impossible(`The rows cannot be split: ${split}.`);
  if (target.as === "number") return split;
  const known = new Set(Array.from(split.train, (row) => labels[row]));
  const asked = new Set(Array.from(split.test, (row) => labels[row]));
  if (known.size < 2 || asked.size < 2)
    return impossible(`Split by ${rule.by}, one side has a single class of "${target.column}".`);
  const unknown = [...asked].filter((label) => !known.has(label));
  if (unknown.length > 0)
    preparation.warn(
      `${unknown.length} classes of the test rows do not occur in train, such as "${unknown[0]}".`,
    );
  return split;
}

function impossible(message: string): never {
  return stopPreparing({
    code: "SPLIT_IMPOSSIBLE",
    file: null,
    message,
    next: "Take another share for test or another split.",
  });
}

function splitKeys(rule: OwnSplitRule, csv: RawCsv, labels: readonly string[]): OwnSplitRequest["by"] {
  if (rule.by === "rows") return { kind: "rows" };
  if (rule.by === "classes") return { kind: "classes", keys: labels };
  const [column] = readColumns(csv, [rule.column]);
  if (rule.by === "group") {
    const keys = Array.from({ length: csv.rowCount }, (_, row) => labelText(column, row));
    return { kind: "group", keys };
  }
  const times = timesOf(column);
  if (times === null) return malformed(csv.name, `has rows without a date or number in ${rule.column}`);
  return { kind: "time", times };
}

function madeIds({ numbers }: OwnSplit, sourceRows: number): (row: number) => string {
  const digits = String(sourceRows).length;
  return (row) => `r${String(numbers[row]).padStart(digits, "0")}`;
}

function trainTarget(target: OwnTarget, labels: readonly string[]): OutputColumn {
  const { column: name } = target;
  if (target.as === "number") return name;
  if (target.as === "probability") return flag(name, target.positive, labels);
  return { name, cell: (row) => labels[row] };
}

function answerTarget(target: OwnTarget, labels: readonly string[]): OutputColumn[] {
  if (target.as !== "probabilities") return [trainTarget(target, labels)];
  return target.classes.map((name) => flag(name, name, labels));
}

function sampleTarget(target: OwnTarget): OutputColumn[] {
  switch (target.as) {
    case "number":
    case "label":
      return [{ name: target.column, value: target.sample }];
    case "probability":
      return [{ name: target.column, value: "0.5" }];
    case "probabilities":
      return target.classes.map((name) => ({ name, value: String(1 / target.classes.length) }));
  }
}

function flag(name: string, positive: string, labels: readonly string[]): OutputColumn {
  return { name, cell: (row) => (labels[row] === positive ? "1" : "0"), numeric: true };
}
