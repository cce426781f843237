import { join } from "node:path";
import { definePreparer, type Preparation } from "../preparer.ts";
import { copyNamed, copyTree } from "../preparing/files/copy-files.ts";
import { plainTexts, texts } from "../preparing/rows/column-values.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { keyOrder } from "../preparing/rows/key-order.ts";
import { openRawCsv, type RawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { groupRows, rowsWhere } from "../preparing/rows/row-choice.ts";
import { visitRows } from "../preparing/rows/scan-rows.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";

const DAY = 24 * 60 * 60 * 1000;

export const preparer = definePreparer({
  /** Both ends of the window are test, so seven days back makes eight days. */
  settings: { test_days: 7 },
  async prepare(preparation) {
    const { raw, public: open } = preparation;
    const csv = await openRawCsv(preparation, join(raw, "transactions_train.csv"));
    const days = await dayOfEachRow(preparation, csv);
    const lastDay = days.reduce((latest, day) => Math.max(latest, day), Number.NEGATIVE_INFINITY);
    const firstTestDay = lastDay - preparation.settings.test_days;
    const testRows = join(preparation.scratch, "test_rows.csv");
    await writeRows(preparation, csv, [
      {
        path: join(open, "transactions_train.csv"),
        rows: rowsWhere(csv.rowCount, (row) => days[row] < firstTestDay),
        columns: ["t_dat", "customer_id", "article_id", "price", "sales_channel_id"],
      },
      {
        path: testRows,
        rows: rowsWhere(csv.rowCount, (row) => days[row] >= firstTestDay),
        columns: ["customer_id", "article_id"],
      },
    ]);
    await writeAnswers(preparation, testRows, keyOrder(csv, "customer_id"));
    await copyNamed(preparation, raw, open, ["articles.csv", "customers.csv", "sample_submission.csv"]);
    await copyTree(preparation, join(raw, "images"), join(open, "images"));
  },
});

/** Days since 1970, one number a row: the dates themselves would take gigabytes. */
async function dayOfEachRow(preparation: Preparation, csv: RawCsv): Promise<Int32Array> {
  const days = new Int32Array(csv.rowCount);
  const known = new Map<string | null, number>();
  await visitRows(preparation, csv, ["t_dat"], ([date], row) => {
    let day = known.get(date);
    if (day === undefined) {
      day = dayNumber(date ?? "") ?? malformed(csv.name, `has no date in t_dat of row ${row + 1}`);
      known.set(date, day);
    }
    days[row] = day;
  });
  return days;
}

function dayNumber(date: string): number | null {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? null : time / DAY;
}

/** What each customer bought, in the order of the transactions. Article numbers have lost their leading zeros by now, as in the original. */
async function writeAnswers(
  preparation: Preparation,
  testRows: string,
  order: (a: string, b: string) => number,
): Promise<void> {
  const kinds = { customer_id: "text", article_id: "text" } as const;
  const csv = await openRawCsv(preparation, testRows, { kinds });
  const [customer, article] = readColumns(csv, ["customer_id", "article_id"]);
  const bought = groupRows(texts(customer));
  const articles = plainTexts(article);
  const customers = [...bought.keys()].filter((id) => id !== null).sort(order);
  writeCsv(
    join(preparation.private, "answers.csv"),
    columns({ customer_id: "text", prediction: "text" }),
    customers.map((id) => [
      id,
      bought
        .get(id)!
        .map((row) => articles[row])
        .join(" "),
    ]),
  );
}
