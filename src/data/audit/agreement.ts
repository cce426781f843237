import { isDistinctive, plainCell } from "./reading/plain-cell.ts";

/** How well two lists of cells agree, row by row. */
export interface Agreement {
  rows: number;
  /** Share of rows with equal cells. */
  share: number;
  /** Share beyond what the values' frequencies alone would give: 1 is full agreement, 0 is chance. */
  beyondChance: number;
  /** How unlikely the agreement is by chance, in bits. */
  bits: number;
}

const BITS_OF_A_LONG_TEXT = 16;

/** Compares a public column with secret answers. A column of one value agrees by chance only. */
export function agreement(cells: readonly string[], answers: readonly string[]): Agreement {
  const rows = cells.length;
  const left = cells.map(plainCell);
  const right = answers.map(plainCell);
  let equal = 0;
  let bits = 0;
  const chance = chanceOfEqual(left, right);
  const bitsPerMatch = -Math.log2(Math.max(chance, 1 / 64));
  for (let i = 0; i < rows; i++) {
    if (left[i] !== right[i]) continue;
    equal++;
    bits += isDistinctive(right[i]) ? BITS_OF_A_LONG_TEXT : bitsPerMatch;
  }
  const share = rows === 0 ? 0 : equal / rows;
  return { rows, share, beyondChance: chance >= 1 ? 0 : (share - chance) / (1 - chance), bits };
}

function chanceOfEqual(left: readonly string[], right: readonly string[]): number {
  const shareOfLeft = shares(left);
  let chance = 0;
  for (const [value, share] of shares(right)) chance += share * (shareOfLeft.get(value) ?? 0);
  return chance;
}

function shares(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const [value, count] of counts) counts.set(value, count / values.length);
  return counts;
}

const SHIFTS = 5;
const MIN_BASE = 0.05;

/**
 * Whether things tell their own answer: `hit(i, j)` says whether thing i shows the answer of thing j. Counted against
 * how often they show the answer of another thing, so that frequent answers and noise prove nothing.
 */
export function ownAnswerAgreement(
  count: number,
  hit: (thing: number, answer: number) => boolean,
): Agreement {
  let own = 0;
  let other = 0;
  let others = 0;
  for (let i = 0; i < count; i++) {
    if (hit(i, i)) own++;
    for (let shift = 1; shift <= Math.min(SHIFTS, count - 1); shift++) {
      others++;
      if (hit(i, (i + shift) % count)) other++;
    }
  }
  const share = count === 0 ? 0 : own / count;
  const base = others === 0 ? MIN_BASE : other / others;
  const beyondChance = base >= 1 ? 0 : (share - base) / (1 - base);
  return { rows: count, share, beyondChance, bits: own * -Math.log2(Math.max(base, MIN_BASE)) };
}
