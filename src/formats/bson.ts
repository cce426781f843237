import type { FormatProblem } from "./format-problem.ts";
import { readFramedFile } from "./framed-file.ts";

type Element = { name: string; type: number; start: number; valueStart: number; end: number };

// Four times what MongoDB allows.
const longestDocument = 64 * 1024 * 1024;

/** Visits each document of a file of concatenated BSON documents, as raw bytes that are only valid during the visit. */
export function readBsonDocuments(
  path: string,
  visit: (document: Buffer) => FormatProblem | null,
): Promise<FormatProblem | null> {
  const framing = {
    headBytes: 4,
    recordBytes: (head: Buffer) => head.readInt32LE(0),
    longestRecord: longestDocument,
  };
  return readFramedFile(path, framing, visit);
}

/** The integer or double of a top-level element; null if it is missing, of another type or beyond 2^53. */
export function readBsonNumber(document: Buffer, name: string): number | null {
  const element = findElement(document, name);
  if (element?.type === 0x10) return document.readInt32LE(element.valueStart);
  if (element?.type === 0x01) return document.readDoubleLE(element.valueStart);
  if (element?.type !== 0x12) return null;
  const value = Number(document.readBigInt64LE(element.valueStart));
  return Number.isSafeInteger(value) ? value : null;
}

/** A copy of the document without one top-level element, its length put right; null if there is no such element. */
export function withoutBsonElement(document: Buffer, name: string): Buffer | null {
  const element = findElement(document, name);
  if (element === null) return null;
  const shorter = Buffer.concat([document.subarray(0, element.start), document.subarray(element.end)]);
  shorter.writeInt32LE(shorter.length, 0);
  return shorter;
}

function findElement(document: Buffer, name: string): Element | null {
  for (let at = 4; at < document.length && document[at] !== 0; ) {
    const nameEnd = document.indexOf(0, at + 1);
    if (nameEnd < 0) return null;
    const valueStart = nameEnd + 1;
    const size = valueBytes(document, document[at], valueStart);
    if (size === null || size < 0 || valueStart + size >= document.length) return null;
    const end = valueStart + size;
    if (document.toString("utf8", at + 1, nameEnd) === name) {
      return { name, type: document[at], start: at, valueStart, end };
    }
    at = end;
  }
  return null;
}

/** How long a value is, by its type; null for a type that does not exist or a value that is cut off. */
function valueBytes(document: Buffer, type: number, at: number): number | null {
  const fixed = fixedSizes[type];
  if (fixed !== undefined) return fixed;
  if (type === 0x0b) {
    const pattern = document.indexOf(0, at);
    const options = pattern < 0 ? -1 : document.indexOf(0, pattern + 1);
    return options < 0 ? null : options + 1 - at;
  }
  if (at + 4 > document.length) return null;
  const length = document.readInt32LE(at);
  const around = lengthOverheads[type];
  return around === undefined || length < 0 ? null : length + around;
}

const fixedSizes: Record<number, number> = {
  1: 8,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
};

// What comes on top of the announced length: strings count without the length itself, documents with it.
const lengthOverheads: Record<number, number> = { 2: 4, 3: 0, 4: 0, 5: 5, 12: 16, 13: 4, 14: 4, 15: 0 };
