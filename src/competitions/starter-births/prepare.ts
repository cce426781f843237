import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { plainTexts } from "../preparing/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/raw-csv.ts";
import { rowsWhere } from "../preparing/row-choice.ts";
import { writeRows } from "../preparing/write-rows.ts";

export const preparer = definePreparer({
  settings: { test_year: 1988 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "births.csv"));
    const [dates] = readColumns(csv, ["date"]).map(plainTexts);
    const isTest = (row: number) => Number(dates[row].slice(0, 4)) >= preparation.settings.test_year;
    const test = rowsWhere(csv.rowCount, isTest);
    const train = rowsWhere(csv.rowCount, (row) => !isTest(row));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.public, "test.csv"), rows: test, columns: ["date"] },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["date", { name: "births", value: "9000" }],
      },
    ]);
  },
});
