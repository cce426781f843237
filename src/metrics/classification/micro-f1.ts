import { fBeta } from "./f-beta.ts";

/** F1 from label occurrences counted over all rows and classes; 0 when nothing is true and nothing predicted. */
export function microF1(truePositives: number, trueCount: number, predictedCount: number): number {
  return fBeta(truePositives, trueCount, predictedCount, 1);
}
