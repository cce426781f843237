import { join } from "node:path";
import { isNumeric } from "../../table/columns/column.ts";
import { floatText } from "../../table/python-text.ts";
import { definePreparer } from "../preparer.ts";
import { copyNamed, copyTree } from "../preparing/files/copy-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, type RawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";

const VOTES = ["seizure_vote", "lpd_vote", "gpd_vote", "lrda_vote", "grda_vote", "other_vote"];

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const { raw, public: open } = preparation;
    const csv = await openRawCsv(preparation, join(raw, "train.csv"));
    const [eegs, spectrograms] = readColumns(csv, ["eeg_id", "spectrogram_id"]).map(plainTexts);
    const distinct = [...new Set(spectrograms)];
    const split = splitItems(distinct.length, preparation.settings.test_size);
    const testIds = new Set(Array.from(split.test, (i) => distinct[i]));
    const train = rowsWhere(csv.rowCount, (row) => !testIds.has(spectrograms[row]));
    const test = rowsWhere(csv.rowCount, (row) => testIds.has(spectrograms[row]));

    await writeRows(preparation, csv, [
      { path: join(open, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      { path: join(open, "test.csv"), rows: test, columns: ["spectrogram_id", "eeg_id", "patient_id"] },
      {
        path: join(preparation.private, "gold_submission.csv"),
        rows: test,
        columns: ["eeg_id", ...shares(csv)],
      },
      {
        path: join(open, "sample_submission.csv"),
        rows: test,
        columns: ["eeg_id", ...VOTES.map((name) => ({ name, value: "0.16666666666666666" }))],
      },
    ]);

    for (const [side, rows] of Object.entries({ train, test })) {
      for (const [kind, ids] of Object.entries({ eegs, spectrograms })) {
        const files = new Set(Array.from(rows, (row) => `${ids[row]}.parquet`));
        await copyNamed(preparation, join(raw, `train_${kind}`), join(open, `${side}_${kind}`), [...files]);
      }
    }
    await copyTree(preparation, join(raw, "example_figures"), join(open, "example_figures"));
  },
});

/** Each kind of vote as its share of the votes of its row; nothing at all where nobody voted. */
function shares(csv: RawCsv): { name: string; cell: (row: number) => string }[] {
  const votes = readColumns(csv, VOTES).map((column) =>
    isNumeric(column)
      ? column.numbers
      : malformed(csv.name, `has votes that are not numbers in ${column.name}`),
  );
  const total = (row: number) =>
    votes.reduce((sum, { [row]: count }) => (Number.isNaN(count) ? sum : sum + count), 0);
  return VOTES.map((name, i) => ({
    name,
    cell: (row) => {
      const share = votes[i][row] / total(row);
      return Number.isNaN(share) ? "" : floatText(share);
    },
  }));
}
