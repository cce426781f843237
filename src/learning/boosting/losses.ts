/**
 * What boosting minimises. `raw` holds the sums of tree values, one output after another (all rows of the first,
 * then all of the second); `predicted` is the same after `link`. Gradients and hessians are by the raw value, but
 * simplest in terms of the predictions.
 */
interface Loss {
  /** The hessian is the row's weight: needs no computation. */
  readonly constantHessian: boolean;
  /** The best constant for each output. */
  start(target: Float64Array, weights: Float64Array | null, outputs: number): Float64Array;
  gradients(
    target: Float64Array,
    predicted: Float64Array,
    output: number,
    gradient: Float64Array,
    hessian: Float64Array,
  ): void;
  /** Mean over the rows. */
  value(target: Float64Array, raw: Float64Array): number;
  /** A leaf's value from the residuals of its rows, where the Newton step does not serve. */
  readonly leafValue?: (residuals: Float64Array) => number;
  /** Raw values to predictions, in place. */
  link(raw: Float64Array, outputs: number): void;
}

const TINY = 1e-15;

/** Predicts the mean. */
const squared: Loss = {
  constantHessian: true,
  start: (target, weights) => Float64Array.of(weightedMean(target, weights)),
  gradients(target, predicted, _output, gradient) {
    for (let i = 0; i < target.length; i++) gradient[i] = predicted[i] - target[i];
  },
  value: (target, raw) => mean(target.length, (i) => (raw[i] - target[i]) ** 2),
  link: () => {},
};

/** Predicts the median. Weights move the splits, not the medians in the leaves. */
const absolute: Loss = {
  constantHessian: true,
  start: (target) => Float64Array.of(median(target.slice())),
  gradients(target, predicted, _output, gradient) {
    for (let i = 0; i < target.length; i++) gradient[i] = Math.sign(predicted[i] - target[i]);
  },
  value: (target, raw) => mean(target.length, (i) => Math.abs(raw[i] - target[i])),
  leafValue: median,
  link: () => {},
};

/** For targets of 0 and 1 (or shares between): predicts the probability of 1. */
const log: Loss = {
  constantHessian: false,
  start(target, weights) {
    const share = Math.min(Math.max(weightedMean(target, weights), TINY), 1 - TINY);
    return Float64Array.of(Math.log(share / (1 - share)));
  },
  gradients(target, predicted, _output, gradient, hessian) {
    for (let i = 0; i < target.length; i++) {
      const probability = predicted[i];
      gradient[i] = probability - target[i];
      hessian[i] = probability * (1 - probability);
    }
  },
  value: (target, raw) =>
    mean(
      target.length,
      (i) => Math.max(raw[i], 0) - raw[i] * target[i] + Math.log1p(Math.exp(-Math.abs(raw[i]))),
    ),
  link(raw) {
    for (let i = 0; i < raw.length; i++) raw[i] = 1 / (1 + Math.exp(-raw[i]));
  },
};

/** For class numbers 0 … outputs − 1: predicts a probability for each. */
const softmax: Loss = {
  constantHessian: false,
  start(target, weights, outputs) {
    const shares = new Float64Array(outputs);
    for (let i = 0; i < target.length; i++) shares[target[i]] += weights?.[i] ?? 1;
    const total = shares.reduce((sum, share) => sum + share, 0);
    return shares.map((share) => Math.log(Math.max(share / total, TINY)));
  },
  gradients(target, predicted, output, gradient, hessian) {
    const rows = target.length;
    for (let i = 0; i < rows; i++) {
      const probability = predicted[output * rows + i];
      gradient[i] = probability - (target[i] === output ? 1 : 0);
      hessian[i] = probability * (1 - probability);
    }
  },
  value(target, raw) {
    const rows = target.length;
    return mean(rows, (i) => {
      let largest = -Infinity;
      for (let at = i; at < raw.length; at += rows) largest = Math.max(largest, raw[at]);
      let sum = 0;
      for (let at = i; at < raw.length; at += rows) sum += Math.exp(raw[at] - largest);
      return Math.log(sum) + largest - raw[target[i] * rows + i];
    });
  },
  link(raw, outputs) {
    const rows = raw.length / outputs;
    for (let i = 0; i < rows; i++) {
      let largest = -Infinity;
      for (let at = i; at < raw.length; at += rows) largest = Math.max(largest, raw[at]);
      let sum = 0;
      for (let at = i; at < raw.length; at += rows) {
        raw[at] = Math.exp(raw[at] - largest);
        sum += raw[at];
      }
      for (let at = i; at < raw.length; at += rows) raw[at] /= sum;
    }
  },
};

/** For counts and other targets that are not negative: predicts the mean through its logarithm. */
const poisson: Loss = {
  constantHessian: false,
  start: (target, weights) => Float64Array.of(Math.log(Math.max(weightedMean(target, weights), TINY))),
  gradients(target, predicted, _output, gradient, hessian) {
    for (let i = 0; i < target.length; i++) {
      const expected = predicted[i];
      gradient[i] = expected - target[i];
      hessian[i] = expected;
    }
  },
  value: (target, raw) => mean(target.length, (i) => Math.exp(raw[i]) - target[i] * raw[i]),
  link(raw) {
    for (let i = 0; i < raw.length; i++) raw[i] = Math.exp(raw[i]);
  },
};

export const losses = { squared, absolute, log, softmax, poisson } as const;

export type LossName = keyof typeof losses;

function mean(count: number, of: (i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += of(i);
  return sum / count;
}

function weightedMean(values: Float64Array, weights: Float64Array | null): number {
  if (weights === null) return mean(values.length, (i) => values[i]);
  const total = mean(values.length, (i) => weights[i]);
  return mean(values.length, (i) => values[i] * weights[i]) / total;
}

/** Sorts its argument. */
function median(values: Float64Array): number {
  values.sort();
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}
