import type { Decision } from "../making/problem.ts";
import type { WriteSubmission } from "./read-table.ts";

/** The likeliest class of each row; with `shares` chances are first divided by how frequent each class is. */
export function likeliestClasses(
  chances: Float64Array,
  classes: number,
  shares: Float64Array | null,
): Int32Array {
  const rows = chances.length / classes;
  return Int32Array.from({ length: rows }, (_, row) => {
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < classes; k++) {
      const value = chances[k * rows + row] / (shares ? shares[k] : 1);
      if (value > most) [best, most] = [k, value];
    }
    return best;
  });
}

export function classShares(labels: Float64Array, classes: number): Float64Array {
  const shares = new Float64Array(classes);
  for (const label of labels) shares[label] += 1 / labels.length;
  return shares;
}

export function likeliest(classes: number, write: WriteSubmission): Decision {
  return {
    name: "",
    tuned: false,
    submit(prediction) {
      const labels = likeliestClasses(prediction, classes, null);
      return write((row) => labels[row]);
    },
  };
}

/** For metrics that weigh rare classes like frequent ones. */
export function likeliestForItsShare(
  classes: number,
  shares: Float64Array,
  write: WriteSubmission,
): Decision {
  return {
    name: "rare classes preferred",
    tuned: false,
    submit(prediction) {
      const labels = likeliestClasses(prediction, classes, shares);
      return write((row) => labels[row]);
    },
  };
}

/** The sum over rows of right answers, each class weighing alike: close to what macro F1 rewards. */
export function balancedGoodness(labels: Float64Array, classes: number) {
  return (rows: Int32Array, prediction: Float64Array): number => {
    const predicted = likeliestClasses(prediction, classes, null);
    const shares = classShares(
      Float64Array.from(rows, (row) => labels[row]),
      classes,
    );
    return rows.reduce(
      (sum, row, i) => sum + (predicted[i] === labels[row] ? 1 / (shares[labels[row]] * rows.length) : 0),
      0,
    );
  };
}
