import type { Evidence, TrialView } from "../view.ts";

export function noSubmission({ record: { trial, grade } }: TrialView): Evidence[] {
  const ended = trial?.outcome != null;
  if (grade === null ? !(ended && trial.final?.sha256 === null) : grade.submission_exists) return [];
  const why = trial?.final?.why ?? grade?.message ?? "there is no submission.csv";
  return [
    {
      source: trial === null ? "grade" : "measurement",
      where: trial === null ? "grading report" : "trial.json",
      text: why,
    },
  ];
}
