import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { copyHalves } from "../preparing/files/copy-halves.ts";
import { openRawCsv } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const copyImages = copyHalves({
  from: "train",
  train: "train",
  test: "test",
  column: "image_id",
  // Millions of images: the first three characters of an id are the folders they lie in.
  name: (id) => join(...[...id].slice(0, 3), `${id}.png`),
});

export const preparer = definePreparer({
  settings: { test_size: 0.2 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train_labels.csv"), {
      defaultFloats: true,
    });
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train_labels.csv"), rows: train, columns: csv.header },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["image_id", { name: "InChI", value: "InChI=1S/H2O/h1H2" }],
      },
    ]);
    await copyNamed(preparation, preparation.raw, preparation.public, ["extra_approved_InChIs.csv"]);
    await copyImages(preparation, { csv, train, test });
  },
});
