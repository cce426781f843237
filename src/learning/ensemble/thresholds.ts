import { argsortDescending } from "../../metrics/arithmetic/argsort.ts";
import { fBeta } from "../../metrics/classification/f-beta.ts";
import { quadraticWeightedKappa } from "../../metrics/classification/quadratic-kappa.ts";

/** The threshold with the best F-beta: scores not below it count as positive. Halfway between two scores where it can. */
export function bestThreshold(
  truth: ArrayLike<number>,
  score: Float64Array,
  beta = 1,
): { threshold: number; value: number } {
  const order = argsortDescending(score);
  let positives = 0;
  for (let i = 0; i < truth.length; i++) positives += truth[i];
  let best = { threshold: Number.POSITIVE_INFINITY, value: 0 };
  let found = 0;
  for (let i = 0; i < order.length; i++) {
    found += truth[order[i]];
    const next = i + 1 < order.length ? score[order[i + 1]] : Number.NEGATIVE_INFINITY;
    if (next === score[order[i]]) continue;
    const value = fBeta(found, positives, i + 1, beta);
    if (value > best.value) best = { threshold: halfway(score[order[i]], next), value };
  }
  return best;
}

/** Whole-number grades from scores: a score not below cut point i is at least grade i + 1. */
export function applyCutPoints(score: Float64Array, cuts: ArrayLike<number>): Int32Array {
  return Int32Array.from(score, (value) => {
    let grade = 0;
    while (grade < cuts.length && value >= cuts[grade]) grade++;
    return grade;
  });
}

/**
 * Cut points between grades 0 … grades − 1 that make the quadratic weighted kappa best: starting from the cuts that
 * give every grade its true share, each is moved in turn among the quantiles of the score until none helps.
 */
export function bestKappaCuts(truth: ArrayLike<number>, score: Float64Array, grades: number): Float64Array {
  const sorted = score.slice().sort();
  const places = Float64Array.from({ length: CANDIDATES }, (_, i) =>
    quantile(sorted, (i + 0.5) / CANDIDATES),
  );
  const cuts = shareCuts(truth, sorted, grades);
  const kappa = () => quadraticWeightedKappa(truth, applyCutPoints(score, cuts));
  let best = kappa();
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const before = best;
    for (let i = 0; i < cuts.length; i++) {
      for (const place of places) {
        if (
          place < (cuts[i - 1] ?? Number.NEGATIVE_INFINITY) ||
          place > (cuts[i + 1] ?? Number.POSITIVE_INFINITY)
        ) {
          continue;
        }
        const old = cuts[i];
        cuts[i] = place;
        const value = kappa();
        if (value > best) best = value;
        else cuts[i] = old;
      }
    }
    if (best === before) break;
  }
  return cuts;
}

const CANDIDATES = 100;
const SWEEPS = 5;

/** The cut points that give every grade its true share. */
export function cutsByShare(truth: ArrayLike<number>, score: Float64Array, grades: number): Float64Array {
  return shareCuts(truth, score.slice().sort(), grades);
}

function shareCuts(truth: ArrayLike<number>, sorted: Float64Array, grades: number): Float64Array {
  const cuts = new Float64Array(grades - 1);
  for (let grade = 1; grade < grades; grade++) {
    let below = 0;
    for (let i = 0; i < truth.length; i++) if (truth[i] < grade) below++;
    cuts[grade - 1] = quantile(sorted, below / truth.length);
  }
  return cuts;
}

function quantile(sorted: Float64Array, share: number): number {
  const position = Math.floor(share * sorted.length);
  return position >= sorted.length
    ? Number.POSITIVE_INFINITY
    : halfway(sorted[position], sorted[position - 1]);
}

/** Just the upper one where there is no lower, or where rounding would reach it. */
function halfway(upper: number, lower: number | undefined): number {
  if (lower === undefined || !Number.isFinite(lower)) return upper;
  const middle = lower / 2 + upper / 2;
  return middle > lower ? middle : upper;
}
