import { readAgentSummary, turnsOf } from "../agents/kit/agent-summary.ts";
import { releasedOn } from "../integrity/contamination/contamination.ts";
import { isDisqualified } from "../integrity/findings/of-trial.ts";
import { type Circumstances, circumstancesOf } from "./circumstances.ts";
import type { ResultState } from "./result-states.ts";
import type { TrialRecord } from "./trial-records.ts";

export function stateOf(record: Pick<TrialRecord, "grade" | "integrity"> | null): ResultState {
  if (record === null) return "missing";
  const { grade } = record;
  if (grade === null) return "ungraded";
  if (record.integrity !== null && isDisqualified(record.integrity)) return "disqualified";
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
  /** When the competition was opened; null where the catalogue has no date. */
  released: string | null;
  seed: number;
  state: ResultState;
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
  /** As the agent counts them, and how often it was started again; null where it does not. */
  turns: number | null;
  continuations: number | null;
}

export function trialSummary(record: TrialRecord): TrialSummary {
  const { id, agent, competitionId, seed, trial, grade } = record;
  const measured = trial?.measurements;
  const own = ownWords(record);
  return {
    id,
    agent,
    competitionId,
    released: releasedOn(competitionId),
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
    turns: own?.turns ?? null,
    continuations: own?.continuations ?? null,
    ...circumstancesOf(record),
  };
}

/** The grading report has them; a trial that is not graded says them itself. */
function ownWords({
  grade,
  trial,
  folder,
}: TrialRecord): Pick<TrialSummary, "turns" | "continuations"> | null {
  if (grade?.turns != null) return { turns: grade.turns, continuations: grade.continuations ?? 0 };
  if (grade !== null || folder === null || trial?.modelTotals === undefined) return null;
  const summary = readAgentSummary(folder);
  return summary && { ...summary, turns: turnsOf(summary, trial.modelTotals) };
}
