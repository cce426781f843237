import fs from "node:fs";
import { join } from "node:path";
import { readJsonParts } from "../../table/json/parts.ts";
import type { JsonObject } from "../../table/json/value.ts";
import type { Preparation } from "../preparer.ts";
import { malformed, missingFile } from "../preparing/stop-preparing.ts";
import { writeJsonFile } from "../preparing/texts/json-file.ts";

export type Half = "train" | "test";

/** For messages, and relative to the raw folder. */
export function tableFile(table: string): string {
  return `train_data/${table}.json`;
}

/** The records of a table in the order of its file, one at a time: some tables have hundreds of megabytes. */
export function* tableRecords(preparation: Preparation, table: string): Generator<JsonObject> {
  const name = tableFile(table);
  const file = join(preparation.raw, name);
  if (!fs.existsSync(file)) missingFile(name);
  for (const part of readJsonParts(file)) {
    if (part.kind === "malformed") malformed(name, `is not JSON: ${part.problem}`);
    else if (part.key !== "" || part.kind === "member") malformed(name, "is not a JSON list");
    else if (part.kind === "element") {
      yield part.value instanceof Map ? part.value : malformed(name, "has an element that is not an object");
    }
  }
}

/** Writes a table of one half on a single line. */
export async function writeTable(
  preparation: Preparation,
  half: Half,
  table: string,
  records: Iterable<JsonObject>,
): Promise<void> {
  preparation.signal.throwIfAborted();
  preparation.progress({ what: `writing ${half}_data/${table}.json`, done: 0 });
  await writeJsonFile(preparation, join(preparation.public, `${half}_data`, `${table}.json`), records);
}

/** The records of a table that belong to one half. One that belongs to neither ends the preparation. */
export function* recordsOfHalf(
  preparation: Preparation,
  half: Half,
  table: string,
  halfOf: (record: JsonObject) => Half | undefined,
): Generator<JsonObject> {
  for (const record of tableRecords(preparation, table)) {
    const own = halfOf(record) ?? malformed(tableFile(table), "has a record that belongs to no known log");
    if (own === half) yield record;
  }
}
