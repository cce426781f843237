import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { openRawCsv } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { storedSplit } from "../preparing/splits/stored-split.ts";

const QUESTION = ["Id", "Title", "Body"];

/** A tag that pandas takes for a missing value, such as `null`, is written as an empty field: the original does so too. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const unpacked = await unpackRaw(preparation, "Train.zip");
    const csv = await openRawCsv(preparation, join(unpacked, "Train.csv"), {
      kinds: { Id: "text", Tags: "text" },
    });
    const { train, test } = await storedSplit(preparation, csv.rowCount, preparation.settings.test_size);
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: [...QUESTION, "Tags"] },
      { path: join(preparation.public, "test.csv"), rows: test, columns: QUESTION },
      { path: join(preparation.private, "test.csv"), rows: test, columns: [...QUESTION, "Tags"] },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: [...QUESTION, { name: "Tags", value: "javascript c# python php java" }],
      },
    ]);
  },
});
