import { averageRanks } from "../../metrics/arithmetic/ranks.ts";

/** Ranks scaled to (0, 1): for metrics that look at the order alone, where scales of models differ. */
export function toRanks(prediction: Float64Array): Float64Array {
  return averageRanks(prediction).map((rank) => (rank - 0.5) / prediction.length);
}

/** The mean of the ranks of several predictions. */
export function averageOfRanks(predictions: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(predictions[0]?.length ?? 0);
  for (const prediction of predictions) {
    const ranks = toRanks(prediction);
    for (let i = 0; i < mean.length; i++) mean[i] += ranks[i] / predictions.length;
  }
  return mean;
}
