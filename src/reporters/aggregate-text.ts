import type { Aggregate } from "../analysis/aggregate.ts";
import type { Interval } from "../analysis/intervals.ts";
import { fieldsText } from "./field-text.ts";
import type { Paint } from "./grade-text.ts";
import { textTable } from "./text-table.ts";

const LABELS = {
  submission_exists_percentage: "submission made",
  valid_submission_percentage: "valid submission",
  above_median_percentage: "above median",
  bronze_medal_percentage: "bronze",
  silver_medal_percentage: "silver",
  gold_medal_percentage: "gold",
  any_medal_percentage: "any medal",
} as const;

/** The aggregate for a terminal: the published number, the honest ones beside it, and everything that is missing. */
export function aggregateLines(result: Aggregate, paint: Paint): string[] {
  const { split, seeds, competitions, fields, original, rates } = result;
  const lines = [
    `${paint("bold", split)}: ${competitions} competitions × ${seeds} ${seeds === 1 ? "seed" : "seeds"}`,
    ...(fields.length > 0 ? [`medals against: ${fieldsText(fields)}`] : []),
    "",
  ];
  const header = ["% of runs", "mean ± SEM", "95 % over seeds (t)", "95 % over seeds and competitions"];
  const rows = (Object.keys(LABELS) as (keyof typeof LABELS)[]).map((name) => [
    name === "any_medal_percentage" ? paint("bold", LABELS[name]) : LABELS[name],
    `${original.metrics[name].mean.toFixed(2)} ± ${original.metrics[name].standard_error.toFixed(2)}`,
    intervalText(rates[name].overSeeds),
    intervalText(rates[name].overBoth),
  ]);
  lines.push(...textTable([header.map((title) => paint("dim", title)), ...rows], [1]));
  if (result.noBootstrap) lines.push("", `no bootstrap: ${result.noBootstrap}`);
  if (seeds === 1) lines.push("", "one seed: no interval can be given");
  lines.push(
    "",
    ...groupLines("complexity", result.byComplexity, paint),
    "",
    ...groupLines("category", result.byCategory, paint),
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
  const table = rows.map(({ name, competitions, anyMedal }) => [
    name,
    String(competitions),
    anyMedal.toFixed(2),
  ]);
  return textTable(
    [[title, "competitions", "any medal %"].map((text) => paint("dim", text)), ...table],
    [1, 2],
  );
}

function missingText({ missing, seeds, competitions }: Aggregate): string {
  if (missing.length === 0) return `missing: none of ${seeds * competitions} runs`;
  const count = missing.reduce((sum, { seeds: runs }) => sum + runs, 0);
  const shown = missing.slice(0, 8).map(({ competitionId, seeds: runs }) => `${competitionId} (${runs})`);
  const more = missing.length > 8 ? ", …" : "";
  return `missing: ${count} of ${seeds * competitions} runs, counted as failed: ${shown.join(", ")}${more}`;
}
