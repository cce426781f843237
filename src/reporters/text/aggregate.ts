import type { Aggregate } from "../../analysis/aggregate/aggregate.ts";
import { missingRuns } from "../../analysis/aggregate/seeds.ts";
import type { Interval } from "../../analysis/statistics/intervals.ts";
import { plural } from "../../wording/counts.ts";
import { contaminationText, releasedText } from "./circumstances.ts";
import { fieldsText } from "./field.ts";
import type { Paint } from "./grade.ts";
import { textTable } from "./table.ts";

const LABELS = {
  submission_exists_percentage: "submission made",
  valid_submissions_percentage: "valid submission",
  above_median_percentage: "above median",
  bronze_medal_percentage: "bronze",
  silver_medal_percentage: "silver",
  gold_medal_percentage: "gold",
  any_medal_percentage: "any medal",
} as const;

/** More competitions than these are shown one by one only when asked for. */
const MAX_COMPETITIONS = 25;

/** The aggregate for a terminal: the published number, the honest ones beside it, and everything that is missing. */
export function aggregateLines(
  result: Aggregate,
  paint: Paint,
  { byCompetition = result.competitions <= MAX_COMPETITIONS } = {},
): string[] {
  const { split, seeds, competitions, fields, rates } = result;
  const lines = [
    `${paint("bold", split)}: ${plural(competitions, "competition")} × ${plural(seeds, "seed")}${countsText(result)}`,
    ...presentLines(result),
    ...(fields.length > 0 ? [`medals against: ${fieldsText(fields)}`] : []),
    ...boardlessLines(result),
    ...(result.contamination === null ? [] : [contaminationText(result.contamination)]),
    "",
  ];
  const header = ["% of runs", "mean ± SEM", "95 % over seeds", "95 % over competitions"];
  const rows = (Object.keys(LABELS) as (keyof typeof LABELS)[]).map((name) => [
    name === "any_medal_percentage" ? paint("bold", LABELS[name]) : LABELS[name],
    spreadText(result, name),
    intervalText(rates[name].overSeeds),
    intervalText(rates[name].overBoth),
  ]);
  lines.push(...textTable([header.map((title) => paint("dim", title)), ...rows], [1]));
  if (seeds === 1) lines.push("", "one seed: no spread and no interval over seeds can be given");
  else if (Object.values(rates).some(({ overSeeds }) => overSeeds === null))
    lines.push(
      "",
      "– over seeds: no competition varied between its seeds, which does not show that none would",
    );
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
      ? competitionLines(result, paint)
      : [`${competitions} competitions one by one: --by-competition`]),
  );
  if (result.passAtK.length > 1) {
    const curve = result.passAtK.map(({ k, rate }) => `pass@${k} ${(100 * rate).toFixed(2)}`);
    lines.push("", curve.join("  "));
  }
  lines.push("", missingText(result));
  return lines;
}

/** Mean and standard error; from one seed there is no spread to print. */
export function spreadText(
  { original, seeds }: Aggregate,
  name: keyof Aggregate["original"]["metrics"],
): string {
  const { mean, standard_error: error } = original.metrics[name];
  return seeds === 1 ? mean.toFixed(2) : `${mean.toFixed(2)} ± ${error.toFixed(2)}`;
}

/** Whatever is not as it should be stands in the first line. */
function countsText(result: Aggregate): string {
  const { seeds, competitions, unused, disqualified } = result;
  const count = missingRuns(result);
  return [
    ...(count > 0 ? [`, ${count} of ${seeds * competitions} runs missing and counted as failed`] : []),
    ...(disqualified > 0 ? [`, ${disqualified} disqualified and counted as not valid`] : []),
    ...(unused > 0 ? [`, ${unused} further runs not used (other competitions have fewer seeds)`] : []),
  ].join("");
}

function presentLines({ present }: Aggregate): string[] {
  if (present === null) return [];
  const { runs, valid, medal, gold } = present;
  return [
    `of the ${plural(runs, "run")} that exist alone: valid ${valid.toFixed(2)} %, medal ${medal.toFixed(2)} %, gold ${gold.toFixed(2)} %`,
  ];
}

/** Zero medals where none could be won are not a result. */
function boardlessLines({ byCompetition, competitions }: Aggregate): string[] {
  const names = byCompetition.filter(hasNoBoard).map(({ competitionId }) => competitionId);
  if (names.length === 0) return [];
  const shown = names.length > 5 ? `${names.slice(0, 5).join(", ")}, …` : names.join(", ");
  return [
    `no board: ${names.length} of ${plural(competitions, "competition")} (${shown}); nobody can win a medal there, and the rates below count none. Look at the scores: --by-competition`,
  ];
}

function hasNoBoard({ meanScore, meanPercentile }: Aggregate["byCompetition"][number]): boolean {
  return meanScore !== null && meanPercentile === null;
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
function competitionLines({ byCompetition: rows, contamination }: Aggregate, paint: Paint): string[] {
  const boardless = rows.some(hasNoBoard);
  const table = rows.map((row) => [
    row.competitionId,
    `${row.runs}${row.missing > 0 ? ` of ${row.runs + row.missing}` : ""}`,
    ...[row.valid, row.aboveMedian, row.bronze, row.silver, row.gold].map(String),
    row.meanPercentile === null ? "–" : row.meanPercentile.toFixed(1),
    ...(boardless ? [scoreText(row)] : []),
    ...(contamination === null ? [] : [releasedText(row)]),
  ]);
  const header = ["competition", "runs", "valid", ">median", "b", "s", "g", "percentile if valid"];
  if (boardless) header.push("mean score");
  if (contamination !== null) header.push(`released, against ${contamination.cutoff}`);
  return textTable(
    [header.map((text) => paint("dim", text)), ...table],
    [1, 2, 3, 4, 5, 6, 7, ...(boardless ? [8] : [])],
  );
}

/** The mean score, with an arrow to where better ones lie. */
function scoreText({ meanScore, direction }: Aggregate["byCompetition"][number]): string {
  if (meanScore === null) return "–";
  const arrow = direction === null ? "" : direction === "maximize" ? " ↑" : " ↓";
  return `${Number(meanScore.toPrecision(5))}${arrow}`;
}

function missingText({ missing, seeds, competitions }: Aggregate): string {
  if (missing.length === 0) return `missing: none of ${seeds * competitions} runs`;
  const count = missingRuns({ missing });
  const shown = missing.slice(0, 8).map(({ competitionId, seeds: runs }) => `${competitionId} (${runs})`);
  const more = missing.length > 8 ? ", …" : "";
  return `missing: ${count} of ${seeds * competitions} runs, counted as failed: ${shown.join(", ")}${more}`;
}
