import { standing } from "../leaderboards/standing.ts";
import { trialPaths } from "../trials/trial-folder.ts";
import type { CompetitionFacts } from "./competition-facts.ts";
import { type Artifact, readMetrics, readReportText } from "./scorecard-artifacts.ts";
import {
  artifactValidity,
  CAP_WITHOUT_RESULT,
  type Degree,
  type Dimensions,
  efficiency,
  overallOf,
  reproducibility,
  taskQuality,
} from "./scorecard-formulas.ts";
import { honestyChecks } from "./scorecard-honesty.ts";
import {
  declaredReplay,
  environmentCheck,
  executedReplay,
  hashesOf,
  type ReplayTrial,
} from "./scorecard-replay.ts";
import { type Budgets, budgetsOf, type ScorecardRequest, weightOf } from "./scorecard-request.ts";
import { type FoundResult, readResultLine } from "./scorecard-result-line.ts";
import type { TrialRecord } from "./trial-records.ts";

/** One task's part of a scorecard: every figure that went into it, and what came out. */
export interface ScoredUnit {
  competitionId: string;
  trialId: string | null;
  weight: number;
  score: number | null;
  /** Share of people beaten, 0 to 1; null when nothing could be compared. */
  percentile: number | null;
  medal: "gold" | "silver" | "bronze" | null;
  V: 0 | 1;
  m: Degree;
  r: Degree;
  artifactValidity: number;
  budgets: Budgets;
  measured: { runtimeSeconds: number | null; memoryMb: number | null };
  reported: { runtimeSeconds: number | null; memoryMb: number | null };
  x: number;
  y: number;
  seed: { requested: number; reported: number | null };
  S: number;
  E: number;
  R: number | null;
  O: [number, number, number, number, number];
  dimensions: Dimensions;
  computed: number;
  overall: number;
  resultStatus: FoundResult["status"];
  caps: string[];
  flags: string[];
}

const DEGREES: Record<Artifact["state"], Degree> = { valid: 1, invalid: 0.5, absent: 0 };
const NO_DIMENSIONS: Dimensions = { quality: 0, efficiency: 0, reproducibility: 0, operations: 0 };

/** A task that was asked for and has no trial. */
export function missingUnit(competitionId: string, request: ScorecardRequest, seed: number): ScoredUnit {
  return {
    competitionId,
    trialId: null,
    weight: weightOf(request, competitionId),
    score: null,
    percentile: null,
    medal: null,
    V: 0,
    m: 0,
    r: 0,
    artifactValidity: 0,
    budgets: budgetsOf(request, competitionId),
    measured: { runtimeSeconds: null, memoryMb: null },
    reported: { runtimeSeconds: null, memoryMb: null },
    x: 1,
    y: 1,
    seed: { requested: seed, reported: null },
    S: 0,
    E: 0,
    R: null,
    O: [0, 0, 0, 0, 0],
    dimensions: NO_DIMENSIONS,
    computed: 0,
    overall: 0,
    resultStatus: "missing",
    caps: ["no trial: 0"],
    flags: ["no trial"],
  };
}

