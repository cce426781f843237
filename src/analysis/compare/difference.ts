import { meanOf } from "../aggregate/original-aggregate.ts";
import { holm } from "../statistics/holm.ts";
import { type Interval, overCompetitionsInterval, overSeedsInterval } from "../statistics/intervals.ts";
import { MIN_TESTED, signFlipTest } from "./paired-test.ts";

/** Whether a difference can be told from chance; too few competitions never tell. */
export type Verdict = "beyond noise" | "within noise" | "too few competitions to tell";

/** A paired difference, A minus B, over the pairs of runs that exist, with its uncertainty. */
export interface Difference {
  mean: number;
  pairs: number;
  /** Competitions with at least one pair. */
  competitions: number;
  /** About these competitions. Null where no spread between seeds was seen. */
  overSeeds: Interval | null;
  /** About competitions like these. Null with too few of them, or where they do not differ. */
  overBoth: Interval | null;
  /** How often chance alone would make a difference this large. */
  pValue: number;
  /** The same after Holm's correction for all tests made together. */
  pHolm: number;
  /** How many tests were made together. */
  tests: number;
  verdict: Verdict;
  withinNoise: boolean;
}

const SIGNIFICANT = 0.05;

/** From `differences[competition][pair]`; null when there is no pair at all. */
export function differenceOf(differences: readonly (readonly number[])[]): Difference | null {
  const paired = differences.filter((pairs) => pairs.length > 0);
  if (paired.length === 0) return null;
  const pValue = signFlipTest(paired.map((pairs) => pairs.reduce((sum, value) => sum + value, 0)));
  return judged({
    mean: meanOf(paired.flat()),
    pairs: paired.flat().length,
    competitions: paired.length,
    overSeeds: overSeedsInterval(paired),
    overBoth: overCompetitionsInterval(paired),
    ...{ pValue, pHolm: pValue, tests: 1 },
  });
}

/** The same differences, each held against chance as one of all of them. */
export function corrected(differences: readonly Difference[]): Difference[] {
  const adjusted = holm(differences.map(({ pValue }) => pValue));
  return differences.map((one, i) => judged({ ...one, pHolm: adjusted[i], tests: differences.length }));
}

function judged(difference: Omit<Difference, "verdict" | "withinNoise">): Difference {
  const few = difference.competitions < MIN_TESTED;
  const beyond = !few && difference.pHolm <= SIGNIFICANT;
  const verdict = few ? "too few competitions to tell" : beyond ? "beyond noise" : "within noise";
  return { ...difference, verdict, withinNoise: !beyond };
}
