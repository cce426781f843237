import type { Evidence, TrialView } from "../view.ts";

const NOT_THE_AGENT = new Set(["harness", "host", "task"]);

/** The trial or its grade failed for a reason that is none of the agent's. */
export function harnessFault({ record: { trial, grade } }: TrialView): Evidence[] {
  const found: Evidence[] = [];
  const outcome = trial?.outcome;
  if (outcome && (outcome.stopReason === "harness error" || NOT_THE_AGENT.has(outcome.blame ?? "")))
    found.push({ source: "measurement", where: "trial.json", text: outcome.message });
  if (grade?.blame && NOT_THE_AGENT.has(grade.blame))
    found.push({ source: "grade", where: "grading report", text: grade.message ?? `blame: ${grade.blame}` });
  return found;
}
