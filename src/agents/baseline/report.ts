import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { AgentContract } from "../kit/contract.ts";
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

/** What only the end of a run knows. */
export interface RunFacts {
  readonly runtimeSeconds: number;
  readonly codeSha256: string;
  readonly submissionSha256: string | null;
  /** Null where the data were too large to be read for it. */
  readonly dataSha256: string | null;
}

/**
 * The most memory this process has held at a time, as a harness counts it: pages of the program itself and of its
 * libraries belong to the file, and are charged to whoever read them first.
 */
function peakMemoryKib(): number {
  const peak = process.resourceUsage().maxRSS;
  try {
    const status = fs.readFileSync("/proc/self/status", "utf8");
    return peak - Number(/^RssFile:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  } catch {
    return peak;
  }
}

/** The last line of the output: what a scorecard reads. */
export function resultLine(contract: AgentContract, done: Done, facts: RunFacts): string {
  const { journal } = done;
  const files = ["submission.csv", "metrics.json", "report.md"].map((name) =>
    path.join(contract.submission, name),
  );
  const [submission, metrics, report] = files;
  const runtime = Number(facts.runtimeSeconds.toFixed(3));
  const memory = Math.round(peakMemoryKib() / 1024);
  const measure = measureOf(done);
  const measured =
    journal.score === null || measure.direction === null
      ? {}
      : { cv_metric: { name: measure.name, value: journal.score, direction: measure.direction } };
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
      // By its full path: a sandbox has no Node but the one it was given.
      command: [process.execPath, path.join(contract.code, "agent.mjs")],
      code_sha256: facts.codeSha256,
      ...(facts.submissionSha256 === null ? {} : { submission_sha256: facts.submissionSha256 }),
      environment: {
        node: process.version,
        packages: [],
        os: `${os.type()} ${os.release()} ${os.arch()}`,
        ...(facts.dataSha256 === null ? {} : { data_sha256: facts.dataSha256 }),
        MLEBENCH_SEED: String(contract.seed),
        TIME_LIMIT_SECS: String(contract.timeLimitSeconds),
      },
    },
  };
  return `MLE_BENCH_LITE_RESULT=${JSON.stringify(result)}`;
}
