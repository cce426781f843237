import { numpyMean, numpySum } from "../../metrics/arithmetic/numpy-sum.ts";
import type { GradedRun } from "../reports.ts";
import type { Seeds } from "./seeds.ts";

/** The percentages of the original, in its order. */
const FLAGS = {
  submission_exists_percentage: (run: GradedRun) => run.submission_exists,
  valid_submissions_percentage: (run: GradedRun) => run.valid_submission,
  above_median_percentage: (run: GradedRun) => run.above_median,
  gold_medal_percentage: (run: GradedRun) => run.gold_medal,
  silver_medal_percentage: (run: GradedRun) => run.silver_medal,
  bronze_medal_percentage: (run: GradedRun) => run.bronze_medal,
  any_medal_percentage: hasMedal,
} as const;

export type PercentageName = keyof typeof FLAGS;
export const PERCENTAGES = Object.keys(FLAGS) as PercentageName[];

export interface OriginalMetric {
  mean: number;
  ci_lower: number;
  ci_upper: number;
  standard_error: number;
}

/** The original's own result: mean over seeds, standard error of that mean, and a normal interval of ±1.96 of it. */
export interface OriginalAggregate {
  num_seeds_averaged: number;
  num_competitions_per_seed: number;
  metrics: Record<PercentageName | "total_competitions", OriginalMetric>;
}

export function hasMedal(run: GradedRun): boolean {
  return run.gold_medal || run.silver_medal || run.bronze_medal;
}

/** Whether a run counts for a percentage; a missing run counts for none. */
export function counts(run: GradedRun | null, name: PercentageName): boolean {
  return run !== null && FLAGS[name](run);
}

/** Per seed, the share of the split's competitions for which a flag holds, in per cent; to the last bit as published. */
export function seedPercentages({ runs, competitions }: Seeds, name: PercentageName): number[] {
  return runs.map((seed) => (seed.filter((run) => counts(run, name)).length / competitions.length) * 100);
}

export function originalAggregate(seeds: Seeds): OriginalAggregate {
  const metrics = PERCENTAGES.map((name) => [name, summarise(seedPercentages(seeds, name))] as const);
  const total = summarise(seeds.runs.map(() => seeds.competitions.length));
  return {
    num_seeds_averaged: seeds.runs.length,
    num_competitions_per_seed: seeds.competitions.length,
    metrics: Object.fromEntries([...metrics, ["total_competitions", total]]) as OriginalAggregate["metrics"],
  };
}

function summarise(values: number[]): OriginalMetric {
  const mean = meanOf(values);
  const error = standardError(values);
  return { mean, ci_lower: mean - 1.96 * error, ci_upper: mean + 1.96 * error, standard_error: error };
}

export function meanOf(values: readonly number[]): number {
  return numpyMean(Float64Array.from(values));
}

/** Sample standard deviation over the square root of the count; 0 for a single value, as the original has it. */
function standardError(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = meanOf(values);
  const squares = numpySum(Float64Array.from(values, (value) => (value - mean) * (value - mean)));
  return Math.sqrt(squares / (values.length - 1)) / Math.sqrt(values.length);
}
