import type { CompetitionReport, GradingReport } from "../../grading/report-schema.ts";
import type { Paint } from "./grade.ts";
import { textTable } from "./table.ts";

/** A row of a run group's report also says in what it ran. */
type GradedRow = CompetitionReport & {
  isolation?: string;
  network?: string;
  external_knowledge?: boolean;
  language_model?: false;
};

/** One line per graded submission, in the order of the report. */
export function gradeTable(reports: readonly GradedRow[], paint: Paint): string[] {
  const header = ["competition", "score", "medal", "percentile", ""].map((title) => paint("dim", title));
  const rows = reports.map((report) => [
    report.competition_version === "v1"
      ? report.competition_id
      : `${report.competition_id} (${report.competition_version})`,
    scoreText(report),
    medalText(report, paint),
    report.percentile === null ? "" : report.percentile.toFixed(1),
    noteText(report),
  ]);
  return textTable([header, ...rows], [1, 3]);
}

export function totalsLine(report: GradingReport): string {
  const { total_runs: runs, total_runs_with_submissions: found, total_valid_submissions: valid } = report;
  const medals = `${report.total_medals} medals (${report.total_gold_medals} gold, ${report.total_silver_medals} silver, ${report.total_bronze_medals} bronze)`;
  return `${runs} runs, ${found} with a submission, ${valid} valid; ${medals}; ${report.total_above_median} above the median`;
}

function scoreText({ status, score, score_kind: kind }: CompetitionReport): string {
  if (status !== "scored") return status;
  return score === null ? kind : String(score);
}

function medalText(report: CompetitionReport, paint: Paint): string {
  if (report.gold_medal) return paint("yellow", "gold");
  if (report.silver_medal) return paint("white", "silver");
  return report.bronze_medal ? paint("red", "bronze") : "";
}

function noteText(report: GradedRow): string {
  const notes: string[] = [];
  if (report.isolation !== undefined) notes.push(report.isolation);
  if (report.network !== undefined) notes.push(`network ${report.network}`);
  if (report.external_knowledge) notes.push("external knowledge");
  if (report.language_model === false) notes.push("not a language model's result");
  if (report.leaderboard !== null && report.leaderboard !== "kaggle") notes.push(report.leaderboard);
  if (report.status === "invalid") notes.push(report.reasons[0]?.message ?? "");
  if (report.fragile_medal) notes.push("fragile medal");
  if (report.near_miss) notes.push("near miss");
  if (report.crowded_board && report.any_medal) notes.push("crowded board");
  return notes.join(", ");
}
