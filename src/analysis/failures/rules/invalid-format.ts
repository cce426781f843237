import type { Evidence, TrialView } from "../view.ts";

const MAX_REASONS = 3;

/** There is a file, and it cannot be graded. The evidence is the rule it breaks. */
export function invalidFormat({ record: { grade } }: TrialView): Evidence[] {
  if (grade === null || !grade.submission_exists || grade.valid_submission) return [];
  if (grade.status != null && grade.status !== "invalid") return [];
  const reasons = (grade.reasons ?? []).slice(0, MAX_REASONS);
  const evidence = reasons.map(
    ({ code, message, row }): Evidence => ({
      source: "grade",
      where: row === undefined ? code : `${code}, row ${row}`,
      text: message,
    }),
  );
  if (evidence.length > 0) return evidence;
  return [{ source: "grade", where: "grading report", text: "invalid; this report gives no reason" }];
}
