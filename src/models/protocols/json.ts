import type { JsonObject, JsonValue } from "../call.ts";

/**
 * Tolerant looks into JSON that others wrote: a field of the wrong kind reads as one that is missing. Replies and requests come in
 * too many dialects for a schema to be both strict and right, and they are read on the way of every token.
 */

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return listOf(value).filter(isObject);
}

export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function booleanOf(value: JsonValue | undefined): boolean | null {
  return typeof value === "boolean" ? value : null;
}

/** A count of tokens: anything that is not a number from 0 on counts as 0. */
export function countOf(value: JsonValue | undefined): number {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? Math.round(value) : 0;
}

/** More tokens than any call has. */
const MAX_TOKENS = 1e12;

/**
 * Whether a usage block can be believed: every count is a number that a call can have, and not all of them are 0. One that
 * cannot be is as good as none, since a budget must not hang on it.
 */
export function isPossibleUsage(usage: JsonObject): boolean {
  const counts = countsIn(usage, 0);
  return (
    counts.some((count) => count !== 0) &&
    counts.every((count) => typeof count === "number" && count >= 0 && count <= MAX_TOKENS)
  );
}

function countsIn(usage: JsonObject, depth: number): JsonValue[] {
  return Object.entries(usage).flatMap(([name, value]) => {
    if (isObject(value)) return depth < 3 ? countsIn(value, depth + 1) : [];
    return /token/i.test(name) && value !== null && !Array.isArray(value) ? [value] : [];
  });
}

/** More than any reply has: 64 MB of empty objects would be 20 seconds of parsing and two gigabytes. */
export const MAX_VALUES = 1_000_000;

/** Whether a text that may be JSON holds so many values that nobody should parse it. */
export function hasTooManyValues(text: string): boolean {
  if (text.length < 2 * MAX_VALUES) return false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfText(text, at);
    else if ((code === 0x2c || code === 0x7b || code === 0x5b) && ++values > MAX_VALUES) return true;
  }
  return false;
}

/** Where the text ends that begins at this quote. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** Undefined for what is not JSON, or more of it than can be parsed. */
export function parseJson(text: string): JsonValue | undefined {
  if (hasTooManyValues(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The entries whose value is not undefined: `exactOptionalPropertyTypes` without a conditional for each field. */
export function defined<T extends object>(entries: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as T;
}
