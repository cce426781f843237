import fs from "node:fs";
import { join } from "node:path";
import { createChunkedFile } from "../../table/csv/chunked-file.ts";
import type { CsvCell } from "../../table/csv/writer.ts";
import { pandasJson } from "../../table/json/pandas-json.ts";
import type { JsonObject, JsonValue } from "../../table/json/value.ts";
import { definePreparer } from "../preparer.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { sampleItems } from "../preparing/splits/sample-items.ts";
import { malformed, missingFile } from "../preparing/stop-preparing.ts";
import { asPandasRows, readRecord, recordColumns } from "../preparing/texts/pandas-records.ts";
import { readLines } from "../preparing/texts/text-lines.ts";

/** In the order of the tables, which is not that of the raw objects. */
const TARGETS = ["reactivity", "deg_Mg_pH10", "deg_pH10", "deg_Mg_50C", "deg_50C"];
const TABLE = { id_seqpos: "text", ...Object.fromEntries(TARGETS.map((name) => [name, "float"])) } as const;
const TEN_DECIMALS = { floats: "%.10f" } as const;

/** The test sequences are drawn from those of good quality only. Both sides keep the order of the raw file. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare({ raw, public: open, private: secret, settings }) {
    const rows = asPandasRows(readRecords(join(raw, "train.json"), "train.json"));
    const testColumns = recordColumns(readRecords(join(raw, "test.json"), "test.json"));
    const candidates = rows.filter((row) => Number(row.get("SN_filter")) > 0);
    const count = Math.trunc(settings.test_size * rows.length);
    const drawn = sampleItems(candidates.length, { count });
    const chosen = new Set(Array.from(drawn, (position) => candidates[position]));
    const train = rows.filter((row) => !chosen.has(row));
    const test = rows.filter((row) => chosen.has(row));

    writeRecords(join(open, "train.json"), train);
    writeRecords(
      join(open, "test.json"),
      test.map((row) => new Map(testColumns.map((name) => [name, member(row, name)]))),
    );
    const answers = test.flatMap(positionRows);
    writeCsv(join(secret, "test.csv"), columns({ ...TABLE, keep: "bool" }), answers, TEN_DECIMALS);
    writeCsv(
      join(open, "sample_submission.csv"),
      columns(TABLE),
      answers.map(([id]) => [id, ...TARGETS.map(() => 0)]),
      TEN_DECIMALS,
    );
  },
});

function readRecords(file: string, name: string): JsonObject[] {
  if (!fs.existsSync(file)) missingFile(name);
  const records: JsonObject[] = [];
  let lines = 0;
  for (const bytes of readLines(file)) {
    const record = readRecord(name, bytes, ++lines);
    if (record) records.push(record);
  }
  return records;
}

/** Writes JSON lines with the rows numbered anew. */
function writeRecords(file: string, rows: readonly JsonObject[]): void {
  const target = createChunkedFile(file);
  try {
    for (const [number, row] of rows.entries())
      target.write(`${pandasJson(new Map(row).set("index", BigInt(number)))}\n`);
  } finally {
    target.close();
  }
}

/** A table row for each position of a sequence. Beyond the scored ones the targets are unknown: zeros that are not to be graded. */
function positionRows(row: JsonObject): CsvCell[][] {
  const id = member(row, "id");
  const scored = Number(member(row, "seq_scored"));
  const lists = TARGETS.map((name) => {
    const values = member(row, name);
    if (!Array.isArray(values) || values.length !== scored)
      return malformed("train.json", `has no list of ${scored} values of ${name} for sequence ${id}`);
    return values.map((value) => (value === null ? null : Number(value)));
  });
  const length = Number(member(row, "seq_length"));
  return Array.from({ length }, (_, position) => {
    const keep = position < scored;
    return [`${id}_${position}`, ...lists.map((values) => (keep ? values[position] : 0)), keep];
  });
}

function member(row: JsonObject, key: string): JsonValue {
  const value = row.get(key);
  return value === undefined ? malformed("train.json", `has no ${key}`) : value;
}
