import { numpyMean } from "../arithmetic/numpy-sum.ts";

/** Directions on the sphere in radians, of any range. */
export interface Directions {
  azimuth: Float64Array;
  zenith: Float64Array;
}

/** The mean angle between true and predicted directions, in radians. */
export function meanAngularError(truth: Directions, predicted: Directions): number {
  const angles = truth.azimuth.map((azimuth, row) => {
    const zenith = truth.zenith[row];
    const predictedAzimuth = predicted.azimuth[row];
    const predictedZenith = predicted.zenith[row];
    const sameTurn =
      Math.cos(azimuth) * Math.cos(predictedAzimuth) + Math.sin(azimuth) * Math.sin(predictedAzimuth);
    const cosine =
      Math.sin(zenith) * Math.sin(predictedZenith) * sameTurn + Math.cos(zenith) * Math.cos(predictedZenith);
    // Rounding may push the cosine of equal directions past 1, where arccos is NaN.
    return Math.abs(Math.acos(Math.min(Math.max(cosine, -1), 1)));
  });
  return numpyMean(angles);
}
