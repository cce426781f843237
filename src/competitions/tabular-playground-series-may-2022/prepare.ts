import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { openRawCsv } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

/** Ids are given anew: train from 0, test behind it. */
export const preparer = definePreparer({
  settings: { test_size: 100_000 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    const idFrom = (first: number) => ({
      name: "id",
      cell: (_: number, position: number) => String(first + position),
    });
    const renumbered = (first: number) => csv.header.map((name) => (name === "id" ? idFrom(first) : name));
    const testColumns = renumbered(train.length);
    const testId = idFrom(train.length);
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: renumbered(0) },
      {
        path: join(preparation.public, "test.csv"),
        rows: test,
        columns: testColumns.filter((column) => column !== "target"),
      },
      { path: join(preparation.private, "test.csv"), rows: test, columns: testColumns },
      { path: join(preparation.private, "gold_submission.csv"), rows: test, columns: [testId, "target"] },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: [testId, { name: "target", value: "0.5" }],
      },
    ]);
  },
});
