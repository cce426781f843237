import { join } from "node:path";
import { type Column, cellText } from "../../../table/columns/column.ts";
import { definePreparer, type Preparation, type Preparer } from "../../preparer.ts";
import { packZip, unpackRaw } from "../files/nested-archive.ts";
import { publishSample } from "../files/publish-sample.ts";
import { openRawCsv, readColumns } from "../rows/raw-csv.ts";
import { rowsWhere } from "../rows/row-choice.ts";
import { writeRows } from "../rows/write-rows.ts";
import { splitItems } from "./split-rows.ts";

type SentencePreparation = Preparation<{ test_size: number }>;

/**
 * The preparation of the two text normalization competitions, whose files differ only in their prefix. Whole sentences go to either side and
 * are numbered anew there. A token spelled like a missing value (`NA`, `null`, …) comes out empty, although the raw file quotes it.
 */
export function splitSentences(prefix: "en" | "ru"): Preparer {
  const prepare = (preparation: SentencePreparation) => prepareTokens(preparation, prefix);
  return definePreparer({
    settings: { test_size: 0.1 },
    prepare,
    async prepareV2(preparation: SentencePreparation) {
      await prepare(preparation);
      await publishSample(preparation);
    },
  });
}

async function prepareTokens(preparation: SentencePreparation, prefix: string): Promise<void> {
  const unpacked = await unpackRaw(preparation, `${prefix}_train.csv.zip`, "raw");
  const csv = await openRawCsv(preparation, join(unpacked, `${prefix}_train.csv`));
  const [sentenceIds, tokens] = readColumns(csv, ["sentence_id", "token_id"]);
  const { sentenceOf, count } = numberSentences(sentenceIds);
  const { isTest, renumbered } = splitAndRenumber(count, preparation.settings.test_size);

  const sentence = (row: number) => String(renumbered[sentenceOf[row]]);
  const newSentence = { name: "sentence_id", cell: sentence, numeric: true };
  const id = { name: "id", cell: (row: number) => `${sentence(row)}_${cellText(tokens, row)}` };
  const train = rowsWhere(csv.rowCount, (row) => isTest[sentenceOf[row]] === 0);
  const test = rowsWhere(csv.rowCount, (row) => isTest[sentenceOf[row]] === 1);
  const sample = join(preparation.private, "sample_submission.csv");
  const packed = (name: string) => join(preparation.scratch, `${prefix}_${name}.csv`);
  await writeRows(
    preparation,
    csv,
    [
      {
        path: packed("train"),
        rows: train,
        columns: [newSentence, "token_id", "class", "before", "after"],
      },
      { path: packed("test_2"), rows: test, columns: [newSentence, "token_id", "before"] },
      { path: join(preparation.private, "answers.csv"), rows: test, columns: [id, "after"] },
      { path: sample, rows: test, columns: [id, { name: "after", from: "before" }] },
    ],
    { quoting: "nonnumeric" },
  );
  for (const [name, file] of [
    ["train", packed("train")],
    ["test_2", packed("test_2")],
    ["sample_submission_2", sample],
  ]) {
    const member = `${prefix}_${name}.csv`;
    await packZip(preparation, join(preparation.public, `${member}.zip`), [[member, file]], "store");
  }
}

/** For each row the number of its sentence, counted by first appearance. */
function numberSentences(ids: Column): { sentenceOf: Uint32Array; count: number } {
  const numbers = new Map<string, number>();
  const sentenceOf = new Uint32Array(ids.length);
  for (let row = 0; row < ids.length; row++) {
    const id = cellText(ids, row);
    const known = numbers.get(id) ?? numbers.size;
    if (known === numbers.size) numbers.set(id, known);
    sentenceOf[row] = known;
  }
  return { sentenceOf, count: numbers.size };
}

/** Which sentences are for the test, and the new number of each on its side. */
function splitAndRenumber(count: number, testSize: number): { isTest: Uint8Array; renumbered: Uint32Array } {
  const isTest = new Uint8Array(count);
  for (const sentence of splitItems(count, testSize).test) isTest[sentence] = 1;
  const renumbered = new Uint32Array(count);
  const next = [0, 0];
  for (let sentence = 0; sentence < count; sentence++) renumbered[sentence] = next[isTest[sentence]]++;
  return { isTest, renumbered };
}
