import type { Evidence, TrialView } from "../view.ts";

const SAID = /\b(?:time limit (?:reached|exceeded)|timed out after|TimeoutExpired)\b/i;

/** Its time was up and nothing valid stood there. Agents that use all their time and have submitted have not failed. */
export function timedOut({ record: { trial }, scored, lastLine }: TrialView): Evidence[] {
  if (scored) return [];
  if (trial?.outcome?.stopReason === "timeout") {
    const seconds = Math.round(trial.measurements?.wallSeconds ?? trial.limits.timeSeconds);
    const text = `stopped after ${seconds} s of ${trial.limits.timeSeconds} s`;
    return [{ source: "measurement", where: "trial.json", text }];
  }
  // The original measures nothing: its agents' own start scripts print what happened.
  const line = trial === null ? lastLine(SAID) : null;
  return line === null ? [] : [line];
}
