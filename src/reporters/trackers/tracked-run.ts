import type { Results } from "../../analysis/results.ts";
import type { TrialRecord } from "../../analysis/trial-records.ts";
import { type TrialSummary, trialSummary } from "../../analysis/trial-summary.ts";
import { isolationText, networkText } from "../../trials/trial/isolation.ts";
import { momentOf, plausible } from "../../wording/moments.ts";

/** One trial as a tracker of experiments sees it: settings, numbers that change over time, numbers at the end. */
export interface TrackedRun {
  summary: TrialSummary;
  /** Milliseconds since 1970; null where no record says. */
  startedAt: number | null;
  endedAt: number | null;
  settings: Record<string, string | number | boolean>;
  final: Record<string, number>;
  /** Score by the time at which its submission stood there. */
  history: { elapsedSeconds: number; time: number; score: number }[];
  failed: boolean;
}

export function trackedRuns(results: Results): TrackedRun[] {
  return results.agents.flatMap(({ rows }) =>
    rows.flat().flatMap((record) => (record === null ? [] : [trackedRun(record)])),
  );
}

function trackedRun(record: TrialRecord): TrackedRun {
  const { trial, grade } = record;
  const summary = trialSummary(record);
  const startedAt = momentOf(trial?.startedAt);
  const final: Record<string, number> = {};
  const add = (name: string, value: number | boolean | null | undefined) => {
    if (value != null && Number.isFinite(Number(value))) final[name] = Number(value);
  };
  add("score", summary.score);
  add("percentile", summary.percentile);
  if (grade !== null) {
    add("any_medal", grade.gold_medal || grade.silver_medal || grade.bronze_medal);
    for (const key of [
      "gold_medal",
      "silver_medal",
      "bronze_medal",
      "above_median",
      "valid_submission",
    ] as const)
      add(key, grade[key]);
  }
  add("wall_seconds", summary.wallSeconds);
  add("cpu_seconds", summary.cpuSeconds);
  add("peak_memory_bytes", summary.peakMemoryBytes);
  add("submissions", summary.submissions);
  add("model_calls", summary.modelCalls);
  add("model_tokens", summary.modelTokens);
  add("agent_turns", summary.turns);
  add("model_cost_usd", summary.modelCost);
  return {
    summary,
    startedAt,
    endedAt: momentOf(trial?.endedAt),
    settings: {
      agent: record.agent,
      competition: record.competitionId,
      seed: record.seed,
      competition_version: grade?.competition_version ?? trial?.competition.version ?? "v1",
      sandbox: trial?.sandbox.kind ?? "not recorded",
      isolation: trial === null ? "not recorded" : isolationText(trial),
      network: trial === null ? "not recorded" : networkText(trial),
      external_knowledge: trial?.externalKnowledge ?? false,
      models:
        (trial?.modelAccess?.roles ?? []).map(({ role, name }) => `${role}=${name}`).join(" ") || "none",
      language_model: trial?.modelAccess?.roles.every(({ languageModel }) => languageModel) ?? false,
      leaderboard: grade?.leaderboard ?? "none",
      verification: record.verification ?? "not verified",
      mlebench_version: trial?.mlebenchVersion ?? "not recorded",
    },
    final,
    history: record.timeline.flatMap(({ elapsedSeconds, score }) => {
      const time = plausible((startedAt ?? 0) + elapsedSeconds * 1000);
      return score === null || time === null || !Number.isFinite(score)
        ? []
        : [{ elapsedSeconds, time, score }];
    }),
    failed: trial?.outcome != null && trial.outcome.blame !== null,
  };
}
