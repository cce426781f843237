import { join } from "node:path";
import { defaultRng, pcgDouble } from "../../random/numpy-pcg64.ts";
import { pandasSample } from "../../random/pandas-sample.ts";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { groupRows, rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const NEW_WHALE = "new_whale";
const SAMPLE = "new_whale w_1287fbc w_98baff9 w_7554f44 w_1eafe46";

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const [images, whales] = readColumns(csv, ["Image", "Id"]).map(plainTexts);
    const isTest = assignRows(whales, preparation.settings.test_size);
    const test = rowsWhere(csv.rowCount, (row) => isTest[row] === 1);
    const train = rowsWhere(csv.rowCount, (row) => isTest[row] === 0);
    const known = new Set(Array.from(train, (row) => whales[row]));
    const answer = {
      name: "Id",
      cell: (row: number) => (known.has(whales[row]) ? whales[row] : NEW_WHALE),
    };
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      {
        path: join(preparation.private, "test.csv"),
        rows: test,
        columns: csv.header.map((name) => (name === "Id" ? answer : name)),
      },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["Image", { name: "Id", value: SAMPLE }],
      },
    ]);
    for (const [folder, rows] of Object.entries({ train, test })) {
      const names = Array.from(rows, (row) => images[row]);
      await copyNamed(preparation, join(preparation.raw, "train"), join(preparation.public, folder), names);
    }
  },
});

/**
 * 1 for the rows that go to test. A whale with several images has one in each half for certain, chosen by a generator
 * seeded anew for each whale; a whale with one image is drawn; what is left is split as usual.
 */
function assignRows(whales: string[], testSize: number): Uint8Array {
  const isTest = new Uint8Array(whales.length);
  const decided = new Uint8Array(whales.length);
  const decide = (row: number, test: boolean) => {
    decided[row] = 1;
    isTest[row] = test ? 1 : 0;
  };
  const generator = defaultRng(0);
  for (const rows of groupRows(whales).values()) {
    if (rows.length === 1) decide(rows[0], pcgDouble(generator) >= 0.9);
    else {
      const [forTrain, forTest] = pandasSample(rows.length, { count: 2 }, 0)!;
      decide(rows[forTrain], false);
      decide(rows[forTest], true);
    }
  }
  const rest = rowsWhere(whales.length, (row) => decided[row] === 0);
  if (rest.length > 0)
    for (const position of splitItems(rest.length, testSize).test) isTest[rest[position]] = 1;
  return isTest;
}
