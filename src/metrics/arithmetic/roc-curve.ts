import { scoreSteps } from "./score-steps.ts";

/** Cumulative counts along falling scores; both lists start at 0 and end at the number of rows of that class. */
export interface RocPoints {
  falsePositives: Float64Array;
  truePositives: Float64Array;
}

/**
 * The points of the ROC curve as scikit-learn keeps them: one per distinct score, without the interior ones whose
 * steps before and after are alike, and (0, 0) in front. Null where scikit-learn raises: a score that is not finite,
 * or only one class in the truth.
 */
export function rocPoints(truth: ArrayLike<number>, score: Float64Array): RocPoints | null {
  const steps = scoreSteps(truth, score);
  if (steps === null) return null;
  const { positives, negatives } = steps;
  const last = positives.length - 1;
  if (last < 0 || positives[last] === 0 || negatives[last] === 0) return null;

  const falsePositives = new Float64Array(last + 2);
  const truePositives = new Float64Array(last + 2);
  let kept = 1;
  for (let i = 0; i <= last; i++) {
    const isCollinear =
      i > 0 &&
      i < last &&
      negatives[i + 1] - negatives[i] === negatives[i] - negatives[i - 1] &&
      positives[i + 1] - positives[i] === positives[i] - positives[i - 1];
    if (isCollinear) continue;
    falsePositives[kept] = negatives[i];
    truePositives[kept++] = positives[i];
  }
  return {
    falsePositives: falsePositives.subarray(0, kept),
    truePositives: truePositives.subarray(0, kept),
  };
}
