import { type Column, cellText, isMissing, isNumeric } from "../columns/column.ts";
import { compareTexts, sameTexts } from "../columns/text-store.ts";
import { indexIds } from "./id-index.ts";
import { sortedRows } from "./sort-rows.ts";

const EXAMPLES = 5;
const UNMATCHED = 2 ** 32 - 1;

/** How the rows of a submission belong to the rows of the answers, once their ids are known to be the same. */
export interface Alignment {
  /** The submission's row for each row of the answers; null when both files have the same order. */
  submissionRows: Uint32Array | null;
  /** Both tables' rows in ascending order of id: the order in which the reference adds numbers up. */
  sorted(): { submission: Uint32Array; answers: Uint32Array };
}

export type IdComparison = { same: true; alignment: Alignment } | { same: false; difference: IdDifference };

export interface IdDifference {
  /** Set when ids cannot match whatever their values: texts against numbers, or a column that mixes both. */
  kinds: { submission: string; answers: string } | null;
  /** Rows of the submission without an id. */
  empty: number[];
  /** Ids of the submission that the answers do not have, and ids it lists more often than they do. */
  unexpected: { row: number; id: string }[];
  repeated: { row: number; id: string }[];
  /** Ids of the answers that the submission lacks. */
  absent: string[];
  counts: { empty: number; unexpected: number; repeated: number; absent: number };
}

/**
 * Whether two id columns hold the same ids, each as often. Numbers compare by value (1, 1.0 and true are equal),
 * texts exactly; a missing id equals nothing. Rows with equal ids are paired as numpy's sort would order them.
 */
export function compareIds(submission: Column, answers: Column): IdComparison {
  const comparable =
    (submission.kind === "text" && answers.kind === "text") || (isNumeric(submission) && isNumeric(answers));
  const usable = comparable && submission.missingCount === 0 && answers.missingCount === 0;
  if (usable && sameOrder(submission, answers)) return aligned(answers, null);
  if (usable && submission.length === answers.length) {
    const rows = matchRows(submission, answers);
    if (rows !== null) return aligned(answers, rows);
  }
  return { same: false, difference: describeDifference(submission, answers, comparable) };
}

function aligned(answers: Column, submissionRows: Uint32Array | null): IdComparison {
  const sorted = () => {
    const order = sortedRows(answers)!;
    return { answers: order, submission: submissionRows ? order.map((row) => submissionRows[row]) : order };
  };
  return { same: true, alignment: { submissionRows, sorted } };
}

function sameOrder(a: Column, b: Column): boolean {
  if (a.length !== b.length) return false;
  if (a.kind === "text") return sameTexts(a.texts!, b.texts!);
  if (a.wide !== null && b.wide !== null && a.kind === b.kind) {
    return Buffer.compare(Buffer.from(a.wide.buffer), Buffer.from(b.wide.buffer)) === 0;
  }
  for (let i = 0; i < a.length; i++) if (a.numbers[i] !== b.numbers[i]) return false;
  // Doubles cannot tell large integers apart: only one side having them means that the other is a float column.
  return true;
}

function matchRows(submission: Column, answers: Column): Uint32Array | null {
  const index = indexIds(answers)!;
  if (index.hasDuplicates) return matchRepeated(submission, answers);
  const found = index.findAll(submission);
  const rows = new Uint32Array(answers.length).fill(UNMATCHED);
  for (let row = 0; row < found.length; row++) {
    if (found[row] < 0 || rows[found[row]] !== UNMATCHED) return null;
    rows[found[row]] = row;
  }
  return rows;
}

function matchRepeated(submission: Column, answers: Column): Uint32Array | null {
  const left = sortedRows(submission)!;
  const right = sortedRows(answers)!;
  const rows = new Uint32Array(answers.length);
  for (let i = 0; i < left.length; i++) {
    if (!sameValue(submission, left[i], answers, right[i])) return null;
    rows[right[i]] = left[i];
  }
  return rows;
}

function sameValue(a: Column, i: number, b: Column, j: number): boolean {
  if (a.kind === "text") return compareTexts(a.texts!, i, b.texts!, j) === 0;
  if (a.wide !== null && b.wide !== null && a.kind === b.kind) return a.wide[i] === b.wide[j];
  return a.numbers[i] === b.numbers[j];
}

function describeDifference(submission: Column, answers: Column, comparable: boolean): IdDifference {
  const difference: IdDifference = {
    kinds: null,
    empty: [],
    unexpected: [],
    repeated: [],
    absent: [],
    counts: { empty: 0, unexpected: 0, repeated: 0, absent: 0 },
  };
  if (!comparable && submission.length > 0) {
    difference.kinds = { submission: submission.kind, answers: answers.kind };
    return difference;
  }
  const index = indexIds(answers);
  const uses = new Uint32Array(answers.length);
  for (let row = 0; row < submission.length; row++) {
    if (isMissing(submission, row)) note(difference, "empty", () => row + 1);
    else {
      const found = index?.find(submission, row) ?? -1;
      if (found < 0) note(difference, "unexpected", () => ({ row: row + 1, id: cellText(submission, row) }));
      else if (uses[found]++ > 0 && !index?.hasDuplicates) {
        note(difference, "repeated", () => ({ row: row + 1, id: cellText(submission, row) }));
      }
    }
  }
  for (let row = 0; row < answers.length; row++) {
    if (uses[row] > 0) continue;
    if (index?.hasDuplicates && index.find(answers, row) !== row) continue;
    note(difference, "absent", () => cellText(answers, row));
  }
  return difference;
}

function note<Key extends keyof IdDifference["counts"]>(
  difference: IdDifference,
  key: Key,
  example: () => IdDifference[Key][number],
): void {
  difference.counts[key]++;
  const examples = difference[key] as IdDifference[Key][number][];
  if (examples.length < EXAMPLES) examples.push(example());
}
