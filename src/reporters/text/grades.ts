import type { CompetitionReport, GradingReport } from "../../grading/report-schema.ts";
import { countText, plural } from "../../wording/counts.ts";
import { durationText } from "../../wording/durations.ts";
import type { Paint } from "./grade.ts";
import { fittedTable } from "./table.ts";

/** A row of a run group's report also says in what it ran, how long, and what its models were asked. */
type GradedRow = CompetitionReport & {
  isolation?: string;
  network?: string;
  external_knowledge?: boolean;
  language_model?: false;
  wall_seconds?: number | null;
  turns?: number;
  continuations?: number;
  model_usage?: { calls: number; tokens: number; cost: number | null; complete: boolean };
};

interface Column {
  title: string;
  text(report: GradedRow): string;
  right?: boolean;
  /** Of a column that not every report has. */
  has?(report: GradedRow): boolean;
}

/** One line per graded submission, in the order of the report. */
export function gradeTable(
  reports: readonly GradedRow[],
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const all: Column[] = [
    { title: "competition", text: idText },
    { title: "score", text: scoreText, right: true },
    { title: "medal", text: (report) => medalText(report, paint) },
    { title: "percentile", text: ({ percentile }) => percentile?.toFixed(1) ?? "", right: true },
    { title: "time", text: timeText, right: true, has: ({ wall_seconds: time }) => time != null },
    { title: "turns", text: turnsText, right: true, has: ({ turns }) => turns !== undefined },
    { title: "tokens", text: tokensText, right: true, has: hasModels },
    { title: "cost", text: moneyText, right: true, has: hasModels },
    { title: "", text: noteText },
  ];
  const columns = all.filter(({ has }) => has === undefined || reports.some(has));
  const right = columns.flatMap((column, i) => (column.right ? [i] : []));
  const header = columns.map(({ title }) => paint("dim", title));
  const rows = reports.map((report) => columns.map(({ text }) => text(report)));
  return fittedTable([header, ...rows], { right, width });
}

function idText({ competition_id: id, competition_version: version }: GradedRow): string {
  return version === "v1" ? id : `${id} (${version})`;
}

/** Its own word; `12 (+3)` was continued three times. */
const turnsText = ({ turns, continuations = 0 }: GradedRow) =>
  turns === undefined ? "" : `${countText(turns)}${continuations > 0 ? ` (+${continuations})` : ""}`;

const hasModels = ({ model_usage: usage }: GradedRow) => usage !== undefined;

const timeText = ({ wall_seconds: time }: GradedRow) => (time == null ? "" : durationText(time));

const tokensText = ({ model_usage: usage }: GradedRow) =>
  usage === undefined ? "" : countText(usage.tokens);

/** What is not known is not nothing. */
function moneyText({ model_usage: usage }: GradedRow): string {
  if (usage === undefined) return "";
  if (usage.cost === null) return "–";
  const text = `$${usage.cost > 0 && usage.cost < 0.1 ? usage.cost.toPrecision(2) : usage.cost.toFixed(2)}`;
  return usage.complete ? text : `≥ ${text}`;
}

export function totalsLine(report: GradingReport): string {
  const { total_runs: runs, total_runs_with_submissions: found, total_valid_submissions: valid } = report;
  const medals = `${plural(report.total_medals, "medal")} (${report.total_gold_medals} gold, ${report.total_silver_medals} silver, ${report.total_bronze_medals} bronze)`;
  return `${plural(runs, "run")}, ${found} with a submission, ${valid} valid; ${medals}; ${report.total_above_median} above the median`;
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
