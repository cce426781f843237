import { join } from "node:path";
import { roundHalfEven } from "../../metrics/arithmetic/rounding.ts";
import { defaultRng, pcgUniform } from "../../random/numpy-pcg64.ts";
import { floatText } from "../../table/python-text.ts";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { headerWithout, openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const [ids] = readColumns(csv, ["Id"]).map(plainTexts);
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    const generator = defaultRng(0);
    const guesses = Array.from(test, () =>
      floatText(roundHalfEven(pcgUniform(generator, 1, 100) * 100) / 100),
    );
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.public, "test.csv"), rows: test, columns: headerWithout(csv, "Pawpularity") },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["Id", { name: "Pawpularity", cell: (_, position) => guesses[position] }],
      },
    ]);
    for (const [folder, rows] of Object.entries({ train, test })) {
      const images = Array.from(rows, (row) => `${ids[row]}.jpg`);
      await copyNamed(preparation, join(preparation.raw, "train"), join(preparation.public, folder), images);
    }
  },
});
