import { numpySum } from "../arithmetic/numpy-sum.ts";

const SMALLEST = 1e-15;
const OVERALL_WEIGHT = 7;

/**
 * The weighted log loss of one cervical spine study: the overall finding first, then C1 to C7. The overall finding
 * weighs seven times a vertebra, a positive truth twice a negative one. Only p is clipped, so a certain error costs
 * slightly more when the truth is 0 than when it is 1.
 */
export function studyLogLoss(truth: Float64Array, probability: Float64Array): number {
  const weighted = new Float64Array(truth.length);
  let weights = 0;
  for (let i = 0; i < truth.length; i++) {
    const p = Math.min(Math.max(probability[i], SMALLEST), 1 - SMALLEST);
    const weight = (i === 0 ? OVERALL_WEIGHT : 1) * (truth[i] === 1 ? 2 : 1);
    weighted[i] = weight * -(truth[i] * Math.log(p) + (1 - truth[i]) * Math.log(1 - p));
    weights += weight;
  }
  return numpySum(weighted) / weights;
}
