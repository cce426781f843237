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
    direction: metric.direction,
    score: journal.score,
    measuredOn: journal.measuredOn,
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
    `Score on ${journal.measuredOn}: ${journal.score ?? "not measured"}.`,
    wasCut
      ? "**The clock cut the plan short**: another run with this seed may submit something else."
      : "The plan was carried out whole: this seed and budget give the same bytes again.",
    "",
    "| step | score | note |",
    "|---|---|---|",
    ...journal.steps.map(
      ({ name, score, note }) => `| ${name} | ${score?.toPrecision(5) ?? "–"} | ${note} |`,
    ),
    "",
    `It took ${clock.elapsedSeconds().toFixed(1)} s; ${clock.plannedSeconds.toFixed(0)} s were planned for at most.`,
    "",
  ];
  fs.writeFileSync(path.join(contract.submission, "report.md"), lines.join("\n"));
}

function writeJson(file: string, content: unknown): void {
  fs.writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
