import fs from "node:fs";
import path from "node:path";
import { createChunkedFile } from "../../../table/csv/chunked-file.ts";
import { readJsonParts } from "../../../table/json/parts.ts";
import { readJson } from "../../../table/json/reader.ts";
import type { JsonObject, JsonSource, JsonValue } from "../../../table/json/value.ts";
import { pythonJson } from "../../../table/json/writer.ts";
import type { Preparation } from "../../preparer.ts";
import { pause } from "../pause.ts";
import { malformed, missingFile } from "../stop-preparing.ts";

const PAUSE_EVERY = 8192;

/** A list of records that lies on disk. Each access makes a new object, which the caller may change. */
export interface StoredRecords extends Iterable<JsonObject> {
  readonly length: number;
  at(position: number): JsonObject;
}

/** The outer object of a JSON file. */
export interface StoredJson {
  /** Relative to the raw folder, for messages. */
  readonly name: string;
  /** All members in the order of the file, ready to be written; lists are read from disk as they are iterated. */
  readonly members: ReadonlyMap<string, JsonSource>;
  /** A member that must be a list of objects. */
  records(key: string): StoredRecords;
  /** A member that must be there, whatever it is. */
  member(key: string): JsonSource;
}

interface StoredList extends Iterable<JsonValue> {
  readonly length: number;
  at(position: number): JsonValue;
}

/** Where a list lies in the spool: the start of each element, and where the last one ends. */
interface ListPlace {
  readonly starts: number[];
  end: number;
}

/**
 * Opens a raw JSON file whose lists may fit neither a string nor memory: one pass copies their elements to a spool in the scratch folder, from
 * where they can be had in any order. Millions of records as objects would take several gigabytes; here each costs eight bytes.
 */
export async function withStoredJson(
  preparation: Preparation,
  file: string,
  encoding: "utf8" | "latin1",
  use: (json: StoredJson) => Promise<void>,
): Promise<void> {
  const name = path.relative(preparation.raw, file);
  if (!fs.existsSync(file)) missingFile(name);
  const spool = path.join(preparation.scratch, `${path.basename(file)}.spool`);
  const { places, others } = await fillSpool(preparation, file, name, encoding, spool);
  const descriptor = fs.openSync(spool, "r");
  try {
    const lists = new Map<string, StoredList>();
    const members = new Map<string, JsonSource>();
    for (const [key, value] of others) {
      const place = places.get(key);
      if (place) lists.set(key, openList(descriptor, place));
      members.set(key, lists.get(key) ?? value);
    }
    await use({
      name,
      members,
      records: (key) => openRecords(name, key, lists.get(key) ?? malformed(name, `has no list ${key}`)),
      member: (key) => (members.has(key) ? members.get(key)! : malformed(name, `has no member ${key}`)),
    });
  } finally {
    fs.closeSync(descriptor);
    fs.rmSync(spool);
  }
}

/** A repeated key keeps its first place and its last value, as everywhere in Python. */
async function fillSpool(
  preparation: Preparation,
  file: string,
  name: string,
  encoding: "utf8" | "latin1",
  spool: string,
): Promise<{ places: Map<string, ListPlace>; others: Map<string, JsonValue> }> {
  const places = new Map<string, ListPlace>();
  const others = new Map<string, JsonValue>();
  const target = createChunkedFile(spool);
  let used = 0;
  let done = 0;
  let place: ListPlace = { starts: [], end: 0 };
  try {
    for (const part of readJsonParts(file, encoding)) {
      switch (part.kind) {
        case "malformed":
          return malformed(name, `is not JSON: ${part.problem}`);
        case "list":
          place = { starts: [], end: used };
          places.set(part.key, place);
          others.set(part.key, null);
          break;
        case "member":
          places.delete(part.key);
          others.set(part.key, part.value);
          break;
        case "element": {
          // ASCII only, so that characters are bytes.
          const text = pythonJson(part.value);
          target.write(text);
          place.starts.push(used);
          used += text.length;
          place.end = used;
          if (++done % PAUSE_EVERY === 0) {
            preparation.progress({ what: `reading ${name}`, done });
            await pause(preparation);
          }
        }
      }
    }
  } finally {
    target.close();
  }
  return { places, others };
}

function openList(descriptor: number, { starts, end }: ListPlace): StoredList {
  const keys = new Map<string, string>();
  let bytes = Buffer.alloc(0);
  const at = (position: number): JsonValue => {
    const start = starts[position];
    const length = (starts[position + 1] ?? end) - start;
    if (length > bytes.length) bytes = Buffer.alloc(2 * length);
    for (let done = 0; done < length; ) {
      const count = fs.readSync(descriptor, bytes, done, length - done, start + done);
      if (count === 0) throw new Error("the spool of a JSON file was cut off");
      done += count;
    }
    const outcome = readJson(bytes.toString("latin1", 0, length), "python", keys);
    if (!outcome.ok) throw new Error(`the spool of a JSON file is damaged: ${outcome.problem}`);
    return outcome.value;
  };
  return {
    length: starts.length,
    at,
    *[Symbol.iterator]() {
      for (let position = 0; position < starts.length; position++) yield at(position);
    },
  };
}

function openRecords(name: string, key: string, list: StoredList): StoredRecords {
  const at = (position: number): JsonObject => {
    const value = list.at(position);
    return value instanceof Map ? value : malformed(name, `has no object at position ${position} of ${key}`);
  };
  return {
    length: list.length,
    at,
    *[Symbol.iterator]() {
      for (let position = 0; position < list.length; position++) yield at(position);
    },
  };
}
