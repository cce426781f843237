import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyFiles, copyNamed } from "../preparing/files/copy-files.ts";
import { listFiles } from "../preparing/files/list-files.ts";
import { imageNames, renumberedCopies } from "../preparing/files/tfrecord-images.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

/** What is split are the record files; an image belongs to the side on which its record lies. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const { raw, public: open } = preparation;
    const records = join(raw, "train_tfrecords");
    const files = listFiles(records, ".tfrec");
    const split = splitItems(files.length, preparation.settings.test_size);
    const trainFiles = Array.from(split.train, (i) => files[i]);
    const testFiles = Array.from(split.test, (i) => files[i]);
    const testIds = await imageNames(preparation, records, testFiles);

    const csv = await openRawCsv(preparation, join(raw, "train.csv"));
    const [ids] = readColumns(csv, ["image_id"]).map(plainTexts);
    const train = rowsWhere(csv.rowCount, (row) => !testIds.has(ids[row]));
    const test = rowsWhere(csv.rowCount, (row) => testIds.has(ids[row]));
    await writeRows(preparation, csv, [
      { path: join(open, "train.csv"), rows: train, columns: ["image_id", "label"] },
      { path: join(preparation.private, "test.csv"), rows: test, columns: ["image_id", "label"] },
      {
        path: join(open, "sample_submission.csv"),
        rows: test,
        columns: ["image_id", { name: "label", value: "4" }],
      },
    ]);

    await copyNamed(preparation, raw, open, ["label_num_to_disease_map.json"]);
    await copyFiles(preparation, "copying records", [
      ...renumberedCopies(records, join(open, "train_tfrecords"), "ld_train", trainFiles),
      ...renumberedCopies(records, join(open, "test_tfrecords"), "ld_test", testFiles),
    ]);
    for (const [folder, rows] of Object.entries({ train_images: train, test_images: test })) {
      const images = Array.from(rows, (row) => ids[row]);
      await copyNamed(preparation, join(raw, "train_images"), join(open, folder), images);
    }
  },
});
