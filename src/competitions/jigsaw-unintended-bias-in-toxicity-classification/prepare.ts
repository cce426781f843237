import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyFiles } from "../preparing/files/copy-files.ts";
import { openRawCsv } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";

/** No split: the labels of the original private test set are known. */
export const preparer = definePreparer({
  async prepare(preparation) {
    const answers = join(preparation.private, "test.csv");
    await copyFiles(preparation, "copying tables", [
      [join(preparation.raw, "train.csv"), join(preparation.public, "train.csv")],
      [join(preparation.raw, "test_private_expanded.csv"), answers],
    ]);
    const csv = await openRawCsv(preparation, answers);
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "test.csv"), columns: ["id", "comment_text"] },
      {
        path: join(preparation.public, "sample_submission.csv"),
        columns: ["id", { name: "prediction", value: "0.0" }],
      },
    ]);
  },
});
