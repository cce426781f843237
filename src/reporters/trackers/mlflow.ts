import { createHash } from "node:crypto";
import type { Results } from "../../analysis/results.ts";
import { type TrackedRun, trackedRuns } from "./tracked-run.ts";

/**
 * Files of MLflow's file store, by their names below `mlruns/`: an experiment for each agent, a run for each trial. Its
 * own tools read them: `mlflow migrate-filestore`, or `mlflow ui --backend-store-uri <folder>` where that still may. Equal
 * results give equal files.
 */
export function mlflowFiles(results: Results): Map<string, string> {
  const files = new Map<string, string>();
  for (const { name } of results.agents) {
    const experiment = experimentId(name);
    files.set(
      `${experiment}/meta.yaml`,
      yaml({
        // Relative places would be read against wherever the server happens to run; none is the store's default.
        artifact_location: `mlflow-artifacts:/${experiment}`,
        creation_time: 0,
        experiment_id: experiment,
        last_update_time: 0,
        lifecycle_stage: "active",
        name: `mlebench ${name}`,
      }),
    );
  }
  for (const run of trackedRuns(results)) addRun(files, run);
  return files;
}

/** MLflow's ids are numbers as text; 18 digits, as it makes them itself. */
function experimentId(agent: string): string {
  const hash = createHash("sha256").update(agent).digest();
  return String((hash.readBigUInt64BE() % 900_000_000_000_000_000n) + 100_000_000_000_000_000n);
}

const FINISHED = 3;
const FAILED = 4;
const LOCAL = 4;

function addRun(files: Map<string, string>, run: TrackedRun): void {
  const { summary, startedAt, endedAt, settings, final, history } = run;
  const experiment = experimentId(summary.agent);
  const id = createHash("sha256").update(`${summary.agent}\n${summary.id}`).digest("hex").slice(0, 32);
  const folder = `${experiment}/${id}`;
  const name = `${summary.competitionId} seed ${summary.seed}`;
  files.set(
    `${folder}/meta.yaml`,
    yaml({
      artifact_uri: `mlflow-artifacts:/${experiment}/${id}/artifacts`,
      end_time: endedAt,
      entry_point_name: "",
      experiment_id: experiment,
      lifecycle_stage: "active",
      run_id: id,
      run_name: name,
      run_uuid: id,
      source_name: "mlebench",
      source_type: LOCAL,
      source_version: "",
      start_time: startedAt,
      status: run.failed ? FAILED : FINISHED,
      tags: [],
      user_id: "mlebench",
    }),
  );
  for (const [key, value] of Object.entries(settings))
    files.set(`${folder}/params/${key}`, oneLine(String(value)));
  const end = endedAt ?? startedAt ?? 0;
  for (const [key, value] of Object.entries(final))
    files.set(`${folder}/metrics/${key}`, `${end} ${value} 0\n`);
  if (history.length > 0)
    files.set(
      `${folder}/metrics/score_over_time`,
      history.map(({ time, score }, step) => `${Math.round(time)} ${score} ${step}\n`).join(""),
    );
  files.set(`${folder}/tags/mlflow.runName`, name);
  files.set(`${folder}/tags/mlebench.trial`, oneLine(summary.id));
  files.set(`${folder}/tags/mlebench.state`, summary.state);
}

/** Flat, and small enough to need no library: strings are JSON's, which YAML reads. */
function yaml(values: Record<string, string | number | null | readonly never[]>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}: ${value === null ? "null" : JSON.stringify(value)}\n`)
    .join("");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
