import path from "node:path";
import { readIntegrity } from "../integrity/findings/of-trial.ts";
import type { GradedRun } from "./reports.ts";

/** What a disqualified run counts for: a submission was made, and nothing of it counts. */
export function asDisqualified<Run extends GradedRun>(run: Run): Run {
  return {
    ...run,
    gold_medal: false,
    silver_medal: false,
    bronze_medal: false,
    above_median: false,
    valid_submission: false,
    score: null,
    percentile: null,
    disqualified: true,
  };
}

/** The runs of a report, as the decisions that lie beside it let them count. */
export function withDecisions(
  runs: readonly GradedRun[],
  reportFile: string,
): { runs: GradedRun[]; doubts: string[] } {
  const integrity = readIntegrity(path.dirname(reportFile));
  const left = new Set(integrity.disqualified);
  const counted = runs.map((run) => {
    const trial = trialOf(run, left);
    if (trial === null) return run;
    left.delete(trial);
    return asDisqualified(run);
  });
  // Where a report does not say whose a run is, a medal may stay that was taken away.
  const nameless = new Set(runs.filter(({ run_id }) => run_id == null).map((run) => run.competition_id));
  const doubts = [...left]
    .filter((trial) => nameless.has(trial.replace(/_[^_]*$/, "")))
    .map((trial) => `its report does not say which run is ${trial}, which was disqualified`);
  return { runs: counted, doubts: [...integrity.doubts, ...doubts] };
}

/** The disqualified trial that a run is of: by its id, and in reports of the original by the submission's path. */
function trialOf({ run_id, submission_path }: GradedRun, disqualified: ReadonlySet<string>): string | null {
  const names = run_id == null ? (submission_path ?? "").split(/[\\/]/) : [run_id];
  return names.find((name) => disqualified.has(name)) ?? null;
}
