import type { Curves } from "../../analysis/aggregate/curves.ts";
import type { GroupInsights } from "../../analysis/aggregate/group-insights.ts";
import { spendingText } from "../../analysis/model-spending.ts";
import { plural } from "../../wording/counts.ts";
import { durationText } from "../../wording/durations.ts";
import { circumstanceText, isolationNotes, MEDAL_COLUMNS, medalCells } from "./circumstances.ts";
import type { Paint } from "./grade.ts";
import { textTable } from "./table.ts";

/** What the records of trials add to an aggregate, for a terminal. */
export function insightLines(
  { curves, bestOfK, deviations, circumstances, models, medals }: GroupInsights,
  paint: Paint,
): string[] {
  const lines: string[] = [];
  if (curves !== null) lines.push("", ...curveLines(curves, paint));
  if (bestOfK.length > 1) {
    const parts = bestOfK.map(
      ({ k, chosen, possible }) => `${k}: ${percent(chosen)} of ${percent(possible)}`,
    );
    lines.push("", `best of k by the agent's own validation, of what was possible: ${parts.join("  ")}`);
  }
  if (medals.length > 0) lines.push("", ...medalLines(medals, paint));
  if (models !== null) lines.push("", `models: ${spendingText(models)}`);
  lines.push(
    "",
    circumstanceText(circumstances),
    ...isolationNotes([circumstances]),
    deviationText(deviations),
  );
  return lines;
}

const MAX_MEDALS = 25;

/** Findings and decisions beside every medal. */
function medalLines(medals: GroupInsights["medals"], paint: Paint): string[] {
  const rows = medals.slice(0, MAX_MEDALS).map(medalCells);
  return [
    ...textTable([MEDAL_COLUMNS.map((title) => paint("dim", title)), ...rows]),
    ...(medals.length > MAX_MEDALS ? [`and ${medals.length - MAX_MEDALS} more medals: --json`] : []),
  ];
}

export function deviationText(deviations: readonly string[]): string {
  return `deviations from the canonical set-up: ${deviations.join("; ") || "none"}`;
}

function curveLines({ moments, selection, trials, without }: Curves, paint: Paint): string[] {
  const header = ["after", "medals if stopped %", "best so far %", "percentile if stopped", "best so far"];
  const rows = moments.map((moment) => [
    moment.seconds === 0 ? "start" : durationText(moment.seconds),
    moment.medalRate.toFixed(2),
    moment.bestMedalRate.toFixed(2),
    optional(moment.percentile),
    optional(moment.bestPercentile),
  ]);
  const gap = selection.percentileGap === null ? "" : `, ${selection.percentileGap.toFixed(1)} percentiles`;
  return [
    ...textTable([header.map((title) => paint("dim", title)), ...rows], [0, 1, 2, 3, 4]),
    "",
    `selection error: ${selection.finalMedalRate.toFixed(2)} % of trials have a medal in the end, ${selection.bestMedalRate.toFixed(2)} % by their best submission; ${selection.medalsLost} of ${trials.length} trials gave a better medal away${gap}`,
    ...(without > 0
      ? [`${plural(without, "trial has", "trials have")} no graded timeline, and no place in a curve`]
      : []),
  ];
}

function percent(rate: number): string {
  return (100 * rate).toFixed(2);
}

function optional(value: number | null): string {
  return value === null ? "–" : value.toFixed(1);
}
