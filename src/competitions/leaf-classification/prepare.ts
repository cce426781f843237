import fs from "node:fs";
import { join } from "node:path";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer } from "../preparer.ts";
import { moveFiles } from "../preparing/files/copy-files.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { headerWithout, openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { TARGETS } from "./targets.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const unpacked = await unpackRaw(preparation, "train.csv.zip");
    await unpackRaw(preparation, "images.zip");
    const csv = await openRawCsv(preparation, join(unpacked, "train.csv"));
    const [ids, species] = readColumns(csv, ["id", "species"]).map(plainTexts);
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);

    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.public, "test.csv"), rows: test, columns: headerWithout(csv, "species") },
      {
        path: join(preparation.private, "test.csv"),
        rows: test,
        columns: [
          "id",
          ...TARGETS.map((name) => ({ name, cell: (row: number) => (species[row] === name ? "1" : "0") })),
        ],
      },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["id", ...TARGETS.map((name) => ({ name, value: "0.010101010101010102" }))],
      },
    ]);
    await moveFiles(
      preparation,
      "placing images",
      [...new Set(ids)].map((id) => [
        join(unpacked, "images", `${id}.jpg`),
        join(preparation.public, "images", `${id}.jpg`),
      ]),
    );
    fs.mkdirSync(join(preparation.private, "images"));
    const known = new Set<string>(TARGETS);
    const others = [...new Set(species)].filter((name) => !known.has(name)).sort(compareCodePoints);
    if (others.length > 0) preparation.warn(`train.csv has species without a column: ${others.join(", ")}`);
  },
});
