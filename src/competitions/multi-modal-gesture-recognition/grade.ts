import { levenshteinOf } from "../../metrics/sequences/levenshtein.ts";
import { type Column, cellText } from "../../table/columns/column.ts";
import { parsePythonInt, words } from "../../table/python-text.ts";
import type { Problems } from "../problems.ts";
import { oneTarget } from "../shapes/one-target.ts";

/**
 * Edit distance of gesture sequences over the number of true gestures; may exceed 1. An empty cell is not an empty
 * sequence (it reads as the text `nan` and is refused), a quoted blank is.
 */
export const grade = oneTarget({
  id: "Id",
  target: "Sequence",
  rounding: "numpy",
  read: requireSequences,
  score(sequences, truth, { submissionRows }) {
    let distance = 0;
    let gestures = 0;
    const symbol = symbols();
    for (let row = 0; row < truth.length; row++) {
      const expected = words(cellText(truth, row)).map((word) => symbol(parsePythonInt(word)!));
      const found = sequences[submissionRows ? submissionRows[row] : row].map(symbol);
      distance += levenshteinOf(expected, found);
      gestures += expected.length;
    }
    return distance / gestures;
  },
});

const MERSENNE = 2n ** 61n - 1n;

/**
 * What the original compares: not integers but Python's hashes of them, whose size is taken modulo 2^61 − 1, so that
 * 2^64 is gesture 8. Only −1, which hashes like −2, stands for itself. Numbers that a double cannot hold get one of
 * their own.
 */
function symbols(): (gesture: bigint) => number {
  const beyond = new Map<bigint, number>();
  return (gesture) => {
    const size = (gesture < 0n ? -gesture : gesture) % MERSENNE;
    const signed = gesture < 0n ? -size : size;
    const hash = signed === -1n && gesture !== -1n ? -2n : signed;
    const number = Number(hash);
    if (Number.isSafeInteger(number)) return number;
    const known = beyond.get(hash) ?? beyond.size + 0.5;
    beyond.set(hash, known);
    return known;
  };
}

function requireSequences(column: Column, problems: Problems): bigint[][] | null {
  const before = problems.count;
  const sequences: bigint[][] = [];
  for (let row = 0; row < column.length; row++) {
    const gestures = words(cellText(column, row)).map(parsePythonInt);
    if (gestures.includes(null)) {
      problems.add({
        code: "BAD_FORMAT",
        column: column.name,
        row: row + 1,
        message: `Row ${row + 1} of "${column.name}" is "${cellText(column, row).slice(0, 60)}"; only whole numbers separated by blanks may be there.`,
      });
    }
    sequences.push(gestures.map((gesture) => gesture ?? 0n));
  }
  return problems.count === before ? sequences : null;
}
