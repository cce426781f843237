import { missingRuns } from "../../analysis/aggregate/seeds.ts";
import { HYPOTHESIS } from "../../analysis/compare/paired-test.ts";
import type { ExperimentReport } from "../../analysis/experiment/report.ts";
import { spendingText } from "../../analysis/model-spending.ts";
import { plural } from "../../wording/counts.ts";
import { intervalText, spreadText } from "./aggregate.ts";
import { circumstanceText, isolationMark, isolationNotes } from "./circumstances.ts";
import { fieldsText } from "./field.ts";
import type { Paint } from "./grade.ts";
import { deviationText } from "./insights.ts";
import { fittedTable } from "./table.ts";

/** An experiment for a terminal: a line for each cell, and one for each pair that differs in one thing alone. */
export function experimentLines(
  report: ExperimentReport,
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const fields = fieldsText(report.cells.flatMap(({ aggregate }) => aggregate.fields));
  const against = fields === "none" ? "" : `, medals against: ${fields}`;
  const lines = [
    `${paint("bold", report.name)}: ${plural(report.competitions, "competition")}${against}`,
    "",
  ];
  const dim = (titles: string[]) => titles.map((title) => paint("dim", title));
  const cells = report.cells.map(({ name, aggregate, percentile, circumstances }) => [
    `${name}${isolationMark(circumstances)}`,
    String(aggregate.seeds),
    spreadText(aggregate, "any_medal_percentage"),
    intervalText(aggregate.rates.any_medal_percentage.overSeeds),
    percentile?.toFixed(2) ?? "–",
    aggregate.original.metrics.valid_submissions_percentage.mean.toFixed(2),
    String(missingRuns(aggregate)),
  ]);
  const header = dim([
    "cell",
    "seeds",
    "any medal %",
    "95 % over seeds",
    "percentile",
    "valid %",
    "missing runs",
  ]);
  if (cells.length > 0)
    lines.push(...fittedTable([header, ...cells], { right: [1, 2, 4, 5, 6], width, drop: [3, 5] }));
  if (report.comparisons.length > 0) lines.push("", ...comparisonLines(report.comparisons, dim, width));
  if (report.cells.length > 0) {
    const all = report.cells.map(({ circumstances }) => circumstances);
    lines.push("", ...report.cells.map((cell) => `${cell.name}: ${circumstanceText(cell.circumstances)}`));
    for (const { name, models } of report.cells)
      if (models !== null) lines.push(`${name}: ${spendingText(models)}`);
    lines.push(...isolationNotes(all), ...deviationLines(report.cells));
  }
  for (const { cell, reason } of report.missing) lines.push("", `no numbers for ${cell}: ${reason}`);
  return lines;
}

const MEASURES = ["medalRate", "percentile", "score"] as const;
const LABELS = { medalRate: "medals %", percentile: "percentile", score: "pairs won − lost %" };

/** A line for every test that was made, so that nobody has to guess how many there were. */
function comparisonLines(
  comparisons: ExperimentReport["comparisons"],
  dim: (titles: string[]) => string[],
  width: number,
): string[] {
  const rows = comparisons.flatMap(({ factor, a, b, result }) =>
    MEASURES.flatMap((measure) => {
      const difference = result[measure];
      if (difference === null) return [];
      return [
        [
          ...[factor, `${a} − ${b}`, LABELS[measure]],
          ...[difference.mean.toFixed(2), String(difference.pairs)],
          ...[difference.pValue.toFixed(4), difference.pHolm.toFixed(4), difference.verdict],
          result.seedsNeeded === null || measure !== "medalRate" ? "–" : String(result.seedsNeeded),
        ],
      ];
    }),
  );
  const titles = dim([...["differ in", "A − B", "in", "mean", "pairs", "p", "p (Holm)", "", "seeds needed"]]);
  return [
    ...fittedTable([titles, ...rows], { right: [3, 4, 5, 6, 8], width, drop: [5, 0, 4] }),
    "",
    `${rows.length} ${rows.length === 1 ? "test was" : "tests were"} made; p (Holm) is corrected for all of them, and decides. Tested: ${HYPOTHESIS}.`,
  ];
}

/** What all cells share is said once. */
function deviationLines(cells: ExperimentReport["cells"]): string[] {
  const [first, ...others] = cells.map(({ deviations }) => deviations);
  const shared = first.filter((text) => others.every((deviations) => deviations.includes(text)));
  const own = cells
    .map(({ name, deviations }) => ({ name, rest: deviations.filter((text) => !shared.includes(text)) }))
    .filter(({ rest }) => rest.length > 0)
    .map(({ name, rest }) => `  ${name}: ${rest.join("; ")}`);
  const whose = own.length > 0 ? "all cells: " : "";
  return [`${whose}${deviationText(shared)}`, ...own];
}
