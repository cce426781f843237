import { rowsOfFold } from "../../learning/features/folds.ts";
import type { Method } from "./method.ts";

/** What the solutions of one competition share, besides the data that their views read. */
export interface Problem {
  readonly trainRows: number;
  readonly testRows: number;
  /** The fold of each training row. */
  readonly folds: Uint8Array;
  /** How good predictions are for these training rows; more is better. */
  goodness(rows: Int32Array, prediction: Float64Array): number;
  /** Brings predictions of different methods to one scale before they are averaged. */
  scale?(prediction: Float64Array): Float64Array;
}

/** How a submission comes from predictions. */
export interface Decision {
  /** Empty where there is nothing to choose. */
  readonly name: string;
  /** It needs predictions for the training rows, each made without the row itself. */
  readonly tuned: boolean;
  submit(prediction: Float64Array, validated: Float64Array | null): string;
}

export function trainRowsOf({ trainRows }: Problem): Int32Array {
  return Int32Array.from({ length: trainRows }, (_, i) => i);
}

export function testRowsOf({ trainRows, testRows }: Problem): Int32Array {
  return Int32Array.from({ length: testRows }, (_, i) => trainRows + i);
}

/** Predictions for the training rows, those of each fold learned from the other folds. */
export function outOfFold({ folds, trainRows }: Problem, method: Method): Float64Array {
  let result: Float64Array | null = null;
  const count = folds.reduce((most, fold) => Math.max(most, fold), 0) + 1;
  for (let fold = 0; fold < count; fold++) {
    const { train, validation } = rowsOfFold(folds, fold);
    const predicted = method.predict(train, validation);
    const outputs = predicted.length / validation.length;
    result ??= new Float64Array(trainRows * outputs);
    for (let k = 0; k < outputs; k++)
      for (let i = 0; i < validation.length; i++)
        result[k * trainRows + validation[i]] = predicted[k * validation.length + i];
  }
  return result ?? new Float64Array(0);
}
