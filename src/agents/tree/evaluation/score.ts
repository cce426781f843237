import { accuracy } from "../../../metrics/classification/accuracy.ts";
import { binaryLogLoss } from "../../../metrics/classification/binary-log-loss.ts";
import { clipProbability } from "../../../metrics/classification/log-loss.ts";
import { macroF1 } from "../../../metrics/classification/macro-f1.ts";
import { microF1 } from "../../../metrics/classification/micro-f1.ts";
import { quadraticWeightedKappa } from "../../../metrics/classification/quadratic-kappa.ts";
import { rocAuc } from "../../../metrics/classification/roc-auc.ts";
import { dice } from "../../../metrics/pictures/mask-scores.ts";
import { parseRuns } from "../../../metrics/pictures/run-length.ts";
import { mae } from "../../../metrics/regression/mae.ts";
import { rmse } from "../../../metrics/regression/rmse.ts";
import { rmsle } from "../../../metrics/regression/rmsle.ts";
import { levenshteinOf } from "../../../metrics/sequences/levenshtein.ts";
import { toNumber } from "../../baseline/reading/cells.ts";
import type { Scoring } from "./task.ts";

type Cell = readonly string[];

/** Null where the predictions, or the few rows there are, have no score. */
export function scoreRows(
  { metric, kind }: Scoring,
  truth: readonly Cell[],
  predicted: readonly Cell[],
  classes: readonly string[],
): number | null {
  if (truth.length === 0) return null;
  const value = ((): number | null => {
    switch (kind) {
      case "probability":
        return perColumn(truth, predicted, (own, given) =>
          metric === "auc" ? rocAuc(own, given) : metric === "log-loss" ? binaryLogLoss(own, given) : null,
        );
      case "number":
      case "grade":
        return perColumn(truth, predicted, (own, given) => numberScore(metric, own, given));
      case "label":
        return labelScore(metric, truth, predicted);
      case "label set":
        return setScore(truth, predicted);
      case "probabilities":
        return metric === "log-loss" ? classLoss(truth, predicted, classes) : null;
      case "sequence":
        return mean(truth.map(([own], row) => tokenDistance(own, predicted[row][0])));
      case "masks":
        return mean(truth.map(([own], row) => maskDice(own, predicted[row][0])));
    }
  })();
  return value !== null && Number.isFinite(value) ? value : null;
}

function perColumn(
  truth: readonly Cell[],
  predicted: readonly Cell[],
  score: (truth: Float64Array, predicted: Float64Array) => number | null,
): number | null {
  const values = truth[0].map((_, column) => {
    const own = Float64Array.from(truth, (row) => toNumber(row[column]));
    const given = Float64Array.from(predicted, (row) => toNumber(row[column] ?? ""));
    return given.some(Number.isNaN) ? null : score(own, given);
  });
  return values.every((value) => value !== null) ? mean(values) : null;
}

function numberScore(metric: string, truth: Float64Array, predicted: Float64Array): number | null {
  if (metric === "kappa") return quadraticWeightedKappa(truth, predicted.map(Math.round));
  if (metric === "mae") return mae(truth, predicted);
  if (metric === "rmsle") return predicted.some((value) => value <= -1) ? null : rmsle(truth, predicted);
  return metric === "rmse" ? rmse(truth, predicted) : null;
}

function labelScore(metric: string, truth: readonly Cell[], predicted: readonly Cell[]): number {
  const codes = new Map<string, number>();
  const code = (label: string) => {
    // 1 and 1.0 are one label: scripts write what their library makes of it.
    const number = toNumber(label);
    const key = Number.isNaN(number) ? label : String(number);
    if (!codes.has(key)) codes.set(key, codes.size);
    return codes.get(key)!;
  };
  const values = truth[0].map((_, column) => {
    const own = truth.map((row) => code(row[column]));
    const given = predicted.map((row) => code(row[column] ?? ""));
    return metric === "macro-f1" ? macroF1(own, given) : accuracy(own, given);
  });
  return mean(values);
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

function setScore(truth: readonly Cell[], predicted: readonly Cell[]): number {
  let [hits, own, given] = [0, 0, 0];
  for (const [row, [cell]] of truth.entries()) {
    const [wanted, got] = [new Set(words(cell)), new Set(words(predicted[row][0] ?? ""))];
    own += wanted.size;
    given += got.size;
    for (const word of got) if (wanted.has(word)) hits += 1;
  }
  return microF1(hits, own, given);
}

function classLoss(
  truth: readonly Cell[],
  predicted: readonly Cell[],
  classes: readonly string[],
): number | null {
  const losses = truth.map(([label], row) => {
    const values = predicted[row].map(toNumber);
    const sum = values.reduce((total, value) => total + value, 0);
    return -Math.log(clipProbability(values[classes.indexOf(label)] / sum));
  });
  return losses.some(Number.isNaN) ? null : mean(losses);
}

function tokenDistance(truth: string, predicted: string): number {
  const codes = new Map<string, number>();
  const list = (text: string) =>
    words(text).map((word) => {
      if (!codes.has(word)) codes.set(word, codes.size);
      return codes.get(word)!;
    });
  return levenshteinOf(list(truth), list(predicted ?? ""));
}

/** The pictures' sizes are not known here; no run lies beyond this. */
const PIXELS = 2 ** 31 - 1;

function maskDice(truth: string, predicted: string): number {
  const [own, given] = [parseRuns(truth, PIXELS), parseRuns(predicted ?? "", PIXELS)];
  return "error" in own || "error" in given ? 0 : dice(own, given, 1);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
