import fs from "node:fs";
import path from "node:path";
import type { Grade } from "./grade-schema.ts";
import type { CompetitionReport, GradingReport } from "./report-schema.ts";
import type { BrokenLine } from "./submission-list.ts";
import { VERSION } from "./version.ts";

/** The grading report of the original, with our additions under keys of their own. */
export function gradingReport(
  grades: readonly Grade[],
  broken: readonly BrokenLine[],
  now: Date,
): GradingReport {
  const reports = grades.map((grade) => competitionReport(grade, now));
  const count = (flag: (report: CompetitionReport) => boolean) => reports.filter(flag).length;
  return {
    total_runs: reports.length,
    total_runs_with_submissions: count((report) => report.submission_exists),
    total_valid_submissions: count((report) => report.valid_submission),
    total_medals: count((report) => report.any_medal),
    total_gold_medals: count((report) => report.gold_medal),
    total_silver_medals: count((report) => report.silver_medal),
    total_bronze_medals: count((report) => report.bronze_medal),
    total_above_median: count((report) => report.above_median),
    competition_reports: reports,
    schema: "mlebench/grading-report",
    version: 1,
    created_at: localTime(now),
    mlebench_version: VERSION,
    broken_lines: [...broken],
  };
}

/** JSON knows no NaN and no infinity: the score is null then, and `score_kind` says which it was. */
export function competitionReport(grade: Grade, now: Date): CompetitionReport {
  const scored = grade.status === "scored" ? grade : null;
  const failed = "message" in grade ? grade : null;
  const board = "board" in grade ? grade.board : null;
  const medal = scored?.medal ?? null;
  return {
    competition_id: grade.competitionId,
    score: scored && Number.isFinite(scored.score) ? scored.score : null,
    gold_threshold: board?.gold ?? null,
    silver_threshold: board?.silver ?? null,
    bronze_threshold: board?.bronze ?? null,
    median_threshold: board?.median ?? null,
    any_medal: medal !== null,
    gold_medal: medal === "gold",
    silver_medal: medal === "silver",
    bronze_medal: medal === "bronze",
    above_median: scored?.aboveMedian ?? false,
    submission_exists: grade.status !== "missing" && grade.status !== "unknown-competition",
    valid_submission: scored !== null,
    is_lower_better: board?.lowerIsBetter ?? null,
    created_at: localTime(now),
    submission_path: grade.submissionPath,
    score_kind: scored?.scoreKind ?? "none",
    direction: grade.direction ?? null,
    status: grade.status,
    competition_version: grade.competitionVersion,
    leaderboard: board?.source ?? null,
    rank: scored?.rank ?? null,
    percentile: scored?.percentile ?? null,
    exact_rank: scored?.exactRank ?? false,
    teams: board?.teams ?? null,
    distance_to_medals: scored?.distance ?? null,
    normalised_score: scored?.normalisedScore ?? null,
    crowded_board: board?.crowded ?? null,
    fragile_medal: scored?.fragileMedal ?? false,
    near_miss: scored?.nearMiss ?? false,
    noise: scored?.noise ?? null,
    reasons: grade.status === "invalid" ? grade.reasons : [],
    reason_count: grade.status === "invalid" ? grade.reasonCount : 0,
    message: failed?.message ?? null,
    blame: failed?.blame ?? (grade.status === "invalid" ? "agent" : null),
    retryable: failed?.retryable ?? (grade.status === "invalid" ? false : null),
  };
}

/** Local time without a zone, as Python's `datetime.now().isoformat()` prints it and readers of old reports expect. */
function localTime(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}

/** `2026-01-31T12-30-00-UTC`: the original's spelling, which sorts by time. */
export function fileTimestamp(now: Date): string {
  return `${now.toISOString().slice(0, 19).replaceAll(":", "-")}-UTC`;
}

/** Two reports within one second must not replace each other. */
export function newReportFile(folder: string, now: Date): string {
  const stamp = fileTimestamp(now);
  const name = (extra: string) => path.join(folder, `${stamp}${extra}_grading_report.json`);
  let file = name("");
  for (let i = 2; fs.existsSync(file); i++) file = name(`-${i}`);
  return file;
}
