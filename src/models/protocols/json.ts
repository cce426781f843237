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

export function parseJson(text: string): JsonValue | undefined {
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
