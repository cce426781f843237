import type { CsvCell, CsvColumnKind } from "../../table/csv/writer.ts";
import type { JsonObject, JsonValue } from "../../table/json/value.ts";
import { floatText } from "../../table/python-text.ts";
import { malformed } from "../preparing/stop-preparing.ts";
import type { StoredRecords } from "../preparing/texts/stored-json.ts";

/** What pandas makes of a column: "mixed" keeps each value as it is, "nothing" was null or missing everywhere and is NaN. */
type ColumnKind = "int" | "float" | "bool" | "mixed" | "nothing";

/** Records as they come back from a pandas table: each has all columns, and a column has one type wherever possible. */
export interface RecordTable extends Iterable<JsonObject> {
  readonly length: number;
  at(row: number): JsonObject;
  kindOf(column: string): ColumnKind;
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

interface Tally {
  ints: number;
  floats: number;
  bools: number;
  nulls: number;
  others: number;
  lowest: bigint;
  highest: bigint;
}

/**
 * Types records as pandas does with a list of dictionaries. An int becomes a float wherever any record has a float, null or nothing in
 * that column; a missing key becomes NaN. One pass over all records comes first, since types are decided before rows are chosen.
 */
export function recordTable(records: StoredRecords): RecordTable {
  const tallies = new Map<string, Tally>();
  for (const record of records) {
    for (const [key, value] of record) {
      let tally = tallies.get(key);
      if (!tally) {
        tally = { ints: 0, floats: 0, bools: 0, nulls: 0, others: 0, lowest: 0n, highest: 0n };
        tallies.set(key, tally);
      }
      count(tally, value);
    }
  }
  const kinds = new Map(
    [...tallies].map(([key, tally]) => [key, columnKind(tally, records.length)] as const),
  );
  const at = (row: number): JsonObject => {
    const record = records.at(row);
    return new Map([...kinds].map(([key, kind]) => [key, typed(record.get(key), kind)]));
  };
  return {
    length: records.length,
    at,
    kindOf: (column) => kinds.get(column) ?? "nothing",
    *[Symbol.iterator]() {
      for (let row = 0; row < records.length; row++) yield at(row);
    },
  };
}

/** The column's kind in a CSV file. */
export function csvKind(kind: ColumnKind): CsvColumnKind {
  if (kind === "mixed") return "text";
  return kind === "nothing" ? "float" : kind;
}

/** A value of the table as a cell of a CSV file; null, NaN and a key that is not there are missing. */
export function csvCell(value: JsonValue | undefined, kind: ColumnKind, file: string): CsvCell {
  if (value === undefined || value === null || Number.isNaN(value)) return null;
  if (typeof value === "object")
    return malformed(file, "has a list or an object where a plain value belongs");
  return kind === "mixed" ? scalarText(value) : value;
}

/** A plain value as Python's `str` prints it. */
export function scalarText(value: string | number | bigint | boolean): string {
  if (typeof value === "number") return floatText(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}

function count(tally: Tally, value: JsonValue): void {
  if (typeof value === "bigint") {
    tally.ints++;
    if (value < tally.lowest) tally.lowest = value;
    if (value > tally.highest) tally.highest = value;
  } else if (typeof value === "number") tally.floats++;
  else if (typeof value === "boolean") tally.bools++;
  else if (value === null) tally.nulls++;
  else tally.others++;
}

function columnKind(tally: Tally, rows: number): ColumnKind {
  const { ints, floats, bools, nulls, others, lowest, highest } = tally;
  const missing = rows - ints - floats - bools - nulls - others;
  if (ints === rows) return "int";
  if (bools === rows) return "bool";
  if (others > 0 || bools > 0) return "mixed";
  if (ints + floats === 0) return missing > 0 ? "nothing" : "mixed";
  const fits64Bits = lowest >= INT64_MIN && highest <= (lowest < 0n ? INT64_MAX : UINT64_MAX);
  return fits64Bits ? "float" : "mixed";
}

function typed(value: JsonValue | undefined, kind: ColumnKind): JsonValue {
  if (value === undefined || kind === "nothing") return Number.NaN;
  if (kind !== "float") return value;
  return value === null ? Number.NaN : Number(value);
}
