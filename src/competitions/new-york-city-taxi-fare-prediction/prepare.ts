import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { headerWithout, openRawCsv } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { storedSplit } from "../preparing/splits/stored-split.ts";

export const preparer = definePreparer({
  settings: { test_size: 9914 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const { train, test } = await storedSplit(preparation, csv.rowCount, preparation.settings.test_size);
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "labels.csv"), rows: train, columns: csv.header },
      {
        path: join(preparation.public, "test.csv"),
        rows: test,
        columns: headerWithout(csv, "fare_amount"),
      },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["key", { name: "fare_amount", value: "11.35" }],
      },
    ]);
    await copyNamed(preparation, preparation.raw, preparation.public, ["GCP-Coupons-Instructions.rtf"]);
  },
});
