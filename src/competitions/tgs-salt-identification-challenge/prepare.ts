import { join } from "node:path";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer } from "../preparer.ts";
import { moveFiles } from "../preparing/files/copy-files.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.25 },
  async prepare(preparation) {
    const unpacked = join(await unpackRaw(preparation, "competition_data.zip"), "competition_data");
    const csv = await openRawCsv(preparation, join(unpacked, "train.csv"));
    const [ids] = readColumns(csv, ["id"]).map(plainTexts);
    const split = splitItems(csv.rowCount, preparation.settings.test_size);
    const [train, test] = [split.train, split.test].map((rows) =>
      rows.toSorted((a, b) => compareCodePoints(ids[a], ids[b])),
    );
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["id", { name: "rle_mask", value: "1 1" }],
      },
    ]);

    const depths = await openRawCsv(preparation, join(preparation.raw, "depths.csv"));
    const [depthIds] = readColumns(depths, ["id"]).map(plainTexts);
    const inTrain = new Set(Array.from(train, (row) => ids[row]));
    const depthRows = Array.from(depthIds.keys())
      .filter((row) => inTrain.has(depthIds[row]))
      .sort((a, b) => compareCodePoints(depthIds[a], depthIds[b]));
    await writeRows(preparation, depths, [
      {
        path: join(preparation.public, "depths.csv"),
        rows: Uint32Array.from(depthRows),
        columns: depths.header,
      },
    ]);

    const moves = (rows: Uint32Array, kind: string, half: string) =>
      Array.from(rows, (row) => {
        const file = join(kind, `${ids[row]}.png`);
        return [join(unpacked, "train", file), join(preparation.public, half, file)] as const;
      });
    await moveFiles(preparation, "placing images", [
      ...moves(train, "images", "train"),
      ...moves(train, "masks", "train"),
      ...moves(test, "images", "test"),
    ]);
  },
});
