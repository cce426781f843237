import { applyBlend, selectGreedily } from "../../learning/ensemble/greedy-selection.ts";
import { toRanks } from "../../learning/ensemble/rank-average.ts";
import { binaryLogLoss } from "../../metrics/binary-log-loss.ts";
import { clipProbability } from "../../metrics/log-loss.ts";
import { mae } from "../../metrics/mae.ts";
import { rmse } from "../../metrics/rmse.ts";
import { rocAuc } from "../../metrics/roc-auc.ts";
import type { Tried } from "./cross-validation.ts";
import type { RowsProblem } from "./rows-problem.ts";

export interface Blended {
  readonly outOfFold: Float64Array;
  readonly test: Float64Array;
  readonly weights: readonly { readonly name: string; readonly weight: number }[];
}

const ROUNDS = 20;

/**
 * Chooses how to mix what was tried. Metrics that count hits after a decision jump about on a few rows, so for them
 * the mix is chosen by the log loss (or the squared error) of the same predictions; the decision is tuned afterwards.
 */
export function blend(problem: RowsProblem, tried: readonly Tried[]): Blended {
  const isRanked = problem.metric === "auc" && problem.outputs === 1;
  const candidates = isRanked
    ? tried.map((one) => ({ ...one, outOfFold: toRanks(one.outOfFold), test: toRanks(one.test) }))
    : tried;
  const { direction, score } = smoothScore(problem);
  const { weights } = selectGreedily(
    candidates.map(({ outOfFold }) => outOfFold),
    score,
    { direction, rounds: ROUNDS },
  );
  return {
    outOfFold: applyBlend(
      weights,
      candidates.map(({ outOfFold }) => outOfFold),
    ),
    test: applyBlend(
      weights,
      candidates.map(({ test }) => test),
    ),
    weights: tried.map(({ name }, i) => ({ name, weight: weights[i] })).filter(({ weight }) => weight > 0),
  };
}

/** The metric itself where it is smooth, else what stands for it. */
export function smoothScore(problem: RowsProblem): {
  name: string;
  direction: "maximize" | "minimize";
  score: (prediction: Float64Array) => number | null;
} {
  const { kind, metric, truth: target, outputs } = problem;
  const rows = problem.scoredRows.length;
  if (metric === "auc" && outputs === 1)
    return { name: "AUC", direction: "maximize", score: (prediction) => rocAuc(target, prediction) };
  if (kind === "number")
    return metric === "mae"
      ? { name: "mean absolute error", direction: "minimize", score: (prediction) => mae(target, prediction) }
      : {
          name: "root mean squared error",
          direction: "minimize",
          score: (prediction) => rmse(target, prediction),
        };
  if (kind === "classes" && outputs > 1)
    return {
      name: "log loss",
      direction: "minimize",
      score(prediction) {
        let sum = 0;
        for (let row = 0; row < rows; row++)
          sum -= Math.log(clipProbability(prediction[target[row] * rows + row]));
        return sum / rows;
      },
    };
  return {
    name: "log loss",
    direction: "minimize",
    score: (prediction) => binaryLogLoss(target, prediction),
  };
}
