import { parsePythonFloat } from "../../table/python-text.ts";

/** Why a cell of boxes or points cannot be read; `token` is the piece at fault, or the count of pieces. */
export type BoxTextError = {
  error: "token-count" | "not-a-number" | "class-not-finite" | "infinite-yaw";
  token: string;
};

/**
 * Cuts the pieces of a cell into groups of `size` and reads `count` numbers of each, from position `first` on.
 * NaN and infinities are numbers here, as they are for Python.
 */
export function readGroups<T>(
  pieces: readonly string[],
  size: number,
  first: number,
  count: number,
  build: (numbers: number[], group: readonly string[]) => T | BoxTextError,
): T[] | BoxTextError {
  if (pieces.length % size !== 0) return { error: "token-count", token: String(pieces.length) };
  const built: T[] = [];
  for (let at = 0; at < pieces.length; at += size) {
    const group = pieces.slice(at, at + size);
    const numbers: number[] = [];
    for (let i = first; i < first + count; i++) {
      const number = parsePythonFloat(group[i]);
      if (number === null) return { error: "not-a-number", token: group[i] };
      numbers.push(number);
    }
    const item = build(numbers, group);
    if (isBoxTextError(item)) return item;
    built.push(item);
  }
  return built;
}

/** Tells what a parser of boxes returned. */
export function isBoxTextError(outcome: unknown): outcome is BoxTextError {
  return typeof outcome === "object" && outcome !== null && "error" in outcome;
}
