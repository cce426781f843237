import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyFiles } from "../preparing/files/copy-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

/** Listed under two chains, so that its label is not known. */
const AMBIGUOUS = "ce27d36c9147cc19.jpg";

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const [images, chains] = readColumns(csv, ["image", "chain"]).map(plainTexts);
    const kept = rowsWhere(csv.rowCount, (row) => images[row] !== AMBIGUOUS);
    const split = splitItems(kept.length, preparation.settings.test_size);
    const [train, test] = [split.train, split.test].map((half) => half.map((position) => kept[position]));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["image", { name: "hotel_id", value: "36363 53586 18807 64314 60181" }],
      },
    ]);
    const source = (row: number) => join("train_images", chains[row], images[row]);
    const copies = [
      ...Array.from(train, (row) => [source(row), source(row)]),
      ...Array.from(test, (row) => [source(row), join("test_images", images[row])]),
    ];
    await copyFiles(
      preparation,
      "copying images",
      copies.map(([from, to]) => [join(preparation.raw, from), join(preparation.public, to)]),
    );
  },
});
