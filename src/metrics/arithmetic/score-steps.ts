import { sortDescending } from "./sort-descending.ts";

/** For every distinct score, from high to low: how many rows of each class have that score or a higher one. */
export interface ScoreSteps {
  positives: Uint32Array;
  negatives: Uint32Array;
}

/**
 * Cumulative class counts along falling scores; rows with equal scores form one step. Class 1 is positive. Null if a
 * score is not finite, which scikit-learn refuses.
 */
export function scoreSteps(truth: ArrayLike<number>, score: Float64Array): ScoreSteps | null {
  const positiveScores = new Float64Array(score.length);
  const negativeScores = new Float64Array(score.length);
  let positiveCount = 0;
  let negativeCount = 0;
  for (let row = 0; row < score.length; row++) {
    const value = score[row];
    if (!Number.isFinite(value)) return null;
    if (truth[row] === 1) positiveScores[positiveCount++] = value;
    else negativeScores[negativeCount++] = value;
  }
  return mergeSteps(
    sortDescending(positiveScores.subarray(0, positiveCount)),
    sortDescending(negativeScores.subarray(0, negativeCount)),
  );
}

function mergeSteps(positiveScores: Float64Array, negativeScores: Float64Array): ScoreSteps {
  const positives = new Uint32Array(positiveScores.length + negativeScores.length);
  const negatives = new Uint32Array(positives.length);
  let steps = 0;
  let p = 0;
  let n = 0;
  while (p < positiveScores.length || n < negativeScores.length) {
    const value = Math.max(
      p < positiveScores.length ? positiveScores[p] : Number.NEGATIVE_INFINITY,
      n < negativeScores.length ? negativeScores[n] : Number.NEGATIVE_INFINITY,
    );
    while (p < positiveScores.length && positiveScores[p] === value) p++;
    while (n < negativeScores.length && negativeScores[n] === value) n++;
    positives[steps] = p;
    negatives[steps++] = n;
  }
  return { positives: positives.subarray(0, steps), negatives: negatives.subarray(0, steps) };
}
