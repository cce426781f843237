import type { Results } from "../../analysis/results.ts";
import { trackedRuns } from "./tracked-run.ts";

/** One line a trial, for whatever reads lines; the first says what they are. */
export function jsonl(results: Results): string {
  const head = { schema: "mlebench/trials", version: 1, title: results.title, missing: results.missing };
  const lines = trackedRuns(results).map(({ summary, settings, final, history }) => ({
    trial: summary.id,
    state: summary.state,
    stop_reason: summary.stopReason,
    ...settings,
    ...final,
    timeline: history.map(({ elapsedSeconds, score }) => [elapsedSeconds, score]),
  }));
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}
