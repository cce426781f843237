import { parsePythonInt, words } from "../../table/python-text.ts";

/** A mask as sorted, disjoint, half-open intervals of 0-based flat positions, already cut to the image. */
export type Runs = { starts: readonly number[]; ends: readonly number[]; pixels: number };

/** The first rule a mask text breaks, and the token that breaks it. */
export type RunError = {
  error:
    | "not-an-integer"
    | "odd-count"
    | "start-not-positive"
    | "length-not-positive"
    | "unsorted"
    | "overlap";
  token: string;
};

// Sixteen digits may exceed 2^53, where doubles stop telling neighbours apart.
const SAFE_DIGITS = 15;

// Scratch space for the numbers of one mask, shared by all calls.
let plain = new Float64Array(256);

/**
 * Reads "start length start length …" (starts count from 1) for an image of `size` pixels. What lies beyond the
 * image is cut off silently. Odd token counts follow the original's array broadcasting: one token is an empty
 * mask, three share the middle one as length, five or more are an error.
 */
export function parseRuns(text: string, size: number): Runs | RunError {
  const bytes = Buffer.from(text, "utf8");
  return parseRunBytes(bytes, 0, bytes.length, size);
}

/** `parseRuns` for a text that lies among others as UTF-8. */
export function parseRunBytes(bytes: Buffer, start: number, end: number, size: number): Runs | RunError {
  const count = plainNumbers(bytes, start, end);
  if (count >= 0) return buildRuns(plain, count, size, (at) => String(plain[at]));
  const tokens = words(bytes.toString("utf8", start, end));
  const integers: bigint[] = [];
  for (const token of tokens) {
    const integer = parsePythonInt(token);
    if (integer === null) return { error: "not-an-integer", token };
    integers.push(integer);
  }
  const runs = buildRuns(Float64Array.from(integers, Number), tokens.length, size, (at) => tokens[at]);
  if ("error" in runs) return runs;
  // As doubles, huge starts may look equal although they descend.
  for (let at = 2; at < integers.length; at += 2) {
    if (integers[at] < integers[at - 2]) return { error: "unsorted", token: tokens[at] };
  }
  return runs;
}

/** Number of pixels two masks share. */
export function intersection(a: Runs, b: Runs): number {
  let shared = 0;
  let i = 0;
  let j = 0;
  while (i < a.starts.length && j < b.starts.length) {
    const start = Math.max(a.starts[i], b.starts[j]);
    const end = Math.min(a.ends[i], b.ends[j]);
    if (end > start) shared += end - start;
    if (a.ends[i] < b.ends[j]) i++;
    else j++;
  }
  return shared;
}

/** Puts the numbers of a text of ASCII digits and blanks into `plain` and counts them; −1: the slow path must decide. */
function plainNumbers(bytes: Uint8Array, start: number, end: number): number {
  if (plain.length < end - start) plain = new Float64Array(2 * (end - start));
  let count = 0;
  let value = 0;
  let digits = 0;
  for (let i = start; i < end; i++) {
    const code = bytes[i];
    if (code >= 48 && code <= 57) {
      value = value * 10 + (code - 48);
      if (++digits > SAFE_DIGITS) return -1;
    } else if (code === 32) {
      if (digits > 0) plain[count++] = value;
      value = 0;
      digits = 0;
    } else return -1;
  }
  if (digits > 0) plain[count++] = value;
  return count;
}

function buildRuns(
  numbers: Float64Array,
  count: number,
  size: number,
  tokenAt: (at: number) => string,
): Runs | RunError {
  if (count % 2 === 1 && count >= 5) return { error: "odd-count", token: tokenAt(count - 1) };
  for (let at = 0; at < count; at += 2) {
    if (!(numbers[at] > 0)) return { error: "start-not-positive", token: tokenAt(at) };
    if (at > 0 && numbers[at] < numbers[at - 2]) return { error: "unsorted", token: tokenAt(at) };
  }
  for (let at = 1; at < count; at += 2) {
    if (!(numbers[at] > 0)) return { error: "length-not-positive", token: tokenAt(at) };
  }
  const starts: number[] = [];
  const ends: number[] = [];
  let pixels = 0;
  let reached = 0;
  for (let at = 0; at < count && count > 1; at += 2) {
    const start = numbers[at] - 1;
    if (start >= size) break;
    if (start < reached) return { error: "overlap", token: tokenAt(at) };
    const end = Math.min(start + numbers[count === 3 ? 1 : at + 1], size);
    starts.push(start);
    ends.push(end);
    pixels += end - start;
    reached = end;
  }
  return { starts, ends, pixels };
}
