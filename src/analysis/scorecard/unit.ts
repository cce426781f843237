import { standing } from "../../leaderboards/standing.ts";
import type { CompetitionFacts } from "../competition-facts.ts";
import type { TrialRecord } from "../trial-records.ts";
import type { Artifact } from "./artifacts.ts";
import { checkAgain, checkHonesty, type Figures, findOut } from "./evidence.ts";
import {
  artifactValidity,
  CAP_WITHOUT_RESULT,
  type Degree,
  type Dimensions,
  efficiency,
  overallOf,
  reproducibility,
  taskQuality,
} from "./formulas.ts";
import type { Replayed, ReplayTrial } from "./replay.ts";
import { type Budgets, budgetsOf, type ScorecardRequest, weightOf } from "./request.ts";
import type { FoundResult } from "./result-line.ts";

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
  measured: Figures;
  reported: Figures;
  x: number;
  y: number;
  seed: { requested: number; reported: number | null };
  S: number;
  E: number;
  R: number | null;
  /** Null unless the trial was run again. */
  replay: Replayed | null;
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
    replay: null,
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
  const { competitionId, trial, grade } = record;
  const { scoring } = request;
  const found = await findOut(record, request);
  const { result, metrics, report, budgets, measured, reported } = found;
  const flags = [
    ...result.problems.map((problem) => `result line: ${problem}`),
    ...metrics.problems,
    ...report.problems,
  ];
  const [m, r] = [DEGREES[metrics.state], DEGREES[report.state]];

  if (measured.runtimeSeconds === null || measured.memoryMb === null)
    flags.push("not measured by the harness: what the agent reports is used, or the whole budget");
  const x = shareOf(measured.runtimeSeconds ?? reported.runtimeSeconds, budgets.runtimeSeconds);
  const y = shareOf(measured.memoryMb ?? reported.memoryMb, budgets.memoryMb);
  const withinBudget = x <= 1 && y <= 1;

  const score = grade?.valid_submission && grade.score != null ? grade.score : null;
  const late = writtenAt(record) > budgets.runtimeSeconds;
  if (late) flags.push("the submission was written after the time budget");
  const V = score !== null && !late ? 1 : 0;
  const percentile = shareBeaten(grade?.percentile ?? null, score, facts);
  if (V === 1 && percentile === null) flags.push("no leaderboard: quality is 0");
  const task = { valid: V, percentile: percentile ?? 0, metrics: m, report: r } as const;

  const again = await checkAgain(record, found, scoring.replay, { score, replay }, flags);
  const honesty = checkHonesty(record, found, facts, V, flags);
  const exitedWell = trial === null || trial.outcome?.exitCode === 0;
  const O: ScoredUnit["O"] = [
    result.line === null ? 0 : 1,
    exitedWell && withinBudget ? 1 : 0,
    V,
    (V + m + r) / 3,
    honesty,
  ];
  const strictlyOut = scoring.strictArtifacts && (m !== 1 || r !== 1);
  if (strictlyOut) flags.push("strict artifacts: the task counts for nothing");
  const dimensions: Dimensions = strictlyOut
    ? NO_DIMENSIONS
    : {
        quality: taskQuality(task, scoring.qualityMap),
        efficiency: efficiency(x, y),
        reproducibility: reproducibility(again),
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
    seed: { requested: record.seed, reported: result.line?.seed ?? null },
    S: again.seed,
    E: again.environment,
    R: again.replay,
    replay: again.replayed,
    O,
    dimensions,
    computed,
    overall,
    resultStatus: result.status,
    caps,
    flags,
  };
}

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
