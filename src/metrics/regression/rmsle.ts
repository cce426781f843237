import { rmse } from "./rmse.ts";

// numpy takes log1p of true in half precision.
const LOG1P_OF_TRUE = 0.693359375;

/**
 * Root mean squared error of ln(1 + value). The caller refuses negative values, as scikit-learn does. A prediction
 * column of true and false (1 and 0) must be declared, since numpy computes with it in half precision.
 */
export function rmsle(
  truth: ArrayLike<number>,
  predicted: ArrayLike<number>,
  isPredictedBoolean = false,
): number {
  const predictedLogs = isPredictedBoolean
    ? Float64Array.from(predicted, (value) => (value === 1 ? LOG1P_OF_TRUE : 0))
    : Float64Array.from(predicted, Math.log1p);
  return rmse(Float64Array.from(truth, Math.log1p), predictedLogs);
}
