import { applyBlend, selectGreedily } from "../../../learning/ensemble/greedy-selection.ts";
import { toRanks } from "../../../learning/ensemble/rank-average.ts";
import { applyCutPoints, cutsByShare } from "../../../learning/ensemble/thresholds.ts";
import { accuracy } from "../../../metrics/classification/accuracy.ts";
import { binaryLogLoss } from "../../../metrics/classification/binary-log-loss.ts";
import { clipProbability } from "../../../metrics/classification/log-loss.ts";
import { macroF1 } from "../../../metrics/classification/macro-f1.ts";
import { quadraticWeightedKappa } from "../../../metrics/classification/quadratic-kappa.ts";
import { rocAuc } from "../../../metrics/classification/roc-auc.ts";
import { mae } from "../../../metrics/regression/mae.ts";
import { rmse } from "../../../metrics/regression/rmse.ts";
import type { RowsProblem } from "../solvers/rows-problem.ts";
import type { Tried } from "./cross-validation.ts";
import { classShares, likeliest } from "./likeliest.ts";

export interface Blended {
  readonly outOfFold: Float64Array;
  readonly test: Float64Array;
  readonly weights: readonly { readonly name: string; readonly weight: number }[];
}

const ROUNDS = 20;

/**
 * Chooses how to mix what was tried: by the metric itself where it is smooth. Metrics that count hits after a decision
 * jump about on a few rows; for them the log loss (or the squared error) of the same predictions stands in, unless
 * mixing by hits is better on rows that the mix was not chosen on. The decision is tuned afterwards.
 */
export function blend(problem: RowsProblem, tried: readonly Tried[], wantsLabel: boolean): Blended {
  const isRanked = problem.metric === "auc" && problem.outputs === 1;
  const candidates = isRanked
    ? tried.map((one) => ({ ...one, outOfFold: toRanks(one.outOfFold), test: toRanks(one.test) }))
    : tried;
  const known = candidates.map(({ outOfFold }) => outOfFold);
  const bySmoothScore = (part: RowsProblem, own: readonly Float64Array[]) =>
    selectGreedily(own, smoothScore(part).score, {
      direction: smoothScore(part).direction,
      rounds: ROUNDS,
    }).weights;
  const byHits = (part: RowsProblem, own: readonly Float64Array[]) =>
    selectGreedily(own, hitScore(part, wantsLabel) ?? (() => null), { direction: "maximize", rounds: ROUNDS })
      .weights;
  const choose = hitsAreBetter(problem, known, wantsLabel, bySmoothScore, byHits) ? byHits : bySmoothScore;
  const weights = choose(problem, known);
  return {
    outOfFold: applyBlend(weights, known),
    test: applyBlend(
      weights,
      candidates.map(({ test }) => test),
    ),
    weights: tried.map(({ name }, i) => ({ name, weight: weights[i] })).filter(({ weight }) => weight > 0),
  };
}

type ChooseWeights = (part: RowsProblem, candidates: readonly Float64Array[]) => Float64Array;

/** Each half of the rows judges the weights that were chosen on the other. */
function hitsAreBetter(
  problem: RowsProblem,
  candidates: readonly Float64Array[],
  wantsLabel: boolean,
  bySmoothScore: ChooseWeights,
  byHits: ChooseWeights,
): boolean {
  if (candidates.length < 2 || hitScore(problem, wantsLabel) === null) return false;
  let difference = 0;
  for (const half of [0, 1]) {
    const [chosen, judging] = [halfOf(problem, candidates, half), halfOf(problem, candidates, 1 - half)];
    const judge = hitScore(judging.problem, wantsLabel);
    const worth = (choose: ChooseWeights) =>
      judge?.(applyBlend(choose(chosen.problem, chosen.candidates), judging.candidates)) ?? 0;
    difference += worth(byHits) - worth(bySmoothScore);
  }
  return difference > 0;
}

/** Every other scored row. */
function halfOf(problem: RowsProblem, candidates: readonly Float64Array[], half: number) {
  const rows = problem.scoredRows.length;
  const isKept = (_: number, at: number) => (at % rows) % 2 === half;
  const scoredRows = problem.scoredRows.filter(isKept);
  return {
    problem: { ...problem, scoredRows, truth: problem.truth.filter(isKept) },
    candidates: candidates.map((own) => own.filter(isKept)),
  };
}

/** The metric after a simple decision, for metrics that count hits and are quickly computed; else null. */
function hitScore(
  { kind, metric, truth, classes, scoredRows }: RowsProblem,
  wantsLabel: boolean,
): ((prediction: Float64Array) => number | null) | null {
  if (kind === "number" && metric === "kappa")
    return (prediction) =>
      quadraticWeightedKappa(truth, applyCutPoints(prediction, cutsByShare(truth, prediction, classes)));
  if (kind !== "classes" || !wantsLabel) return null;
  const shares = classShares(truth, classes);
  const measure = metric === "macro-f1" ? macroF1 : accuracy;
  return (prediction) => measure(truth, likeliest(prediction, scoredRows.length, shares, 0));
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
