import { join } from "node:path";
import { pythonRandom, pythonSample } from "../../random/python-random.ts";
import { definePreparer } from "../preparer.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";

/** About a third of what a test package needs is hidden, at least one and at most five. */
export const preparer = definePreparer({
  settings: { test_size: 2000, split_seed: STARTER_SPLIT_SEED },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "packages.csv"));
    const needs = plainTexts(readColumns(csv, ["needs"])[0]).map((list) => list.split(" "));
    const { test_size, split_seed } = preparation.settings;
    const { train, test } = splitItems(csv.rowCount, test_size, split_seed);
    const generator = pythonRandom(split_seed);
    const hidden = new Map(
      Array.from(test, (row) => {
        const count = Math.min(5, Math.floor(needs[row].length / 3));
        const drawn = pythonSample(generator, needs[row].length, Math.max(1, count));
        return [row, new Set(drawn)];
      }),
    );
    const part = (row: number, wanted: boolean) =>
      needs[row].filter((_, i) => hidden.get(row)!.has(i) === wanted).join(" ");
    const shown = { name: "needs", cell: (row: number) => part(row, false) };
    const missing = { name: "missing", cell: (row: number) => part(row, true) };
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      {
        path: join(preparation.public, "test.csv"),
        rows: test,
        columns: ["package_id", "name", "section", shown],
      },
      { path: join(preparation.private, "test.csv"), rows: test, columns: ["package_id", missing] },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["package_id", { name: "missing", value: "perl python3" }],
      },
    ]);
  },
});
