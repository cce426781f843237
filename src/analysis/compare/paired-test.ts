import { nextWord, seededByInteger } from "../../random/mt19937.ts";

const PERMUTATIONS = 10_000;
const SEED = 20_260_102;
/** Up to this many competitions that differ, all ways of flipping them are tried, and p is exact. */
const MAX_EXACT = 14;

/** What is tested; it stands beside every p. */
export const HYPOTHESIS =
  "over competitions like these, neither agent is better on average (each may be better on some of them)";

/** With fewer competitions even a difference in all of them could be chance. */
export const MIN_TESTED = 6;

/**
 * How often chance alone makes a sum as large as this one when in each competition, taken whole with all its seeds, the
 * two agents change places at random. Seeds of one competition are not flipped on their own: an agent that is better
 * there is better in all of them, which says nothing about other competitions. Two-sided, and a mid-p: medals make few
 * different sums, and counting those that equal the observed one in full would find less than it should. Never 0.
 */
export function signFlipTest(sums: readonly number[], permutations = PERMUTATIONS): number {
  const present = Float64Array.from(sums.filter((sum) => sum !== 0));
  if (present.length === 0) return 1;
  return present.length <= MAX_EXACT ? exact(present) : sampled(present, permutations);
}

/** Adds 1 for a larger sum, a half for an equal one. Rounding must not make equal sums differ. */
function tallyAgainst(sums: Float64Array): (total: number) => number {
  const observed = Math.abs(sums.reduce((total, sum) => total + sum, 0));
  const slack = 1e-9 * Math.max(1, observed);
  return (total) => {
    const over = Math.abs(total) - observed;
    return over > slack ? 1 : over >= -slack ? 0.5 : 0;
  };
}

function exact(sums: Float64Array): number {
  const tally = tallyAgainst(sums);
  const ways = 2 ** sums.length;
  let extreme = 0;
  for (let way = 0; way < ways; way++) {
    let total = 0;
    for (let i = 0; i < sums.length; i++) total += (way >> i) & 1 ? sums[i] : -sums[i];
    extreme += tally(total);
  }
  return extreme / ways;
}

/** The observed arrangement is one of the possible ones, and counted. */
function sampled(sums: Float64Array, permutations: number): number {
  const tally = tallyAgainst(sums);
  const generator = seededByInteger(SEED);
  let extreme = 0.5;
  for (let i = 0; i < permutations; i++) {
    let total = 0;
    let bits = 0;
    for (let at = 0; at < sums.length; at++) {
      if (at % 32 === 0) bits = nextWord(generator);
      total += bits & 1 ? sums[at] : -sums[at];
      bits >>>= 1;
    }
    extreme += tally(total);
  }
  return extreme / (permutations + 1);
}
