import type { Features } from "./features.ts";
import { foldView } from "./fold-view.ts";
import type { Candidate } from "./plan.ts";
import type { RowsProblem } from "./rows-problem.ts";

/** A candidate's predictions, one output after another. */
export interface Tried {
  readonly name: string;
  /** For each training row, by a model that had not seen it. */
  readonly outOfFold: Float64Array;
  /** For each test row, the mean over the folds' models. */
  readonly test: Float64Array;
}

/** Tries candidates on the problem's folds; null for one that the clock cut. */
export function crossValidator(features: Features, problem: RowsProblem, shouldStop: () => boolean) {
  const views = problem.folds.map((fold, number) => foldView(features, problem, fold, number));
  const { outputs, trainRows, testRows } = problem;
  return ({ name, learn }: Candidate): Tried | null => {
    const outOfFold = new Float64Array(outputs * trainRows);
    const test = new Float64Array(outputs * testRows);
    for (const [number, view] of views.entries()) {
      if (shouldStop()) return null;
      const predicted = learn(view, shouldStop);
      if (shouldStop()) return null;
      const { validation } = problem.folds[number];
      const asked = view.asked.length;
      for (let output = 0; output < outputs; output++) {
        const own = predicted.subarray(output * asked, (output + 1) * asked);
        for (let i = 0; i < validation.length; i++) outOfFold[output * trainRows + validation[i]] = own[i];
        for (let i = 0; i < testRows; i++)
          test[output * testRows + i] += own[validation.length + i] / views.length;
      }
    }
    return { name, outOfFold, test };
  };
}
