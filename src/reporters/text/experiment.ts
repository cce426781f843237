import type { ExperimentReport } from "../../analysis/experiment/report.ts";
import { intervalText } from "./aggregate.ts";
import { fieldsText } from "./field.ts";
import type { Paint } from "./grade.ts";
import { deviationText } from "./insights.ts";
import { textTable } from "./table.ts";

/** An experiment for a terminal: a line for each cell, and one for each pair that differs in one thing alone. */
export function experimentLines(report: ExperimentReport, paint: Paint): string[] {
  const fields = fieldsText(report.cells.flatMap(({ aggregate }) => aggregate.fields));
  const against = fields === "none" ? "" : `, medals against: ${fields}`;
  const lines = [`${paint("bold", report.name)}: ${report.competitions} competitions${against}`, ""];
  const dim = (titles: string[]) => titles.map((title) => paint("dim", title));
  const cells = report.cells.map(({ name, aggregate: { original, rates, seeds, missing } }) => [
    name,
    String(seeds),
    `${original.metrics.any_medal_percentage.mean.toFixed(2)} ± ${original.metrics.any_medal_percentage.standard_error.toFixed(2)}`,
    intervalText(rates.any_medal_percentage.overSeeds),
    original.metrics.valid_submission_percentage.mean.toFixed(2),
    String(missing.reduce((sum, { seeds: runs }) => sum + runs, 0)),
  ]);
  const header = dim(["cell", "seeds", "any medal %", "95 % over seeds (t)", "valid %", "missing runs"]);
  if (cells.length > 0) lines.push(...textTable([header, ...cells], [1, 2, 4, 5]));
  if (report.comparisons.length > 0) {
    const rows = report.comparisons.map(
      ({ factor, a, b, result: { medalRate, percentile, seedsNeeded } }) => [
        factor,
        `${a} − ${b}`,
        medalRate.mean.toFixed(2),
        medalRate.pValue.toFixed(4),
        medalRate.withinNoise ? "within" : "beyond",
        percentile === null ? "–" : percentile.mean.toFixed(1),
        seedsNeeded === null ? "–" : String(seedsNeeded),
      ],
    );
    const titles = dim(["differ in", "A − B", "medals %", "p", "noise", "percentile", "seeds needed"]);
    lines.push("", ...textTable([titles, ...rows], [2, 3, 5, 6]));
  }
  if (report.cells.length > 0) lines.push("", ...deviationLines(report.cells));
  for (const { cell, reason } of report.missing) lines.push("", `no numbers for ${cell}: ${reason}`);
  return lines;
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
