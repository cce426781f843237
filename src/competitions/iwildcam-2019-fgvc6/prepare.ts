import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { packZip, unpackRaw } from "../preparing/files/nested-archive.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { headerWithout, openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const SEED = 8;

/** Camera locations go to one half or the other, so that test shows places never seen in training. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const [ids, locations] = readColumns(csv, ["id", "location"]).map(plainTexts);
    const distinct = [...new Set(locations)];
    const split = splitItems(distinct.length, preparation.settings.test_size, SEED);
    const testLocations = new Set(Array.from(split.test, (position) => distinct[position]));
    const test = rowsWhere(csv.rowCount, (row) => testLocations.has(locations[row]));
    const train = rowsWhere(csv.rowCount, (row) => !testLocations.has(locations[row]));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.public, "test.csv"), rows: test, columns: headerWithout(csv, "category_id") },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.private, "answers.csv"),
        rows: test,
        columns: [
          { name: "Id", from: "id" },
          { name: "Category", from: "category_id" },
        ],
      },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: [
          { name: "", cell: (row) => String(row) },
          { name: "Id", from: "id" },
          { name: "Category", value: "0" },
        ],
      },
    ]);
    const images = await unpackRaw(preparation, "train_images.zip", "train_images");
    for (const [half, rows] of Object.entries({ train, test })) {
      const names = new Set(Array.from(rows, (row) => `${ids[row]}.jpg`));
      const files = Array.from(names, (name) => [name, join(images, name)] as const);
      await packZip(preparation, join(preparation.public, `${half}_images.zip`), files);
    }
  },
});