export async function scoreUnit(
  record: TrialRecord,
  facts: CompetitionFacts | undefined,
  request: ScorecardRequest,
  replay: ReplayTrial | null,
): Promise<ScoredUnit> {
  const { competitionId, folder, trial, grade } = record;
  const { scoring } = request;
  const budgets = budgetsOf(request, competitionId);
  const paths = folder === null ? null : trialPaths(folder);
  const result = readResultLine(paths === null ? [] : [paths.stdout, paths.stderr, paths.runLog]);
  const { line } = result;
  const flags = result.problems.map((problem) => `result line: ${problem}`);
  const metrics = folder === null ? { ...NOTHING, metrics: null } : readMetrics(folder);
  const report = folder === null ? NOTHING : readReportText(folder);
  flags.push(...metrics.problems, ...report.problems);
  const [m, r] = [DEGREES[metrics.state], DEGREES[report.state]];

  const measured = {
    runtimeSeconds: trial?.measurements?.wallSeconds ?? null,
    memoryMb: trial?.measurements ? trial.measurements.peakMemoryBytes / 2 ** 20 : null,
  };
  const reported = { runtimeSeconds: line?.runtime_seconds ?? null, memoryMb: line?.peak_memory_mb ?? null };
  const used = (name: keyof typeof measured) => measured[name] ?? reported[name];
  if (measured.runtimeSeconds === null || measured.memoryMb === null)
    flags.push("not measured by the harness: what the agent reports is used, or the whole budget");
  const x = shareOf(used("runtimeSeconds"), budgets.runtimeSeconds);
  const y = shareOf(used("memoryMb"), budgets.memoryMb);
  const withinBudget = x <= 1 && y <= 1;

  const score = grade?.valid_submission && grade.score != null ? grade.score : null;
  const late = writtenAt(record) > budgets.runtimeSeconds;
  if (late) flags.push("the submission was written after the time budget");
  const strictlyOut = scoring.strictArtifacts && (m !== 1 || r !== 1);
  if (strictlyOut) flags.push("strict artifacts: the task counts for nothing");
  const V = score !== null && !late ? 1 : 0;
  const percentile = shareBeaten(grade?.percentile ?? null, score, facts);
  if (V === 1 && percentile === null) flags.push("no leaderboard: quality is 0");
  const task = { valid: V, percentile: percentile ?? 0, metrics: m, report: r } as const;

  const ok = line !== null;
  const hashes = await hashesOf(record);
  const environment = ok ? environmentCheck(line, record, hashes) : { share: 0, absent: [] };
  for (const name of environment.absent) flags.push(`environment: ${name} is absent or wrong`);
  const S = ok && line.seed === record.seed ? (metrics.metrics?.seed === record.seed ? 1 : 0.8) : 0;
  let R: number | null = null;
  if (ok && scoring.replay === "declared") R = declaredReplay(line, hashes);
  if (ok && scoring.replay === "execute" && replay !== null && folder !== null) {
    const outcome = await replay(folder, line.replay.command);
    if (outcome.status === "failed") flags.push(`replay: ${outcome.message}`);
    R = executedReplay(outcome, hashes, score);
  }
  const stated = metrics.metrics?.direction ?? line?.tasks[0]?.cv_metric?.direction ?? null;
  const direction = { stated, true: facts?.entry?.metric.direction ?? null };
  const honesty = ok ? honestyChecks({ line, folder, competitionId, valid: V, measured, direction }) : [];
  for (const { name, passed } of honesty) if (!passed) flags.push(`not so: ${name}`);
  const exitedWell = trial?.outcome == null ? trial === null : trial.outcome.exitCode === 0;
  const O: ScoredUnit["O"] = [
    ok ? 1 : 0,
    exitedWell && withinBudget ? 1 : 0,
    V,
    (V + m + r) / 3,
    honesty.length === 0 ? 0 : honesty.filter(({ passed }) => passed).length / honesty.length,
  ];
  const dimensions: Dimensions = strictlyOut
    ? NO_DIMENSIONS
    : {
        quality: taskQuality(task, scoring.qualityMap),
        efficiency: efficiency(x, y),
        reproducibility: reproducibility({
          seedAgrees: S > 0,
          seed: S,
          environment: environment.share,
          replay: R,
        }),
        operations: 20 * O.reduce((sum, value) => sum + value, 0),
      };
  const computed = overallOf(dimensions);
  const { overall, caps } = capped(computed, result.status, grade?.submission_exists ?? false);
  if (!withinBudget) caps.push(`over budget (${x > 1 ? "time" : "memory"}): efficiency 0`);
  return {
    competitionId,
    trialId: record.id,
    weight: weightOf(request, competitionId),
    score,
    percentile,
    medal: medalOf(record),
    V,
    m,
    r,
    artifactValidity: artifactValidity(task),
    budgets,
    measured,
    reported,
    x,
    y,
    seed: { requested: record.seed, reported: line?.seed ?? null },
    S,
    E: environment.share,
    R,
    O,
    dimensions,
    computed,
    overall,
    resultStatus: result.status,
    caps,
    flags,
  };
}

const NOTHING: Artifact = { state: "absent", problems: [] };

/** What nobody knows counts as the whole budget. */
function shareOf(used: number | null, budget: number): number {
  return used === null ? 1 : used / budget;
}

function writtenAt({ trial }: TrialRecord): number {
  const final = trial?.final?.sha256;
  return trial?.submissions.find(({ sha256 }) => sha256 === final)?.elapsedSeconds ?? 0;
}

function shareBeaten(
  percentile: number | null,
  score: number | null,
  facts: CompetitionFacts | undefined,
): number | null {
  if (percentile !== null) return percentile / 100;
  if (score === null || !facts?.leaderboard) return null;
  const place = standing(score, facts.leaderboard);
  return place === null ? null : place.percentile / 100;
}

export function capped(
  computed: number,
  status: FoundResult["status"],
  submitted: boolean,
): { overall: number; caps: string[] } {
  if (!submitted) return { overall: 0, caps: ["no submission: overall 0"] };
  if (status === "ok") return { overall: computed, caps: [] };
  const cap = `result line ${status}: at most ${CAP_WITHOUT_RESULT}`;
  return { overall: Math.min(computed, CAP_WITHOUT_RESULT), caps: [cap] };
}

function medalOf({ grade }: Pick<TrialRecord, "grade">): ScoredUnit["medal"] {
  if (grade === null) return null;
  return grade.gold_medal ? "gold" : grade.silver_medal ? "silver" : grade.bronze_medal ? "bronze" : null;
}
