import { join } from "node:path";
import { type Column, isMissing } from "../../table/columns/column.ts";
import { floatText } from "../../table/python-text.ts";
import { definePreparer } from "../preparer.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { TARGETS } from "./targets.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const [spelling] = readColumns(csv, ["question_type_spelling"]);
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    giveTestASpellingQuestion(train, test, spelling);

    const labels = new Set(TARGETS);
    const features = csv.header.filter((name) => !labels.has(name));
    // Multiplying by the step, as numpy's linspace does, differs from dividing in the last digit of some rows.
    const step = 1 / (test.length - 1);
    const rising = (_: number, position: number) => {
      if (position === 0) return "0.0";
      return position === test.length - 1 ? "1.0" : floatText(position * step);
    };
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.public, "test.csv"), rows: test, columns: features },
      { path: join(preparation.private, "test.csv"), rows: test, columns: ["qa_id", ...TARGETS] },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["qa_id", ...TARGETS.map((name) => ({ name, cell: rising }))],
      },
    ]);
  },
});

/**
 * A constant label has no rank correlation. When the rare spelling label is constant in the test half, its first row
 * changes places with the first training row whose label is not 0; a missing label counts as not 0 there.
 */
function giveTestASpellingQuestion(train: Uint32Array, test: Uint32Array, spelling: Column): void {
  const present = Array.from(test).filter((row) => !isMissing(spelling, row));
  if (new Set(present.map((row) => spelling.numbers[row])).size !== 1) return;
  const found = train.findIndex((row) => spelling.numbers[row] !== 0);
  if (found >= 0) [train[found], test[0]] = [test[0], train[found]];
}
