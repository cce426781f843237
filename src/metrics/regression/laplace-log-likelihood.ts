import { numpyMean } from "../arithmetic/numpy-sum.ts";

const LARGEST_ERROR = 1000;
const SMALLEST_CONFIDENCE = 70;

/**
 * The mean modified Laplace log likelihood over pairs; always negative, higher is better. Errors are capped at 1000
 * and deviations raised to 70. NaN without pairs or with a missing prediction; an infinite confidence gives -Infinity.
 */
export function laplaceLogLikelihood(
  truth: ArrayLike<number>,
  predicted: ArrayLike<number>,
  confidence: ArrayLike<number>,
): number {
  const likelihoods = new Float64Array(truth.length);
  for (let row = 0; row < likelihoods.length; row++) {
    const deviation = Math.max(confidence[row], SMALLEST_CONFIDENCE);
    const error = Math.min(Math.abs(truth[row] - predicted[row]), LARGEST_ERROR);
    likelihoods[row] = (-Math.SQRT2 * error) / deviation - Math.log(Math.SQRT2 * deviation);
  }
  return numpyMean(likelihoods);
}
