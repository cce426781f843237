import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

/** The authors and their shares of the original training set, which the sample submission predicts for every text. */
const AUTHORS = { EAP: "0.403493538995863", HPL: "0.287808366106543", MWS: "0.308698094897594" };

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const unpacked = await unpackRaw(preparation, "train.zip");
    const csv = await openRawCsv(preparation, join(unpacked, "train.csv"));
    const [author] = readColumns(csv, ["author"]).map(plainTexts);
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    const oneHot = Object.keys(AUTHORS).map((name) => ({
      name,
      cell: (row: number) => (author[row] === name ? "1" : "0"),
    }));
    const shares = Object.entries(AUTHORS).map(([name, value]) => ({ name, value }));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.public, "test.csv"), rows: test, columns: ["id", "text"] },
      { path: join(preparation.private, "test.csv"), rows: test, columns: ["id", ...oneHot] },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["id", ...shares],
      },
    ]);
  },
});
