import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyTree } from "../preparing/files/copy-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    // Ids are folder names: their leading zeros count.
    const csv = await openRawCsv(preparation, join(preparation.raw, "train_labels.csv"), {
      kinds: { BraTS21ID: "text" },
    });
    const [ids] = readColumns(csv, ["BraTS21ID"]).map(plainTexts);
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train_labels.csv"), rows: train, columns: csv.header },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["BraTS21ID", { name: "MGMT_value", value: "0.5" }],
      },
    ]);
    for (const [half, rows] of Object.entries({ train, test })) {
      for (const row of rows) {
        await copyTree(
          preparation,
          join(preparation.raw, "train", ids[row]),
          join(preparation.public, half, ids[row]),
        );
      }
    }
  },
});
