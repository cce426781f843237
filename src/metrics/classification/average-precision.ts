import { numpySum } from "../arithmetic/numpy-sum.ts";
import { scoreSteps } from "../arithmetic/score-steps.ts";

/**
 * Average precision without interpolation: equal scores form one step. Null where the original fails: a score that
 * is not finite, or no negative row at all. Without any positive row the value is 0.
 */
export function averagePrecision(truth: ArrayLike<number>, score: Float64Array): number | null {
  const steps = scoreSteps(truth, score);
  if (steps === null) return null;
  const { positives, negatives } = steps;
  const last = positives.length - 1;
  if (last < 0 || negatives[last] === 0) return null;
  if (positives[last] === 0) return 0;

  // scikit-learn sums from the lowest score to the highest.
  const terms = new Float64Array(last + 1);
  let previousRecall = 0;
  for (let i = 0; i <= last; i++) {
    const recall = positives[i] / positives[last];
    terms[last - i] = (recall - previousRecall) * (positives[i] / (positives[i] + negatives[i]));
    previousRecall = recall;
  }
  return numpySum(terms);
}
