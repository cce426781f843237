import { spendingText } from "../../analysis/model-spending.ts";
import type { CompareOutcome } from "../../workflows/results/compare.ts";
import { circumstanceText, isolationMark, isolationNotes } from "./circumstances.ts";
import { compareLines } from "./compare.ts";
import type { Paint } from "./grade.ts";
import { deviationText } from "./insights.ts";

/** A comparison with everything that stands below it: in what both ran, how that deviates, what models cost. */
export function comparisonLines(
  { result, deviations, circumstances, models, names }: Extract<CompareOutcome, { status: "compared" }>,
  paint: Paint,
): string[] {
  const marked = {
    a: `${names.a}${isolationMark(circumstances.a)}`,
    b: `${names.b}${isolationMark(circumstances.b)}`,
  };
  return [
    ...compareLines(result, marked, paint),
    "",
    `${names.a}: ${circumstanceText(circumstances.a)}`,
    `${names.b}: ${circumstanceText(circumstances.b)}`,
    ...isolationNotes([circumstances.a, circumstances.b]),
    `${names.a}: ${deviationText(deviations.a)}`,
    `${names.b}: ${deviationText(deviations.b)}`,
    ...(["a", "b"] as const).flatMap((side) => {
      const spending = models[side];
      return spending === null ? [] : [`${names[side]}: ${spendingText(spending)}`];
    }),
  ];
}
