import { clip, seenRange } from "../../../learning/ensemble/clipping.ts";
import { applyCutPoints, bestKappaCuts, bestThreshold } from "../../../learning/ensemble/thresholds.ts";
import { accuracy } from "../../../metrics/classification/accuracy.ts";
import { macroF1 } from "../../../metrics/classification/macro-f1.ts";
import { quadraticWeightedKappa } from "../../../metrics/classification/quadratic-kappa.ts";
import type { RowsProblem } from "../solvers/rows-problem.ts";
import type { Journal } from "../workbench.ts";
import { smoothScore } from "./blend.ts";
import { classShares, likeliest } from "./likeliest.ts";

/** From predictions to what is submitted, and what that is worth on the training rows. */
export interface Decision {
  /** By the task's metric where we have it, on out-of-fold predictions; null without one. */
  readonly score: number | null;
  /** In words, for the report. */
  readonly rule: string;
  /** Numbers, class numbers or 0 and 1 for the test rows, one output after another. */
  readonly test: Float64Array;
}

const MIN_PROBABILITY = 0.002;
const POWERS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Cuts at thresholds tuned on out-of-fold predictions where the metric counts hits; keeps numbers in the range seen. */
export function decide(
  problem: RowsProblem,
  outOfFold: Float64Array,
  test: Float64Array,
  wantsLabel: boolean,
): Decision {
  const { kind, truth: target, metric, classes } = problem;
  const smooth = smoothScore(problem);
  if (kind === "number" && metric === "kappa") {
    const cuts = bestKappaCuts(target, outOfFold, classes);
    const score = quadraticWeightedKappa(target, applyCutPoints(outOfFold, cuts));
    return {
      score,
      rule: `grades cut at ${Array.from(cuts, short).join(", ")}`,
      test: Float64Array.from(applyCutPoints(test, cuts)),
    };
  }
  if (kind === "number") {
    const { low, high } = seenRange(target);
    const middle = (low + high) / 2;
    return {
      score: smooth.score(clip(outOfFold, low, high, middle)),
      rule: `numbers kept between ${short(low)} and ${short(high)}`,
      test: clip(test, low, high, middle),
    };
  }
  if (kind === "labels") {
    const { threshold, value } = bestThreshold(target, outOfFold);
    return {
      score: value,
      rule: `labels from ${short(threshold)} on`,
      test: test.map((one) => Number(one >= threshold)),
    };
  }
  if (wantsLabel) return decideLabels(problem, outOfFold, test);
  const [low, high] = metric === "auc" ? [0, 1] : [MIN_PROBABILITY, 1 - MIN_PROBABILITY];
  const kept = (prediction: Float64Array) => addingUpToOne(clip(prediction, low, high, 0.5), problem.outputs);
  return {
    score: smooth.score(kept(outOfFold)),
    rule: `probabilities kept between ${low} and ${high}`,
    test: kept(test),
  };
}

/** One probability per class: what was kept inside a range no longer adds up to 1, and such a row is invalid. */
export function addingUpToOne(probability: Float64Array, outputs: number): Float64Array {
  if (outputs < 2) return probability;
  const rows = probability.length / outputs;
  const sums = new Float64Array(rows);
  for (let i = 0; i < probability.length; i++) sums[i % rows] += probability[i];
  return probability.map((value, i) => value / sums[i % rows]);
}

/** The likeliest class, after dividing by a power of how frequent it is: rare classes count as much in a macro mean. */
function decideLabels(problem: RowsProblem, outOfFold: Float64Array, test: Float64Array): Decision {
  const { truth: target, metric, testRows, classes } = problem;
  const rows = target.length;
  const measure = metric === "macro-f1" ? macroF1 : accuracy;
  const shares = classShares(target, classes);
  let best = { power: 0, score: Number.NEGATIVE_INFINITY };
  for (const power of metric === "macro-f1" ? POWERS : [0]) {
    const score = measure(target, likeliest(outOfFold, rows, shares, power));
    if (score > best.score) best = { power, score };
  }
  return {
    score: best.score,
    rule: `the likeliest class, weighted by frequency to the power of ${-best.power}`,
    test: likeliest(test, testRows, shares, best.power),
  };
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** What a decision is scored by where the task names no metric that we know. */
export function decisionMeasure(problem: RowsProblem, wantsLabel: boolean): NonNullable<Journal["measure"]> {
  if (problem.kind === "labels") return { name: "F1", direction: "maximize" };
  if (wantsLabel) return { name: "accuracy", direction: "maximize" };
  const { name, direction } = smoothScore(problem);
  return { name, direction };
}
