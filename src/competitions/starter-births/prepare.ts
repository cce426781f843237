import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";

/**
 * One year is held out and all that follows left out, as a forecaster would have it. Not 1988, the last year of the
 * data: the methods of the baseline were chosen while its scores on that year could be seen.
 */
export const preparer = definePreparer({
  settings: { test_year: 1986 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "births.csv"));
    const [dates] = readColumns(csv, ["date"]).map(plainTexts);
    const { test_year } = preparation.settings;
    const year = (row: number) => Number(dates[row].slice(0, 4));
    const test = rowsWhere(csv.rowCount, (row) => year(row) === test_year);
    const train = rowsWhere(csv.rowCount, (row) => year(row) < test_year);
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
