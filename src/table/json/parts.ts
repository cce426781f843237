import { closeSync, openSync, readSync } from "node:fs";
import { readJson } from "./reader.ts";
import type { JsonValue } from "./value.ts";

/**
 * A piece of a large JSON file: an element of a list, or a whole member of the outer object that is not a list. `key` is the member's name, empty
 * when the file itself is a list. Each list is announced before its elements, so that an empty one is seen too.
 */
export type JsonPart =
  | { readonly kind: "list"; readonly key: string }
  | { readonly kind: "element" | "member"; readonly key: string; readonly value: JsonValue }
  | { readonly kind: "malformed"; readonly problem: string };

const CHUNK = 4 << 20;
// Larger than any record, smaller than what a JavaScript string can hold.
const LARGEST_PART = 256 << 20;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

interface Source {
  readonly descriptor: number;
  readonly encoding: "utf8" | "latin1";
  readonly largestPart: number;
  readonly keys: Map<string, string>;
  bytes: Buffer;
  at: number;
  end: number;
}

/**
 * Reads a JSON file piece by piece, for files that fit neither a string nor memory. Values are those of `readJson`; a repeated
 * outer key is handed out twice. A malformed file ends in a `malformed` piece, after the good ones; a file that cannot be opened throws.
 */
export function* readJsonParts(
  path: string,
  encoding: "utf8" | "latin1" = "utf8",
  largestPart = LARGEST_PART,
): Generator<JsonPart> {
  const descriptor = openSync(path, "r");
  try {
    const source: Source = {
      descriptor,
      encoding,
      largestPart,
      keys: new Map(),
      bytes: Buffer.allocUnsafe(CHUNK),
      at: 0,
      end: 0,
    };
    const problem = yield* outerParts(source);
    if (problem !== null) yield { kind: "malformed", problem };
  } finally {
    closeSync(descriptor);
  }
}

function* outerParts(source: Source): Generator<JsonPart, string | null> {
  const opening = nextByte(source);
  source.at++;
  if (opening !== OPEN_LIST && opening !== OPEN_OBJECT) return "expected a list or an object";
  const problem = opening === OPEN_LIST ? yield* listParts(source, "") : yield* memberParts(source);
  return problem ?? (nextByte(source) === null ? null : "more text after the value");
}

function* memberParts(source: Source): Generator<JsonPart, string | null> {
  if (nextByte(source) === CLOSE_OBJECT) {
    source.at++;
    return null;
  }
  for (;;) {
    const key = takeValue(source, COLON, COLON);
    if (typeof key === "string") return key;
    if (typeof key.value !== "string") return "expected a key in double quotes";
    if (nextByte(source) === OPEN_LIST) {
      source.at++;
      const problem = yield* listParts(source, key.value);
      if (problem !== null) return problem;
      const after = nextByte(source);
      source.at++;
      if (after === CLOSE_OBJECT) return null;
      if (after !== COMMA) return "expected a comma or a closing bracket";
    } else {
      const member = takeValue(source, COMMA, CLOSE_OBJECT);
      if (typeof member === "string") return member;
      yield { kind: "member", key: key.value, value: member.value };
      if (member.stop === CLOSE_OBJECT) return null;
    }
  }
}

function* listParts(source: Source, key: string): Generator<JsonPart, string | null> {
  yield { kind: "list", key };
  if (nextByte(source) === CLOSE_LIST) {
    source.at++;
    return null;
  }
  for (;;) {
    const element = takeValue(source, COMMA, CLOSE_LIST);
    if (typeof element === "string") return element;
    yield { kind: "element", key, value: element.value };
    if (element.stop === CLOSE_LIST) return null;
  }
}

/** The value before the next of two stop characters outside brackets and strings; that character is passed. A string is a problem. */
function takeValue(
  source: Source,
  stop: number,
  otherStop: number,
): { value: JsonValue; stop: number } | string {
  let nesting = 0;
  let inString = false;
  for (let length = 0; ; length++) {
    while (source.at + length >= source.end) {
      if (length > source.largestPart) return "a single element is too large";
      if (!refill(source)) return "the text ends too early";
    }
    const byte = source.bytes[source.at + length];
    if (inString) {
      if (byte === BACKSLASH) length++;
      else inString = byte !== QUOTE;
    } else if (byte === QUOTE) {
      inString = true;
    } else if (nesting === 0 && (byte === stop || byte === otherStop)) {
      const text = source.bytes.toString(source.encoding, source.at, source.at + length);
      const outcome = readJson(text, "python", source.keys);
      source.at += length + 1;
      return outcome.ok ? { value: outcome.value, stop: byte } : outcome.problem;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      nesting++;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      nesting--;
    }
  }
}

/** The next byte that is not a blank, not yet passed; null at the end of the file. */
function nextByte(source: Source): number | null {
  for (;;) {
    if (source.at === source.end && !refill(source)) return null;
    const byte = source.bytes[source.at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
    source.at++;
  }
}

/** Reads on, keeping what has not been passed yet. False at the end of the file. */
function refill(source: Source): boolean {
  const kept = source.end - source.at;
  const target = kept + CHUNK > source.bytes.length ? Buffer.allocUnsafe(2 * (kept + CHUNK)) : source.bytes;
  source.bytes.copy(target, 0, source.at, source.end);
  const count = readSync(source.descriptor, target, kept, Math.min(CHUNK, target.length - kept), null);
  source.bytes = target;
  source.at = 0;
  source.end = kept + count;
  return count > 0;
}
