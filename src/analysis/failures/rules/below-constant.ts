import type { Evidence, TrialView } from "../view.ts";

/** Worse than the sample submission, which predicts the same for every row. */
export function belowConstant({ record: { grade }, scored }: TrialView): Evidence[] {
  const normalised = grade?.normalised_score;
  if (!scored || normalised == null || normalised >= 0) return [];
  const text = `scores ${grade?.score}, worse than the sample submission (${normalised.toFixed(3)} of the way to gold)`;
  return [{ source: "grade", where: "grading report", text }];
}
