import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyFiles } from "../preparing/files/copy-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

export const preparer = definePreparer({
  // The size of the training half is what is fixed here: it is rounded down, and test gets the rest.
  settings: { train_size: 0.75 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const [ids, labels] = readColumns(csv, ["image_id", "label"]).map(plainTexts);
    const trainFraction = preparation.settings.train_size;
    const { train, test } = splitItems(csv.rowCount, { trainFraction });
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["image_id", { name: "label", value: "" }],
      },
    ]);
    const image = (row: number) => join("train_images", labels[row], ids[row]);
    await copyFiles(
      preparation,
      "copying images",
      Array.from(train, (row) => [join(preparation.raw, image(row)), join(preparation.public, image(row))]),
    );
    await copyFiles(
      preparation,
      "copying images",
      Array.from(test, (row) => [
        join(preparation.raw, image(row)),
        join(preparation.public, "test_images", ids[row]),
      ]),
    );
  },
});
