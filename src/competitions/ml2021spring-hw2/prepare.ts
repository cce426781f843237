import fs from "node:fs";
import { basename, join } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import type { FormatProblem } from "../../formats/format-problem.ts";
import { gatherNpyRows, npyTexts, readNpy, readNpyHeader } from "../../formats/npy.ts";
import { definePreparer } from "../preparer.ts";
import { pause } from "../preparing/pause.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed, missingFile } from "../preparing/stop-preparing.ts";

const FOLDER = "timit_11/timit_11";

/** The share of the test rows is that of the original test set, which is used for nothing else. */
export const preparer = definePreparer({
  async prepare(preparation) {
    const from = join(preparation.raw, FOLDER);
    const to = join(preparation.public, FOLDER);
    for (const name of ["train_11.npy", "train_label_11.npy", "test_11.npy"])
      if (!fs.existsSync(join(from, name))) missingFile(`${FOLDER}/${name}`);
    const count = rowCount(join(from, "train_11.npy"));
    const oldTest = rowCount(join(from, "test_11.npy"));
    const labels = readLabels(join(from, "train_label_11.npy"));
    if (labels.length !== count)
      malformed("train_label_11.npy", `has ${labels.length} labels for ${count} rows`);
    const { train, test } = splitItems(count, { testFraction: oldTest / (count + oldTest) });

    makeFolder(to);
    for (const [source, target, rows] of [
      ["train_label_11.npy", "train_label_11.npy", train],
      ["train_11.npy", "train_11.npy", train],
      ["train_11.npy", "test_11.npy", test],
    ] as const) {
      const what = `splitting ${source}`;
      preparation.progress({ what, done: 0, total: rows.length });
      usable(source, gatherNpyRows(join(from, source), join(to, target), rows));
      preparation.progress({ what, done: rows.length, total: rows.length });
      await pause(preparation);
    }
    writeCsv(
      join(preparation.private, "answers.csv"),
      columns({ Id: "int", ClassId: "text" }),
      Array.from(test, (row, i) => [i, labels[row]]),
    );
    writeCsv(
      join(preparation.public, "sampleSubmission.csv"),
      columns({ Id: "int", ClassId: "int" }),
      Array.from(test, (_, i) => [i, 0]),
    );
  },
});

function rowCount(file: string): number {
  return usable(file, readNpyHeader(file)).shape[0] ?? 0;
}

function readLabels(file: string): string[] {
  return usable(file, npyTexts(usable(file, readNpy(file))));
}

function usable<T>(file: string, value: T | FormatProblem): T {
  return isProblem(value) ? malformed(basename(file), value.reason) : value;
}

function isProblem(value: unknown): value is FormatProblem {
  return typeof value === "object" && value !== null && "status" in value && value.status === "unreadable";
}
