import v8 from "node:v8";
import vm from "node:vm";
import { type BinnedMatrix, binFeatures } from "../../../learning/boosting/bins.ts";
import type { FeatureSource } from "../features/features.ts";
import type { Predictor } from "../learners.ts";
import { binsFor, type Candidate } from "../plan.ts";
import type { RowsProblem } from "../solvers/rows-problem.ts";
import { foldView } from "./fold-view.ts";

/** A candidate's predictions, one output after another. */
export interface Tried {
  readonly name: string;
  /** For each scored row, by a model that had not seen it. */
  readonly outOfFold: Float64Array;
  /** For each test row, the mean over the folds' models. */
  readonly test: Float64Array;
}

const MANY_NUMBERS = 500_000;

/** Tries candidates on the problem's folds; null for one that the clock cut. */
export function crossValidator(source: FeatureSource, problem: RowsProblem, shouldStop: () => boolean) {
  let bins: BinnedMatrix | null = null;
  const numberBins = () => {
    bins ??= binFeatures(source.train.numbers, { maxBins: binsFor(source.train.numbers.columns) });
    return bins;
  };
  const views = problem.folds.map((fold, number) =>
    foldView(source.train, problem, fold, number, numberBins),
  );
  const { outputs, scoredRows } = problem;
  const textEntries = source.train.texts?.matrix.indices.length ?? 0;
  const isLarge = source.train.numbers.values.length + source.testRows + textEntries > MANY_NUMBERS;
  const { testRows } = source;
  const placeOf = new Int32Array(problem.trainRows);
  for (let place = 0; place < scoredRows.length; place++) placeOf[scoredRows[place]] = place;
  return ({ name, learn }: Candidate): Tried | null => {
    const outOfFold = new Float64Array(outputs * scoredRows.length);
    const test = new Float64Array(outputs * testRows);
    const predictTest = (models: ReadonlyMap<number, Predictor>) => {
      for (const { from, features } of source.blocks())
        for (const [number, predict] of models) {
          if (shouldStop()) return;
          const own = predict(views[number].askAll(features));
          for (let output = 0; output < outputs; output++)
            for (let i = 0; i < features.rows; i++)
              test[output * testRows + from + i] += own[output * features.rows + i] / views.length;
        }
    };
    const models = new Map<number, Predictor>();
    for (const [number, view] of views.entries()) {
      if (shouldStop()) return null;
      const predict = learn(view, shouldStop);
      if (shouldStop()) return null;
      const { validation } = problem.folds[number];
      const held = predict(view.askRows(validation));
      for (let output = 0; output < outputs; output++)
        for (let i = 0; i < validation.length; i++)
          outOfFold[output * scoredRows.length + placeOf[validation[i]]] =
            held[output * validation.length + i];
      models.set(number, predict);
      if (isLarge) collectGarbage();
      // Blocks are costly to describe, models to keep: several blocks wait for all models, one does not.
      if (source.blockCount > 1) continue;
      predictTest(models);
      models.clear();
    }
    if (models.size > 0) predictTest(models);
    return shouldStop() ? null : { name, outOfFold, test };
  };
}

let collect: (() => void) | null = null;

/**
 * Frees what is no longer used, now. The collector looks at its own heap and hardly sees the large blocks outside that
 * hang on it: between two fits they would pile up far beyond the budget.
 */
function collectGarbage(): void {
  if (collect === null) {
    v8.setFlagsFromString("--expose-gc");
    collect = vm.runInNewContext("gc") as () => void;
  }
  collect();
}
