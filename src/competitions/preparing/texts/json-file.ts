import fs from "node:fs";
import path from "node:path";
import { createChunkedFile } from "../../../table/csv/chunked-file.ts";
import { readJson } from "../../../table/json/reader.ts";
import type { JsonObject, JsonSource, JsonValue } from "../../../table/json/value.ts";
import { type PythonJsonStyle, writeLongPythonJson } from "../../../table/json/writer.ts";
import type { Preparation } from "../../preparer.ts";
import { pause } from "../pause.ts";
import { malformed, missingFile } from "../stop-preparing.ts";

const PAUSE_EVERY = 8192;

/** A JSON file as Python reads it, all in memory: for files well below half a gigabyte. Larger ones go through `readJsonParts`. */
export function readJsonFile(file: string): JsonValue {
  const name = path.basename(file);
  if (!fs.existsSync(file)) missingFile(name);
  const outcome = readJson(fs.readFileSync(file, "utf8"));
  return outcome.ok
    ? outcome.value
    : malformed(name, `is not JSON: ${outcome.problem} at character ${outcome.offset}`);
}

/** A JSON file that must be a list of objects. */
export function readJsonRecords(file: string): JsonObject[] {
  const value = readJsonFile(file);
  const name = path.basename(file);
  if (!Array.isArray(value)) return malformed(name, "is not a JSON list");
  return value.map((record, i) =>
    record instanceof Map ? record : malformed(name, `has no object at position ${i}`),
  );
}

/** Writes a value as Python's `json.dump` does. Lists may be generators, so that a long one is never in memory as text. */
export async function writeJsonFile(
  preparation: Preparation,
  file: string,
  value: JsonSource,
  style: PythonJsonStyle = {},
): Promise<void> {
  const target = createChunkedFile(file);
  try {
    await writeLongPythonJson(value, target.write, style, {
      every: PAUSE_EVERY,
      take: () => pause(preparation),
    });
  } finally {
    target.close();
  }
}

/** A member of a record that must be a string. */
export function textMember(record: JsonObject, key: string, file: string): string {
  const value = record.get(key);
  return typeof value === "string" ? value : malformed(file, `has a record without the text ${key}`);
}
