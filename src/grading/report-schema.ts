import { z } from "zod";
import { Blame } from "../wording/problem.ts";
import { Noise, Reason, ScoreKind } from "./grade-schema.ts";

const Threshold = z.number().nullable();

/** One graded submission: the original's keys first, ours behind them. */
export const CompetitionReport = z.object({
  competition_id: z.string(),
  score: z.number().nullable(),
  gold_threshold: Threshold,
  silver_threshold: Threshold,
  bronze_threshold: Threshold,
  median_threshold: Threshold,
  any_medal: z.boolean(),
  gold_medal: z.boolean(),
  silver_medal: z.boolean(),
  bronze_medal: z.boolean(),
  above_median: z.boolean(),
  submission_exists: z.boolean(),
  valid_submission: z.boolean(),
  is_lower_better: z.boolean().nullable(),
  created_at: z.string(),
  submission_path: z.string(),
  score_kind: ScoreKind,
  /** Which way scores go, also where there is no board. Earlier reports do not say. */
  direction: z.enum(["maximize", "minimize"]).nullish(),
  status: z.enum(["scored", "invalid", "missing", "unprepared", "unknown-competition", "failed"]),
  competition_version: z.enum(["v1", "v2"]),
  leaderboard: z.string().nullable(),
  rank: z.number().int().nullable(),
  percentile: z.number().nullable(),
  exact_rank: z.boolean(),
  teams: z.number().int().nullable(),
  distance_to_medals: z.object({ gold: z.number(), silver: z.number(), bronze: z.number() }).nullable(),
  normalised_score: z.number().nullable(),
  crowded_board: z.boolean().nullable(),
  fragile_medal: z.boolean(),
  near_miss: z.boolean(),
  noise: Noise.nullable(),
  reasons: z.array(Reason),
  reason_count: z.number().int(),
  message: z.string().nullable(),
  blame: Blame.nullable(),
  retryable: z.boolean().nullable(),
});
export type CompetitionReport = z.infer<typeof CompetitionReport>;

export const GradingReport = z.object({
  total_runs: z.number().int(),
  total_runs_with_submissions: z.number().int(),
  total_valid_submissions: z.number().int(),
  total_medals: z.number().int(),
  total_gold_medals: z.number().int(),
  total_silver_medals: z.number().int(),
  total_bronze_medals: z.number().int(),
  total_above_median: z.number().int(),
  competition_reports: z.array(CompetitionReport),
  schema: z.literal("mlebench/grading-report"),
  version: z.literal(1),
  created_at: z.string(),
  mlebench_version: z.string(),
  broken_lines: z.array(z.object({ line: z.number().int(), message: z.string() })),
});
export type GradingReport = z.infer<typeof GradingReport>;
