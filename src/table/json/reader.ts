import {
  fail,
  type JsonCursor,
  type JsonDialect,
  nextCode,
  readNumber,
  readString,
  readWord,
} from "./token.ts";
import type { JsonObject, JsonValue } from "./value.ts";

/** What became of a text: its value, or why it is not JSON and at which character. */
export type JsonOutcome =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string; readonly offset: number };

// Python's own parser gives up near a thousand levels. The limit also lets whoever walks a value recurse without fear.
const MAX_DEPTH = 990;

// Records repeat the same few keys millions of times; one shared string per key saves most of their memory.
const SHARED_KEYS = 4096;

const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

interface Level {
  readonly container: JsonValue[] | JsonObject;
  key: string;
}

/**
 * Reads a JSON text by Python's rules: `1` and `1.0` stay apart, integers have any size, `NaN` and `Infinity` are numbers,
 * a repeated key keeps its first place and its last value. Never throws, whatever the text; a byte-order mark is malformed.
 * Whoever keeps many records passes one `keys` to all calls, so that equal keys share their memory.
 */
export function readJson(
  text: string,
  dialect: JsonDialect = "python",
  keys: Map<string, string> = new Map(),
): JsonOutcome {
  const cursor: JsonCursor = { text, dialect, at: 0, problem: null };
  const value = readDocument(cursor, keys);
  if (value !== undefined) return { ok: true, value };
  return { ok: false, problem: cursor.problem ?? "expected a value", offset: cursor.at };
}

/** A loop with its own stack: nesting in a hostile text must not exhaust ours. */
function readDocument(cursor: JsonCursor, keys: Map<string, string>): JsonValue | undefined {
  const levels: Level[] = [];
  let root: JsonValue | undefined;
  for (;;) {
    const value = readValue(cursor);
    if (value === undefined) return undefined;
    root = levels.length === 0 ? value : root;
    if (isContainer(value) && nextCode(cursor) !== closing(value)) {
      if (levels.length === MAX_DEPTH) return fail(cursor, "nested too deeply");
      const key = value instanceof Map ? readKey(cursor, keys) : "";
      if (key === undefined) return undefined;
      levels.push({ container: value, key });
      continue;
    }
    if (isContainer(value)) cursor.at++;
    const next = attach(cursor, levels, keys, value);
    if (next === "end") return root;
    if (next === undefined) return undefined;
  }
}

/** Hands a finished value to the containers that wait for it, closing those that end here. */
function attach(
  cursor: JsonCursor,
  levels: Level[],
  keys: Map<string, string>,
  finished: JsonValue,
): "value" | "end" | undefined {
  let value = finished;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { container } = level;
    if (container instanceof Map) container.set(level.key, value);
    else container.push(value);
    const code = nextCode(cursor);
    if (code !== COMMA && code !== closing(container)) {
      return fail(cursor, "expected a comma or a closing bracket");
    }
    cursor.at++;
    if (code === COMMA) {
      const key = container instanceof Map ? readKey(cursor, keys) : "";
      if (key === undefined) return undefined;
      level.key = key;
      return "value";
    }
    value = container;
    levels.pop();
  }
  return Number.isNaN(nextCode(cursor)) ? "end" : fail(cursor, "more text after the value");
}

/** A scalar, or a still empty container whose opening bracket has been passed. */
function readValue(cursor: JsonCursor): JsonValue | undefined {
  switch (nextCode(cursor)) {
    case OPEN_OBJECT:
      cursor.at++;
      return new Map();
    case OPEN_LIST:
      cursor.at++;
      return [];
    case QUOTE:
      return readString(cursor);
  }
  switch (cursor.text.charAt(cursor.at)) {
    case "t":
      return readWord(cursor, "true", true);
    case "f":
      return readWord(cursor, "false", false);
    case "n":
      return readWord(cursor, "null", null);
    case "N":
      return readWord(cursor, "NaN", Number.NaN);
    case "I":
      return readWord(cursor, "Infinity", Number.POSITIVE_INFINITY);
  }
  if (!cursor.text.startsWith("-I", cursor.at)) return readNumber(cursor);
  return readWord(cursor, "-Infinity", Number.NEGATIVE_INFINITY);
}

function readKey(cursor: JsonCursor, shared: Map<string, string>): string | undefined {
  if (nextCode(cursor) !== QUOTE) return fail(cursor, "expected a key in double quotes");
  const key = readString(cursor);
  if (key === undefined) return undefined;
  if (nextCode(cursor) !== COLON) return fail(cursor, "expected a colon after the key");
  cursor.at++;
  const known = shared.get(key);
  if (known !== undefined) return known;
  if (shared.size < SHARED_KEYS) shared.set(key, key);
  return key;
}

function isContainer(value: JsonValue): value is JsonValue[] | JsonObject {
  return typeof value === "object" && value !== null;
}

function closing(container: JsonValue[] | JsonObject): number {
  return container instanceof Map ? CLOSE_OBJECT : CLOSE_LIST;
}
