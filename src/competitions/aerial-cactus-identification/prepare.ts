import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { packZip, unpackRaw } from "../preparing/files/nested-archive.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.19 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: ["id", "has_cactus"] },
      { path: join(preparation.private, "test.csv"), rows: test, columns: ["id", "has_cactus"] },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["id", { name: "has_cactus", value: "0.5" }],
      },
    ]);

    const images = join(await unpackRaw(preparation, "train.zip"), "train");
    const [ids] = readColumns(csv, ["id"]).map(plainTexts);
    for (const [archive, rows] of Object.entries({ "train.zip": train, "test.zip": test })) {
      const names = new Set(Array.from(rows, (row) => ids[row]));
      const files = Array.from(names, (name) => [name, join(images, name)] as const);
      await packZip(preparation, join(preparation.public, archive), files);
    }
  },
});
