import { predictLinear } from "../../learning/linear/linear-model.ts";
import { fitRidge } from "../../learning/linear/ridge.ts";
import type { DenseMatrix } from "../../learning/matrix.ts";

/** Predictions for the training rows, each made without the row itself, and for the test rows. */
export interface Candidate {
  readonly validated: Float64Array;
  readonly asked: Float64Array;
}

type Goodness = (prediction: Float64Array) => number;
/** `truth` has a number for every prediction. */
type Blend = (candidates: readonly Candidate[], goodness: Goodness, truth: Float64Array) => Candidate;

/** How participants put several models together, from the simplest way on. */
export const blends = {
  "plain mean": (candidates) => weighted(candidates, equalWeights(candidates.length)),

  "mean of the better half by cross-validation"(candidates, goodness) {
    const kept = byGoodness(candidates, goodness).slice(0, Math.ceil(candidates.length / 2));
    return weighted(kept, equalWeights(kept.length));
  },

  "weights by cross-validation": (candidates, goodness) =>
    weighted(candidates, searchWeights(candidates, goodness)),

  "stacked by ridge"(candidates, _goodness, truth) {
    const model = fitRidge(sideBySide(candidates.map(({ validated }) => validated)), truth, { l2: 1 });
    return {
      validated: predictLinear(model, sideBySide(candidates.map(({ validated }) => validated))),
      asked: predictLinear(model, sideBySide(candidates.map(({ asked }) => asked))),
    };
  },
} satisfies Record<string, Blend>;

export type BlendName = keyof typeof blends;

function byGoodness(candidates: readonly Candidate[], goodness: Goodness): Candidate[] {
  const rated = candidates.map((candidate) => ({ candidate, value: goodness(candidate.validated) }));
  return rated.sort((a, b) => b.value - a.value).map(({ candidate }) => candidate);
}

/**
 * Weights that sum to 1: from equal ones on, a share is moved from one candidate to another as long as that helps, in
 * ever smaller steps.
 */
export function searchWeights(candidates: readonly Candidate[], goodness: Goodness): Float64Array {
  const weights = new Float64Array(candidates.length).fill(1 / candidates.length);
  const value = () =>
    goodness(
      combined(
        candidates.map(({ validated }) => validated),
        weights,
      ),
    );
  let best = value();
  for (const step of [0.2, 0.1, 0.05]) {
    for (let improved = true; improved; ) {
      improved = false;
      for (let from = 0; from < weights.length; from++) {
        for (let to = 0; to < weights.length; to++) {
          if (from === to || weights[from] < step - 1e-9) continue;
          const [before, after] = [weights[from], weights[to]];
          weights[from] = before - step;
          weights[to] = after + step;
          const now = value();
          if (now > best) {
            best = now;
            improved = true;
          } else [weights[from], weights[to]] = [before, after];
        }
      }
    }
  }
  return weights;
}

function weighted(candidates: readonly Candidate[], weights: Float64Array): Candidate {
  return {
    validated: combined(
      candidates.map(({ validated }) => validated),
      weights,
    ),
    asked: combined(
      candidates.map(({ asked }) => asked),
      weights,
    ),
  };
}

function equalWeights(count: number): Float64Array {
  return new Float64Array(count).fill(1 / count);
}

function combined(predictions: readonly Float64Array[], weights: Float64Array): Float64Array {
  const sum = new Float64Array(predictions[0].length);
  for (const [k, prediction] of predictions.entries())
    for (let i = 0; i < sum.length; i++) sum[i] += weights[k] * prediction[i];
  return sum;
}

/** One column for each prediction. */
function sideBySide(predictions: readonly Float64Array[]): DenseMatrix {
  const rows = predictions[0].length;
  const values = new Float64Array(rows * predictions.length);
  for (const [k, prediction] of predictions.entries())
    for (let i = 0; i < rows; i++) values[i * predictions.length + k] = prediction[i];
  return { rows, columns: predictions.length, values };
}
