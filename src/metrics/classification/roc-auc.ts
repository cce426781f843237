import { numpySum } from "../arithmetic/numpy-sum.ts";
import { rocPoints } from "../arithmetic/roc-curve.ts";

/**
 * Area under the ROC curve. Equal scores form one step, as in scikit-learn. Null where scikit-learn raises: one class
 * only (not 0.5), or a score that is not finite.
 */
export function rocAuc(truth: ArrayLike<number>, score: Float64Array): number | null {
  const points = rocPoints(truth, score);
  if (points === null) return null;
  const { falsePositives, truePositives } = points;
  const last = falsePositives.length - 1;
  const negatives = falsePositives[last];
  const positives = truePositives[last];
  const terms = new Float64Array(last);
  for (let i = 0; i < last; i++) {
    const width = falsePositives[i + 1] / negatives - falsePositives[i] / negatives;
    terms[i] = (width * (truePositives[i + 1] / positives + truePositives[i] / positives)) / 2;
  }
  return numpySum(terms);
}
