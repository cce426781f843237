import { join } from "node:path";
import { randint, randomState } from "../../random/numpy-legacy.ts";
import { definePreparer } from "../preparer.ts";
import { openRawCsv } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const SAMPLE_SEED = 42;

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    const generator = randomState(SAMPLE_SEED);
    const guesses = Array.from(test, () => String(randint(generator, 1, 7)));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.public, "test.csv"), rows: test, columns: ["essay_id", "full_text"] },
      { path: join(preparation.private, "answers.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["essay_id", { name: "score", cell: (_, position) => guesses[position] }],
      },
    ]);
  },
});
