import { join } from "node:path";
import type { Preparation } from "../../preparer.ts";
import { plainTexts } from "../rows/column-values.ts";
import { readColumns } from "../rows/raw-csv.ts";
import type { SplitTable } from "../splits/split-table.ts";
import { copyNamed } from "./copy-files.ts";

export interface Halves {
  /** The folder in raw that holds the files of both halves. */
  from: string;
  /** Where they go in public. */
  train: string;
  test: string;
  /** The column that names a file, and the path it stands for. */
  column: string;
  name: (id: string) => string;
}

/** Copies the files that the rows of each half name: images, recordings, one file a row. */
export function copyHalves({ from, train, test, column, name }: Halves) {
  return async (preparation: Preparation, split: SplitTable): Promise<void> => {
    const [ids] = readColumns(split.csv, [column]).map(plainTexts);
    for (const [folder, rows] of [
      [train, split.train],
      [test, split.test],
    ] as const) {
      const names = Array.from(rows, (row) => name(ids[row]));
      await copyNamed(preparation, join(preparation.raw, from), join(preparation.public, folder), names);
    }
  };
}
