import fs from "node:fs";
import { join } from "node:path";
import { type ChunkedFile, createChunkedFile } from "../../table/csv/chunked-file.ts";
import { pandasJson } from "../../table/json/pandas-json.ts";
import type { JsonObject, JsonValue } from "../../table/json/value.ts";
import { floatText } from "../../table/python-text.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { pause } from "../preparing/pause.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed, missingFile } from "../preparing/stop-preparing.ts";
import { asPandasRows, readRecord } from "../preparing/texts/pandas-records.ts";
import { readLines } from "../preparing/texts/text-lines.ts";
import { goldAnswers } from "./gold-answers.ts";

const SOURCE = "simplified-nq-train.jsonl";
const BLOCK_LINES = 1000;
const TEST_KEYS = ["example_id", "question_text", "document_text", "long_answer_candidates"];

interface Outputs {
  readonly train: ChunkedFile;
  readonly test: ChunkedFile;
  readonly answers: ChunkedFile;
  readonly gold: [id: string, prediction: string][];
}

/** Each block of a thousand lines is split by itself, all with the same seed. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const source = join(preparation.raw, SOURCE);
    if (!fs.existsSync(source)) missingFile(SOURCE);
    const outputs: Outputs = {
      train: createChunkedFile(join(preparation.public, SOURCE)),
      test: createChunkedFile(join(preparation.public, "simplified-nq-test.jsonl")),
      answers: createChunkedFile(join(preparation.private, "test.jsonl")),
      gold: [],
    };
    try {
      await splitBlocks(preparation, source, outputs);
    } finally {
      for (const file of [outputs.train, outputs.test, outputs.answers]) file.close();
    }
    const table = columns({ example_id: "text", PredictionString: "text" });
    writeCsv(join(preparation.private, "gold_submission.csv"), table, outputs.gold);
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      table,
      outputs.gold.map(([id]) => [id, ""]),
    );
  },
});

async function splitBlocks(
  preparation: Preparation<{ test_size: number }>,
  source: string,
  outputs: Outputs,
): Promise<void> {
  const total = fs.statSync(source).size;
  let block: JsonObject[] = [];
  let lines = 0;
  let done = 0;
  const finishBlock = async () => {
    if (block.length > 0) writeBlock(asPandasRows(block), preparation.settings.test_size, outputs);
    block = [];
    preparation.progress({ what: `splitting ${SOURCE}`, done, total, unit: "bytes" });
    await pause(preparation);
  };
  for (const bytes of readLines(source)) {
    const record = readRecord(SOURCE, bytes, ++lines);
    if (record) block.push(record);
    done += bytes.length + 1;
    if (lines % BLOCK_LINES === 0) await finishBlock();
  }
  await finishBlock();
}

function writeBlock(rows: JsonObject[], testSize: number, outputs: Outputs): void {
  for (const row of rows) row.set("example_id", pythonText(member(row, "example_id")));
  const split = splitItems(rows.length, testSize);
  for (const position of split.train) writeLine(outputs.train, rows[position]);
  for (const position of split.test) {
    const row = rows[position];
    writeLine(outputs.test, new Map(TEST_KEYS.map((key) => [key, member(row, key)])));
    writeLine(outputs.answers, row);
    const gold = goldAnswers(member(row, "annotations"));
    const id = member(row, "example_id");
    const { short, long } = gold ?? malformed(SOURCE, `has no usable annotation for example ${id}`);
    outputs.gold.push([`${id}_short`, short], [`${id}_long`, long]);
  }
}

function writeLine(file: ChunkedFile, record: JsonObject): void {
  file.write(`${pandasJson(record)}\n`);
}

function member(row: JsonObject, key: string): JsonValue {
  const value = row.get(key);
  return value === undefined ? malformed(SOURCE, `has no ${key} in a whole block of lines`) : value;
}

/** An id as Python's `str` prints it. */
function pythonText(value: JsonValue): string {
  return typeof value === "number" ? floatText(value) : String(value);
}
