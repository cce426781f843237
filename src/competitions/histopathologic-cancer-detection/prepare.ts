import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { listFiles } from "../preparing/files/list-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

export const preparer = definePreparer({
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train_labels.csv"));
    const oldTest = listFiles(join(preparation.raw, "test"), ".tif").length;
    const split = splitItems(csv.rowCount, { testFraction: oldTest / (csv.rowCount + oldTest) });

    const [ids] = readColumns(csv, ["id"]).map(plainTexts);
    const testIds = new Set(Array.from(split.test, (row) => ids[row]));
    const test = rowsWhere(csv.rowCount, (row) => testIds.has(ids[row]));
    const train = rowsWhere(csv.rowCount, (row) => !testIds.has(ids[row]));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train_labels.csv"), rows: train, columns: ["id", "label"] },
      { path: join(preparation.private, "answers.csv"), rows: test, columns: ["id", "label"] },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["id", { name: "label", value: "0" }],
      },
    ]);

    for (const [folder, rows] of Object.entries({ train, test })) {
      const images = Array.from(rows, (row) => `${ids[row]}.tif`);
      await copyNamed(preparation, join(preparation.raw, "train"), join(preparation.public, folder), images);
    }
  },
});
