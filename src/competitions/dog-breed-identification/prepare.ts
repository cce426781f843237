import { join } from "node:path";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer } from "../preparer.ts";
import { copyHalves } from "../preparing/files/copy-halves.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { TARGETS } from "./targets.ts";

const copyImages = copyHalves({
  from: "train",
  train: "train",
  test: "test",
  column: "id",
  name: (id) => `${id}.jpg`,
});

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "labels.csv"));
    const [breeds] = readColumns(csv, ["breed"]).map(plainTexts);
    const split = splitItems(csv.rowCount, preparation.settings.test_size);
    const oneHot = TARGETS.map((name) => ({
      name,
      cell: (row: number) => (breeds[row] === name ? "1" : "0"),
    }));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "labels.csv"), rows: split.train, columns: csv.header },
      { path: join(preparation.private, "test.csv"), rows: split.test, columns: ["id", ...oneHot] },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: split.test,
        columns: ["id", ...TARGETS.map((name) => ({ name, value: "0.008333333333333333" }))],
      },
    ]);
    await copyImages(preparation, { csv, ...split });
    const known = new Set(TARGETS);
    const others = [...new Set(breeds)].filter((breed) => !known.has(breed)).sort(compareCodePoints);
    if (others.length > 0) preparation.warn(`labels.csv has breeds without a column: ${others.join(", ")}`);
  },
});
