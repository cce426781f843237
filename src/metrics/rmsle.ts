import { rmse } from "./rmse.ts";

/** Root mean squared error of ln(1 + value). The caller refuses negative values, as scikit-learn does. */
export function rmsle(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  return rmse(Float64Array.from(truth, Math.log1p), Float64Array.from(predicted, Math.log1p));
}
