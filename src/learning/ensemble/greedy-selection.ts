/** How often each candidate was chosen, as a share; candidates never chosen have 0. */
export interface Blend {
  readonly weights: Float64Array;
  readonly score: number;
}

export interface SelectionOptions {
  readonly direction: "maximize" | "minimize";
  readonly rounds?: number;
  /** Asked before each round. */
  readonly shouldStop?: () => boolean;
}

/**
 * Forward selection with replacement (Caruana and others): again and again the candidate is added that makes the mean
 * of all chosen best. Stops at the best blend met; ties go to the earlier candidate. `score` gets out-of-fold
 * predictions; null (a score that cannot be computed) is worse than any number.
 */
export function selectGreedily(
  candidates: readonly Float64Array[],
  score: (blend: Float64Array) => number | null,
  options: SelectionOptions,
): Blend {
  const sign = options.direction === "maximize" ? 1 : -1;
  const length = candidates[0]?.length ?? 0;
  const sum = new Float64Array(length);
  const trial = new Float64Array(length);
  const counts = new Float64Array(candidates.length);
  let best = { counts: counts.slice(), chosen: 0, value: Number.NEGATIVE_INFINITY };
  for (let round = 1; round <= (options.rounds ?? 30); round++) {
    if (round > 1 && options.shouldStop?.()) break;
    let winner = -1;
    let winning = Number.NEGATIVE_INFINITY;
    for (const [i, candidate] of candidates.entries()) {
      for (let j = 0; j < length; j++) trial[j] = (sum[j] + candidate[j]) / round;
      const value = comparable(score(trial), sign);
      if (value > winning) [winner, winning] = [i, value];
    }
    if (winner < 0) break;
    counts[winner]++;
    for (let j = 0; j < length; j++) sum[j] += candidates[winner][j];
    if (winning > best.value) best = { counts: counts.slice(), chosen: round, value: winning };
  }
  return { weights: best.counts.map((count) => count / Math.max(1, best.chosen)), score: sign * best.value };
}

/** The weighted mean of predictions in the order of the candidates. */
export function applyBlend(weights: Float64Array, predictions: readonly Float64Array[]): Float64Array {
  const blend = new Float64Array(predictions[0]?.length ?? 0);
  for (const [i, prediction] of predictions.entries()) {
    if (weights[i] === 0) continue;
    for (let j = 0; j < blend.length; j++) blend[j] += weights[i] * prediction[j];
  }
  return blend;
}

function comparable(score: number | null, sign: number): number {
  return score === null || Number.isNaN(score) ? Number.NEGATIVE_INFINITY : sign * score;
}
