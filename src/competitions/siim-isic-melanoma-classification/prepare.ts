import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyFiles, copyNamed } from "../preparing/files/copy-files.ts";
import { listFiles } from "../preparing/files/list-files.ts";
import { imageNames, renumberedCopies } from "../preparing/files/tfrecord-images.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";

/** The split is not drawn: these two of the sixteen record files hold the test set. */
const TEST_RECORDS = ["train00-2071.tfrec", "train06-2071.tfrec"];

const KNOWN = ["image_name", "patient_id", "sex", "age_approx", "anatom_site_general_challenge"];
const TO_PREDICT = ["diagnosis", "benign_malignant", "target"];

export const preparer = definePreparer({
  async prepare(preparation) {
    const { raw, public: open } = preparation;
    const records = join(raw, "tfrecords");
    const testIds = await imageNames(preparation, records, TEST_RECORDS);
    const csv = await openRawCsv(preparation, join(raw, "train.csv"), { defaultFloats: true });
    const [ids] = readColumns(csv, ["image_name"]).map(plainTexts);
    const train = rowsWhere(csv.rowCount, (row) => !testIds.has(ids[row]));
    const test = rowsWhere(csv.rowCount, (row) => testIds.has(ids[row]));
    await writeRows(preparation, csv, [
      { path: join(open, "train.csv"), rows: train, columns: [...KNOWN, ...TO_PREDICT] },
      { path: join(open, "test.csv"), rows: test, columns: KNOWN },
      { path: join(preparation.private, "test.csv"), rows: test, columns: ["image_name", "target"] },
      {
        path: join(open, "sample_submission.csv"),
        rows: test,
        columns: ["image_name", { name: "target", value: "0" }],
      },
    ]);

    const trainRecords = listFiles(records, ".tfrec").filter(
      (file) => file.startsWith("train") && !TEST_RECORDS.includes(file),
    );
    await copyFiles(preparation, "copying records", [
      ...renumberedCopies(records, join(open, "tfrecords"), "train", trainRecords),
      ...renumberedCopies(records, join(open, "tfrecords"), "test", TEST_RECORDS),
    ]);
    for (const [side, rows] of Object.entries({ train, test })) {
      const files = (extension: string) => Array.from(rows, (row) => `${ids[row]}${extension}`);
      await copyNamed(preparation, join(raw, "train"), join(open, side), files(".dcm"));
      await copyNamed(preparation, join(raw, "jpeg/train"), join(open, "jpeg", side), files(".jpg"));
    }
  },
});
