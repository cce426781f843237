import { join } from "node:path";
import { definePreparer, type Preparation, type Preparer } from "../../preparer.ts";
import { openRawCsv, type RawCsv } from "../rows/raw-csv.ts";
import type { OutputColumn } from "../rows/row-target.ts";
import { writeRows } from "../rows/write-rows.ts";
import { splitItems } from "./split-rows.ts";
import { storedSplit } from "./stored-split.ts";

/** What a table was split into: rows of the source, in the order of the split. */
export interface SplitTable {
  csv: RawCsv;
  train: Uint32Array;
  test: Uint32Array;
}

type Columns = readonly OutputColumn[] | ((header: readonly string[]) => readonly OutputColumn[]);

export interface TableSplit {
  /** The table in the raw folder, and its name in public once it is split. */
  table?: string;
  /** A fraction, or a whole number of rows. */
  testSize: number;
  /** Becomes the setting `split_seed`. Those without one are drawn with 0, as the original draws them. */
  splitSeed?: number;
  /** The columns of the public `test.csv`; none for competitions whose test set is images only. */
  test?: Columns;
  /** The private file of the test rows, and its columns if not all of them. */
  answers?: string;
  answerColumns?: Columns;
  sampleFile?: string;
  /** The columns of the sample submission, ids and a constant guess. */
  sample: readonly OutputColumn[];
  /** What is left to do, such as copying images. */
  afterwards?: (preparation: Preparation, split: SplitTable) => Promise<void>;
}

/** The commonest preparation: the rows of one training table are shuffled and split, the labels of the test half kept back. */
export function splitTable({
  table = "train.csv",
  testSize,
  splitSeed,
  test,
  answers = "test.csv",
  answerColumns = (header) => header,
  sampleFile = "sample_submission.csv",
  sample,
  afterwards,
}: TableSplit): Preparer {
  return definePreparer({
    settings: { test_size: testSize, ...(splitSeed === undefined ? {} : { split_seed: splitSeed }) },
    async prepare(preparation: Preparation<{ test_size: number; split_seed?: number }>) {
      const csv = await openRawCsv(preparation, join(preparation.raw, table));
      const { test_size, split_seed } = preparation.settings;
      const split = await storedSplit(preparation, csv.rowCount, test_size, split_seed);
      const choose = (columns: Columns) => (typeof columns === "function" ? columns(csv.header) : columns);
      await writeRows(preparation, csv, [
        { path: join(preparation.public, table), rows: split.train, columns: csv.header },
        { path: join(preparation.private, answers), rows: split.test, columns: choose(answerColumns) },
        { path: join(preparation.public, sampleFile), rows: split.test, columns: sample },
        ...(test
          ? [{ path: join(preparation.public, "test.csv"), rows: split.test, columns: choose(test) }]
          : []),
      ]);
      await afterwards?.(preparation, { csv, ...splitItems(csv.rowCount, test_size, split_seed) });
    },
  });
}

/** All columns but these. */
export function without(...names: string[]): (header: readonly string[]) => string[] {
  return (header) => header.filter((name) => !names.includes(name));
}
