import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyFiles } from "../preparing/files/copy-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { requireColumnSet, requireUnique } from "../preparing/rows/raw-checks.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const CLASSES = ["healthy", "multiple_diseases", "rust", "scab"];

/** Images are numbered anew in the order of each half; old and new numbers overlap, so names are never changed in place. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    requireColumnSet(csv, ["image_id", ...CLASSES]);
    const [ids] = readColumns(csv, ["image_id"]).map(plainTexts);
    requireUnique(csv, "image_id", ids);
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    const renamed = (prefix: string) => ({
      name: "image_id",
      cell: (_: number, position: number) => `${prefix}_${position}`,
    });
    const withNewIds = (prefix: string) =>
      csv.header.map((name) => (name === "image_id" ? renamed(prefix) : name));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: withNewIds("Train") },
      { path: join(preparation.public, "test.csv"), rows: test, columns: [renamed("Test")] },
      { path: join(preparation.private, "test.csv"), rows: test, columns: withNewIds("Test") },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: [renamed("Test"), ...CLASSES.map((name) => ({ name, value: "0.25" }))],
      },
    ]);
    for (const [prefix, rows] of Object.entries({ Train: train, Test: test })) {
      const images = Array.from(rows, (row, position) => {
        const to = join(preparation.public, "images", `${prefix}_${position}.jpg`);
        return [join(preparation.raw, "images", `${ids[row]}.jpg`), to] as const;
      });
      await copyFiles(preparation, "copying images", images);
    }
  },
});
