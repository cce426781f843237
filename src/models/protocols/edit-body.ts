import type { BodyEdits } from "./protocol.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

interface Member {
  key: string;
  /** From the quote of the key to the end of the value. */
  start: number;
  valueStart: number;
  end: number;
}

/**
 * Changes top-level fields of a JSON object in its bytes; everything else stays byte for byte. A field that occurs twice is
 * changed wherever it stands, since parsers disagree on which one counts. The bytes must have parsed as a JSON object before.
 */
export function editBody(body: Uint8Array, edits: BodyEdits): Uint8Array {
  const members = topLevelMembers(body);
  const pieces: Uint8Array[] = [];
  let from = 0;
  const seen = new Set<string>();
  for (const [index, member] of members.entries()) {
    if (!Object.hasOwn(edits, member.key)) continue;
    seen.add(member.key);
    const value = edits[member.key];
    if (value === undefined) {
      const [start, end] = withOneComma(body, members, index, from);
      pieces.push(body.subarray(from, start));
      from = end;
    } else {
      pieces.push(body.subarray(from, member.valueStart), Buffer.from(JSON.stringify(value)));
      from = member.end;
    }
  }
  const added = Object.entries(edits).filter(([key, value]) => value !== undefined && !seen.has(key));
  if (added.length > 0) {
    const close = body.lastIndexOf(0x7d);
    const kept = members.some(
      (member) => edits[member.key] !== undefined || !Object.hasOwn(edits, member.key),
    );
    const text = added.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",");
    pieces.push(body.subarray(from, close), Buffer.from(`${kept ? "," : ""}${text}`));
    from = close;
  }
  pieces.push(body.subarray(from));
  return Buffer.concat(pieces);
}

/** The bytes of a member and of one comma beside it: the one before, or for the first of those left the one after. */
function withOneComma(body: Uint8Array, members: Member[], index: number, from: number): [number, number] {
  const member = members[index]!;
  let start = member.start;
  while (start > from && isSpace(body[start - 1]!)) start--;
  if (start > from && body[start - 1] === 0x2c) return [start - 1, member.end];
  const next = members[index + 1];
  return [member.start, next ? next.start : member.end];
}

function topLevelMembers(body: Uint8Array): Member[] {
  const members: Member[] = [];
  let at = body.indexOf(0x7b) + 1;
  for (;;) {
    while (isSpace(body[at]!) || body[at] === 0x2c) at++;
    if (body[at] !== QUOTE) return members;
    const start = at;
    at = endOfText(body, at);
    const key = JSON.parse(Buffer.from(body.subarray(start, at)).toString("utf8")) as string;
    while (isSpace(body[at]!) || body[at] === 0x3a) at++;
    const valueStart = at;
    at = endOfValue(body, at);
    members.push({ key, start, valueStart, end: at });
  }
}

/** `at` stands on the opening quote; the result behind the closing one. */
export function endOfText(body: Uint8Array, at: number): number {
  let end = at + 1;
  for (;;) {
    end = body.indexOf(QUOTE, end);
    if (end < 0) return body.length;
    let backslashes = 0;
    while (body[end - 1 - backslashes] === BACKSLASH) backslashes++;
    end++;
    if (backslashes % 2 === 0) return end;
  }
}

function endOfValue(body: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) {
      at = endOfText(body, at) - 1;
      if (depth === 0) return at + 1;
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) return trimEnd(body, start, at);
      depth--;
      if (depth === 0) return at + 1;
    } else if (byte === 0x2c && depth === 0) return trimEnd(body, start, at);
  }
  return body.length;
}

function trimEnd(body: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(body[at - 1]!)) at--;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
