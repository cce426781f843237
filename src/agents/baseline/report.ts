import fs from "node:fs";
import path from "node:path";
import type { AgentContract } from "../kit/contract.ts";
import { type RunFacts, resultLine } from "../kit/result-line.ts";
import type { PublicView, Task } from "./task.ts";
import type { News } from "./workbench.ts";

/** Writes what was understood to `logs/task.json`, before anything is learned. */
export function writeTask(
  contract: AgentContract,
  task: Task,
  { metric, sample, train, test, media }: PublicView,
): void {
  writeJson(path.join(contract.logs, "task.json"), {
    schema: "mlebench/baseline-task",
    version: 1,
    task,
    metric,
    columns: { sample: sample.header, train: train?.header ?? null, test: test?.header ?? null },
    rows: { sample: sample.rows, train: train?.rows ?? null, test: test?.rows ?? null },
    media: media?.kind ?? null,
  });
}

/** What was done, and whether all of it. */
export type Done = Extract<News, { status: "working" }> & { readonly plannedSeconds: number };

/** What the score was measured by: the task's metric, or what stands for one that is not recognised. */
function measureOf({ metric, journal }: Done) {
  return {
    name: metric.name ?? journal.measure?.name ?? "not recognised",
    direction: metric.direction ?? journal.measure?.direction ?? null,
  };
}

/** `metrics.json` and `report.md` beside the submission, the settings in `code/`. Times go to the report alone. */
export function writeReport(contract: AgentContract, done: Done, elapsedSeconds: number): void {
  const { task, metric, journal, cut, plannedSeconds } = done;
  const measure = measureOf(done);
  writeJson(path.join(contract.submission, "metrics.json"), {
    schema: "mlebench/baseline-metrics",
    version: 1,
    metric: measure.name,
    // What was not measured is left out: a null would look like a figure.
    ...(journal.score === null ? {} : { value: journal.score }),
    ...(measure.direction === null ? {} : { direction: measure.direction }),
    validation: journal.measuredOn,
    seed: contract.seed,
    model: task.shape,
    cut,
  });
  writeJson(path.join(contract.code, "solution.json"), {
    schema: "mlebench/baseline-solution",
    version: 1,
    seed: contract.seed,
    plannedSeconds,
    task,
    settings: journal.settings,
  });
  const lines = [
    "# What the baseline did",
    "",
    `Task: ${task.shape}${task.shape === "unknown" ? ` (${task.why})` : ""}. Metric: ${metric.name ?? "not recognised"}.`,
    "",
    "## Model",
    "",
    "What was tried, in this order; the submission is the blend or the best of it.",
    "",
    "| step | score | note |",
    "|---|---|---|",
    ...journal.steps.map(
      ({ name, score, note }) => `| ${name} | ${score?.toPrecision(5) ?? "–"} | ${note} |`,
    ),
    "",
    "## Features and settings",
    "",
    "```json",
    JSON.stringify(journal.settings, null, 2),
    "```",
    "",
    "## Validation",
    "",
    `Measured on ${journal.measuredOn}: ${journal.score ?? "no score"}. Weights and thresholds were chosen on the same`,
    "rows, so that the score is a little too good.",
    "",
    "## Limitations",
    "",
    cut
      ? "**The clock cut the plan short**: another run with this seed may submit something else."
      : "The plan was carried out whole: this seed and budget give the same bytes again.",
    `It took ${elapsedSeconds.toFixed(1)} s; ${plannedSeconds.toFixed(0)} s at most were planned for.`,
    "Nothing but the public files was looked at, and no model was trained on anything else.",
    "",
  ];
  fs.writeFileSync(path.join(contract.submission, "report.md"), lines.join("\n"));
}

function writeJson(file: string, content: unknown): void {
  fs.writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** The last line of the output: what a scorecard reads. */
export function baselineResult(contract: AgentContract, done: Done, facts: RunFacts): string {
  const measure = measureOf(done);
  const { score } = done.journal;
  return resultLine(contract, facts, {
    artifacts: [path.join(contract.code, "solution.json")],
    // By its full path: a sandbox has no Node but the one it was given.
    replay: [process.execPath, path.join(contract.code, "agent.mjs")],
    measured:
      score === null || measure.direction === null
        ? null
        : { name: measure.name, value: score, direction: measure.direction },
  });
}
