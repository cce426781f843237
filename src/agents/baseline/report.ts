import fs from "node:fs";
import path from "node:path";
import type { AgentContract } from "../contract.ts";
import type { Clock } from "./clock.ts";
import type { PublicView, Task } from "./task.ts";
import type { Journal } from "./workbench.ts";

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

/** `metrics.json` and `report.md` beside the submission, the settings in `code/`. Times go to the report alone. */
export function writeReport(
  contract: AgentContract,
  task: Task,
  view: PublicView,
  journal: Journal,
  clock: Clock,
): void {
  const { metric } = view;
  const wasCut = clock.wasCut();
  writeJson(path.join(contract.submission, "metrics.json"), {
    schema: "mlebench/baseline-metrics",
    version: 1,
    metric: metric.name,
    value: journal.score,
    direction: metric.direction,
    validation: journal.measuredOn,
    seed: contract.seed,
    model: task.shape,
    cut: wasCut,
  });
  writeJson(path.join(contract.code, "solution.json"), {
    schema: "mlebench/baseline-solution",
    version: 1,
    seed: contract.seed,
    plannedSeconds: clock.plannedSeconds,
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
    wasCut
      ? "**The clock cut the plan short**: another run with this seed may submit something else."
      : "The plan was carried out whole: this seed and budget give the same bytes again.",
    `It took ${clock.elapsedSeconds().toFixed(1)} s; ${clock.plannedSeconds.toFixed(0)} s at most were planned for.`,
    "Nothing but the public files was looked at, and no model was trained on anything else.",
    "",
  ];
  fs.writeFileSync(path.join(contract.submission, "report.md"), lines.join("\n"));
}

function writeJson(file: string, content: unknown): void {
  fs.writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** The last line of the output: what a scorecard reads. */
export function resultLine(
  contract: AgentContract,
  { metric }: PublicView,
  journal: Journal,
  clock: Clock,
): string {
  const files = ["submission.csv", "metrics.json", "report.md"].map((name) =>
    path.join(contract.submission, name),
  );
  const [submission, metrics, report] = files;
  const runtime = Number(clock.elapsedSeconds().toFixed(3));
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  const measured =
    journal.score === null || metric.name === null
      ? {}
      : { cv_metric: { name: metric.name, value: journal.score, direction: metric.direction } };
  const task = {
    competition_id: contract.competitionId,
    status: "completed",
    submission,
    metrics,
    report,
    runtime_seconds: runtime,
    peak_memory_mb: memory,
    ...measured,
  };
  const result = {
    seed: contract.seed,
    runtime_seconds: runtime,
    peak_memory_mb: memory,
    artifacts: [...files, path.join(contract.code, "solution.json")],
    tasks: [task],
    replay: {
      command: ["node", path.join(contract.code, "agent.mjs")],
      environment: { MLEBENCH_SEED: String(contract.seed) },
    },
  };
  return `MLE_BENCH_LITE_RESULT=${JSON.stringify(result)}`;
}
