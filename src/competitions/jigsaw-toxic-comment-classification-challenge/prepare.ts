import { join } from "node:path";
import { definePreparer, type Preparation } from "../preparer.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { openRawCsv, type RawCsv } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";

const LABELS = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"];

/** No split: the labels of the original test set are known. Every file is read and written once more, which changes quotes and types. */
export const preparer = definePreparer({
  async prepare(preparation) {
    const train = await openNested(preparation, "train.csv");
    const test = await openNested(preparation, "test.csv");
    const answers = await openNested(preparation, "test_labels.csv");
    const sample = await openNested(preparation, "sample_submission.csv");
    await writeRows(preparation, train, [
      { path: join(preparation.public, "train.csv"), columns: train.header },
    ]);
    await writeRows(preparation, test, [
      { path: join(preparation.public, "test.csv"), columns: test.header },
    ]);
    await writeRows(preparation, answers, [
      { path: join(preparation.private, "test.csv"), columns: answers.header },
    ]);
    const half = (name: string) => (LABELS.includes(name) ? { name, value: "0.5" } : name);
    const names = new Set([...sample.header, ...LABELS]);
    await writeRows(preparation, sample, [
      { path: join(preparation.public, "sample_submission.csv"), columns: [...names].map(half) },
    ]);
  },
});

async function openNested(preparation: Preparation, name: string): Promise<RawCsv> {
  const unpacked = await unpackRaw(preparation, `${name}.zip`);
  return openRawCsv(preparation, join(unpacked, name));
}
