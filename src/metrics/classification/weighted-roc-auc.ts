import { numpySum } from "../arithmetic/numpy-sum.ts";
import { rocPoints } from "../arithmetic/roc-curve.ts";

const KNEE = 0.4;
const LOW_BAND_WEIGHT = 2;
const HIGH_BAND_WEIGHT = 1;
const FULL_AREA = KNEE * LOW_BAND_WEIGHT + (1 - KNEE) * HIGH_BAND_WEIGHT;

interface Curve {
  x: number[];
  y: number[];
}

/**
 * The ALASKA2 score: the area under the ROC curve with true positive rates up to 0.4 counting double.
 * A point is interpolated at exactly 0.4, which the well-known public version of this metric does not do.
 * Null as for `rocAuc`.
 */
export function weightedRocAuc(truth: ArrayLike<number>, score: Float64Array): number | null {
  const points = rocPoints(truth, score);
  if (points === null) return null;
  const negatives = points.falsePositives[points.falsePositives.length - 1];
  const positives = points.truePositives[points.truePositives.length - 1];
  const curve = {
    x: Array.from(points.falsePositives, (count) => count / negatives),
    y: Array.from(points.truePositives, (count) => count / positives),
  };
  insertKnee(curve);
  const low = bandArea(curve, 0, KNEE) * LOW_BAND_WEIGHT;
  const high = bandArea(curve, KNEE, 1) * HIGH_BAND_WEIGHT;
  return (low + high) / FULL_AREA;
}

function insertKnee({ x, y }: Curve): void {
  if (y.includes(KNEE)) return;
  const after = y.findIndex((rate) => rate > KNEE);
  const before = after - 1;
  const knee = x[before] + ((x[after] - x[before]) * (KNEE - y[before])) / (y[after] - y[before]);
  x.splice(after, 0, knee);
  y.splice(after, 0, KNEE);
}

function bandArea(curve: Curve, lower: number, upper: number): number {
  const x: number[] = [];
  const y: number[] = [];
  for (let i = 0; i < curve.y.length; i++) {
    if (curve.y[i] < lower || curve.y[i] > upper) continue;
    x.push(curve.x[i]);
    y.push(curve.y[i] - lower);
  }
  x.push(1);
  y.push(upper - lower);
  const terms = new Float64Array(x.length - 1);
  for (let i = 0; i < terms.length; i++) terms[i] = ((x[i + 1] - x[i]) * (y[i + 1] + y[i])) / 2;
  return numpySum(terms);
}
