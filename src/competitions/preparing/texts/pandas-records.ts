import { isUtf8 } from "node:buffer";
import { readJson } from "../../../table/json/reader.ts";
import type { JsonObject, JsonValue } from "../../../table/json/value.ts";
import { parsePythonFloat } from "../../../table/python-text.ts";
import { malformed } from "../stop-preparing.ts";

const INT64 = 2 ** 63;

/** One line of a JSON-lines file, which must be an object; `number` counts from 1. Null for a blank line, which pandas skips. */
export function readRecord(file: string, bytes: Buffer, number: number): JsonObject | null {
  if (!isUtf8(bytes)) malformed(file, `is not UTF-8 in line ${number}`);
  const text = bytes.toString("utf8");
  if (text.trim() === "") return null;
  const outcome = readJson(text, "pandas");
  if (!outcome.ok) return malformed(file, `is not JSON in line ${number}: ${outcome.problem}`);
  return outcome.value instanceof Map
    ? outcome.value
    : malformed(file, `has something other than an object in line ${number}`);
}

/** The keys of all records, in order of first appearance. */
export function recordColumns(records: readonly JsonObject[]): string[] {
  return [...new Set(records.flatMap((record) => [...record.keys()]))];
}

/**
 * Records as pandas holds them after `read_json(lines=True)`: each has every column, and the types of a column are unified. A column of numbers, or of
 * texts that all spell numbers, becomes integers where every value is integral, else floats. Values inside lists and objects are left alone.
 */
export function asPandasRows(records: readonly JsonObject[]): JsonObject[] {
  const rows = records.map((): JsonObject => new Map());
  for (const name of recordColumns(records)) {
    const column = asPandasColumn(records.map((record) => record.get(name) ?? null));
    for (let row = 0; row < rows.length; row++) rows[row].set(name, column[row]);
  }
  return rows;
}

function asPandasColumn(values: JsonValue[]): JsonValue[] {
  if (values.every((value) => typeof value === "bigint") && fitOneIntegerType(values)) return values;
  if (values.every((value) => typeof value === "boolean")) return values;
  const floats: number[] = [];
  for (const value of values) {
    const float = asFloat(value);
    if (float === null) return values;
    floats.push(float);
  }
  const integral = floats.every((float) => Number.isInteger(float) && float >= -INT64 && float < INT64);
  return integral ? floats.map(BigInt) : floats;
}

/** int64 or uint64 for all of them. Negative ones beside some beyond int64 find no such type and go the way of floats, digits lost. */
function fitOneIntegerType(values: readonly bigint[]): boolean {
  return !values.some((value) => value >= INT64) || values.every((value) => value >= 0n);
}

/** What numpy makes of a value when a column of objects is turned into floats; null if it refuses. */
function asFloat(value: JsonValue): number | null {
  switch (typeof value) {
    case "number":
      return value;
    case "bigint":
    case "boolean":
      return Number(value);
    case "string":
      return parsePythonFloat(value);
    default:
      return value === null ? Number.NaN : null;
  }
}
