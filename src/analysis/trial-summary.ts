import { type Circumstances, circumstancesOf } from "./circumstances.ts";
import type { TrialRecord } from "./trial-records.ts";

/** What a trial comes to, in one word; the medal if it has one. */
export type TrialState =
  | "gold"
  | "silver"
  | "bronze"
  | "above-median"
  | "valid"
  | "invalid"
  | "no-submission"
  | "ungraded"
  | "missing";

export function stateOf(record: TrialRecord | null): TrialState {
  if (record === null) return "missing";
  const { grade } = record;
  if (grade === null) return "ungraded";
  if (grade.gold_medal) return "gold";
  if (grade.silver_medal) return "silver";
  if (grade.bronze_medal) return "bronze";
  if (grade.above_median) return "above-median";
  if (grade.valid_submission) return "valid";
  return grade.submission_exists ? "invalid" : "no-submission";
}

/** One trial without its record: small enough for ten thousand of them. */
export interface TrialSummary extends Circumstances {
  id: string;
  agent: string;
  competitionId: string;
  seed: number;
  state: TrialState;
  score: number | null;
  percentile: number | null;
  stopReason: string | null;
  wallSeconds: number | null;
  peakMemoryBytes: number | null;
  cpuSeconds: number | null;
  bytesWritten: number | null;
  submissions: number | null;
  /** Of its models; null without any. */
  modelCalls: number | null;
  modelTokens: number | null;
  /** USD; null also where it is not known. */
  modelCost: number | null;
  /** False: the cost is at least what it says. */
  modelCostComplete: boolean | null;
}

export function trialSummary(record: TrialRecord): TrialSummary {
  const { id, agent, competitionId, seed, trial, grade } = record;
  const measured = trial?.measurements;
  return {
    id,
    agent,
    competitionId,
    seed,
    state: stateOf(record),
    score: grade?.score ?? null,
    percentile: grade?.percentile ?? null,
    stopReason: trial?.outcome?.stopReason ?? null,
    wallSeconds: measured?.wallSeconds ?? null,
    peakMemoryBytes: measured?.peakMemoryBytes ?? null,
    cpuSeconds: measured?.cpuSeconds ?? null,
    bytesWritten: measured?.bytesWritten ?? null,
    submissions: trial?.submissions.length ?? null,
    modelCalls: trial?.modelTotals === undefined ? null : trial.modelTotals.calls - trial.modelTotals.refused,
    modelTokens: trial?.modelTotals?.tokens.total ?? null,
    modelCost: trial?.modelTotals?.cost ?? null,
    modelCostComplete: trial?.modelTotals?.complete ?? null,
    ...circumstancesOf(record),
  };
}
