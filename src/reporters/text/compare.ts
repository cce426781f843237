import type { Comparison, Difference } from "../../analysis/compare/compare.ts";
import { intervalText } from "./aggregate.ts";
import { fieldsText } from "./field.ts";
import type { Paint } from "./grade.ts";
import { textTable } from "./table.ts";

/** A comparison of two agents for a terminal. */
export function compareLines(result: Comparison, names: { a: string; b: string }, paint: Paint): string[] {
  const { seeds, competitions, fields, medalRate, percentile, wins, ties, losses } = result;
  const lines = [
    `${paint("bold", names.a)}${names.a === "A" ? "" : " (A)"} against ${paint("bold", names.b)}${names.b === "B" ? "" : " (B)"}: ${competitions} competitions × ${seeds} paired ${seeds === 1 ? "seed" : "seeds"}`,
    ...(fields.length > 0 ? [`medals against: ${fieldsText(fields)}`] : []),
    "",
  ];
  const rows = [
    ["A − B", "mean", "95 % over seeds (t)", "95 % over both", "p", ""].map((title) => paint("dim", title)),
    row("medal rate %", medalRate),
    ...(percentile ? [row("percentile", percentile)] : []),
  ];
  lines.push(...textTable(rows, [1, 4]), "");
  lines.push(`A wins ${wins}, ties ${ties}, loses ${losses} of ${competitions} competitions`);
  const decided = result.byCompetition.filter(({ winner }) => winner !== "tie");
  if (decided.length > 0) {
    const table = decided.map(({ competitionId, a, b, winner }) => [
      competitionId,
      `${a.medals} / ${b.medals}`,
      percentiles(a.percentile, b.percentile),
      winner === "a" ? names.a : names.b,
    ]);
    const header = ["competition", "medals A / B", "percentile A / B", "better"].map((title) =>
      paint("dim", title),
    );
    lines.push("", ...textTable([header, ...table]));
  }
  lines.push("", plannerText(result));
  return lines;
}

function row(name: string, difference: Difference): string[] {
  return [
    name,
    difference.mean.toFixed(2),
    intervalText(difference.overSeeds),
    intervalText(difference.overBoth),
    difference.pValue.toFixed(4),
    difference.withinNoise ? "within noise" : "beyond noise",
  ];
}

function percentiles(a: number | null, b: number | null): string {
  const text = (value: number | null) => (value === null ? "–" : value.toFixed(1));
  return `${text(a)} / ${text(b)}`;
}

function plannerText({ seedsNeeded, seeds }: Comparison): string {
  if (seedsNeeded === null) {
    return seeds < 2
      ? "planner: needs at least 2 seeds"
      : "planner: no number of seeds separates equal medal rates";
  }
  return `planner: about ${seedsNeeded} seeds would separate medal rates that differ this much (95 % confidence, 80 % power)`;
}
