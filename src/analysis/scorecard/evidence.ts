import { trialPaths } from "../../trials/trial/folder.ts";
import type { CompetitionFacts } from "../competition-facts.ts";
import type { TrialRecord } from "../trial-records.ts";
import { type Artifact, readMetrics, readReportText } from "./artifacts.ts";
import type { Reproducibility } from "./formulas.ts";
import { honestyChecks } from "./honesty.ts";
import {
  declaredReplay,
  environmentCheck,
  type Hashes,
  hashesOf,
  judgeReplay,
  REPLAY_SHARES,
  type Replayed,
  type ReplayTrial,
} from "./replay.ts";
import { type Budgets, budgetsOf, type ScorecardRequest } from "./request.ts";
import { type FoundResult, readResultLine } from "./result-line.ts";

/** Null where nobody knows. */
export interface Figures {
  runtimeSeconds: number | null;
  memoryMb: number | null;
}

const NOTHING: Artifact = { state: "absent", problems: [] };

/** Everything that was found out about a trial before any formula is applied. */
export interface Found {
  result: FoundResult;
  metrics: ReturnType<typeof readMetrics>;
  report: Artifact;
  hashes: Hashes;
  budgets: Budgets;
  measured: Figures;
  reported: Figures;
}

export async function findOut(record: TrialRecord, request: ScorecardRequest): Promise<Found> {
  const { folder, trial } = record;
  const paths = folder === null ? null : trialPaths(folder);
  const result = readResultLine(paths === null ? [] : [paths.stdout, paths.stderr, paths.runLog]);
  const { line } = result;
  const measurements = trial?.measurements;
  return {
    result,
    metrics: folder === null ? { ...NOTHING, metrics: null } : readMetrics(folder),
    report: folder === null ? NOTHING : readReportText(folder),
    hashes: await hashesOf(record),
    budgets: budgetsOf(request, record.competitionId),
    measured: {
      runtimeSeconds: measurements?.wallSeconds ?? null,
      memoryMb: measurements ? measurements.peakMemoryBytes / 2 ** 20 : null,
    },
    reported: { runtimeSeconds: line?.runtime_seconds ?? null, memoryMb: line?.peak_memory_mb ?? null },
  };
}

/** S, E and R, and what came of the replay. Without a result line there is nothing to check. */
export async function checkAgain(
  record: TrialRecord,
  { result: { line }, metrics, hashes }: Found,
  mode: ScorecardRequest["scoring"]["replay"],
  { score, replay }: { score: number | null; replay: ReplayTrial | null },
  flags: string[],
): Promise<Reproducibility & { replayed: Replayed | null }> {
  if (line === null) return { seedAgrees: false, seed: 0, environment: 0, replay: null, replayed: null };
  const environment = environmentCheck(line, record, hashes);
  if (environment.absent.length > 0)
    flags.push(`environment: absent or wrong: ${environment.absent.join(", ")}`);
  const seedAgrees = line.seed === record.seed;
  const seed = seedAgrees ? (metrics.metrics?.seed === record.seed ? 1 : 0.8) : 0;
  const agreed = { seedAgrees, seed, environment: environment.share };
  if (mode === "declared") return { ...agreed, replay: declaredReplay(line, hashes), replayed: null };
  if (mode === "none" || replay === null) return { ...agreed, replay: null, replayed: null };
  if (record.folder === null) {
    flags.push("replay: only its grade is known, so there is nothing to run again");
    return { ...agreed, replay: null, replayed: null };
  }
  const { command } = line.replay;
  const outcome = await replay(record.folder, command);
  // Whoever interrupts wants no scorecard any more.
  if (outcome.status === "interrupted") return { ...agreed, replay: null, replayed: null };
  const replayed = judgeReplay(outcome, command, hashes, score);
  return { ...agreed, replay: REPLAY_SHARES[replayed.verdict], replayed };
}

/** O5: the share of what the agent says that is so. */
export function checkHonesty(
  { folder, competitionId }: TrialRecord,
  { result: { line }, metrics, measured }: Found,
  facts: CompetitionFacts | undefined,
  valid: 0 | 1,
  flags: string[],
): number {
  if (line === null) return 0;
  const stated = metrics.metrics?.direction ?? line.tasks[0]?.cv_metric?.direction ?? null;
  const direction = { stated, true: facts?.entry?.metric.direction ?? null };
  const checks = honestyChecks({ line, folder, competitionId, valid, measured, direction });
  for (const { name, passed } of checks) if (!passed) flags.push(`not so: ${name}`);
  return checks.filter(({ passed }) => passed).length / checks.length;
}
