import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyFiles } from "../preparing/files/copy-files.ts";
import { openRawCsv } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";

/** No split: the labels of the original test set are known. */
export const preparer = definePreparer({
  async prepare(preparation) {
    const answers = join(preparation.private, "test.csv");
    await copyFiles(preparation, "copying tables", [
      [join(preparation.raw, "train.csv"), join(preparation.public, "train.csv")],
      [join(preparation.raw, "test_with_solutions.csv"), answers],
    ]);
    const csv = await openRawCsv(preparation, answers);
    await writeRows(preparation, csv, [
      { path: join(preparation.private, "gold_submission.csv"), columns: ["Insult", "Date", "Comment"] },
      { path: join(preparation.public, "test.csv"), columns: ["Date", "Comment"] },
      {
        path: join(preparation.public, "sample_submission_null.csv"),
        columns: [{ name: "Insult", value: "0" }, "Date", "Comment"],
      },
    ]);
  },
});
