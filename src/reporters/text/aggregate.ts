import type { Aggregate } from "../../analysis/aggregate/aggregate.ts";
import type { Interval } from "../../analysis/statistics/intervals.ts";
import { fieldsText } from "./field.ts";
import type { Paint } from "./grade.ts";
import { textTable } from "./table.ts";

const LABELS = {
  submission_exists_percentage: "submission made",
  valid_submission_percentage: "valid submission",
  above_median_percentage: "above median",
  bronze_medal_percentage: "bronze",
  silver_medal_percentage: "silver",
  gold_medal_percentage: "gold",
  any_medal_percentage: "any medal",
} as const;

/** More competitions than these are shown one by one only when asked for. */
const MOST_COMPETITIONS = 25;

/** The aggregate for a terminal: the published number, the honest ones beside it, and everything that is missing. */
export function aggregateLines(
  result: Aggregate,
  paint: Paint,
  { byCompetition = result.competitions <= MOST_COMPETITIONS } = {},
): string[] {
  const { split, seeds, competitions, fields, original, rates } = result;
  const lines = [
    `${paint("bold", split)}: ${competitions} competitions × ${seeds} ${seeds === 1 ? "seed" : "seeds"}`,
    ...(fields.length > 0 ? [`medals against: ${fieldsText(fields)}`] : []),
    "",
  ];
  const header = ["% of runs", "mean ± SEM", "95 % over seeds (t)", "95 % over both"];
  const rows = (Object.keys(LABELS) as (keyof typeof LABELS)[]).map((name) => [
    name === "any_medal_percentage" ? paint("bold", LABELS[name]) : LABELS[name],
    `${original.metrics[name].mean.toFixed(2)} ± ${original.metrics[name].standard_error.toFixed(2)}`,
    intervalText(rates[name].overSeeds),
    intervalText(rates[name].overBoth),
  ]);
  lines.push(...textTable([header.map((title) => paint("dim", title)), ...rows], [1]));
  if (result.noBootstrap) lines.push("", `no bootstrap: ${result.noBootstrap}`);
  if (seeds === 1) lines.push("", "one seed: no interval can be given");
  const { valid, medal, gold } = result.published;
  lines.push(
    "",
    `as agents publish them: valid ${valid.toFixed(2)} %, medal ${medal.toFixed(2)} %, gold ${gold.toFixed(2)} %`,
    "",
    ...groupLines("complexity", result.byComplexity, paint),
    "",
    ...groupLines("category", result.byCategory, paint),
  );
  lines.push(
    "",
    ...(byCompetition
      ? competitionLines(result.byCompetition, paint)
      : [`${competitions} competitions one by one: --by-competition`]),
  );
  if (result.passAtK.length > 1) {
    const curve = result.passAtK.map(({ k, rate }) => `pass@${k} ${(100 * rate).toFixed(2)}`);
    lines.push("", curve.join("  "));
  }
  lines.push("", missingText(result));
  return lines;
}

export function intervalText(interval: Interval | null): string {
  return interval ? `${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}` : "–";
}

function groupLines(title: string, rows: Aggregate["byCategory"], paint: Paint): string[] {
  const table = rows.map(({ name, competitions, valid, anyMedal, gold }) => [
    name,
    String(competitions),
    ...[valid, anyMedal, gold].map((rate) => rate.toFixed(2)),
  ]);
  const header = [title, "competitions", "valid %", "any medal %", "gold %"];
  return textTable([header.map((text) => paint("dim", text)), ...table], [1, 2, 3, 4]);
}

/** How many of each competition's runs came how far. */
function competitionLines(rows: Aggregate["byCompetition"], paint: Paint): string[] {
  const table = rows.map((row) => [
    row.competitionId,
    `${row.runs}${row.missing > 0 ? ` of ${row.runs + row.missing}` : ""}`,
    ...[row.valid, row.aboveMedian, row.bronze, row.silver, row.gold].map(String),
    row.meanPercentile === null ? "–" : row.meanPercentile.toFixed(1),
  ]);
  const header = ["competition", "runs", "valid", ">median", "b", "s", "g", "percentile if valid"];
  return textTable([header.map((text) => paint("dim", text)), ...table], [1, 2, 3, 4, 5, 6, 7]);
}

function missingText({ missing, seeds, competitions }: Aggregate): string {
  if (missing.length === 0) return `missing: none of ${seeds * competitions} runs`;
  const count = missing.reduce((sum, { seeds: runs }) => sum + runs, 0);
  const shown = missing.slice(0, 8).map(({ competitionId, seeds: runs }) => `${competitionId} (${runs})`);
  const more = missing.length > 8 ? ", …" : "";
  return `missing: ${count} of ${seeds * competitions} runs, counted as failed: ${shown.join(", ")}${more}`;
}
