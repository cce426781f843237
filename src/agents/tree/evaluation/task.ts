import path from "node:path";
import { inferTask } from "../../baseline/infer-task.ts";
import { readPublicFiles, readSample } from "../../baseline/reading/public-files.ts";
import type { RowAnswer, SeparatedBy } from "../../baseline/task.ts";
import { inferMetric, type MetricName } from "../../baseline/validation/metric.ts";
import { type AgentContract, readText } from "../../kit/contract.ts";
import type { Direction } from "../engine/tree.ts";

/** How hidden rows can be scored. */
export interface Scoring {
  metric: MetricName;
  kind: RowAnswer["kind"] | "masks" | "sequence";
  /** Where the classes stand in the training table, for a column of probabilities each. */
  classColumn: string | null;
}

/** What is known of the task before anything is tried. All of it is read from the public files. */
export interface TaskFacts {
  description: string;
  metricName: string | null;
  direction: Direction | null;
  /** Null where hidden rows cannot be scored by us; `why` says why. */
  scoring: Scoring | null;
  separation: SeparatedBy;
  media: { trainFolder: string; testFolder: string; extension: string } | null;
  why: string;
}

export async function readTask(contract: AgentContract): Promise<TaskFacts> {
  const own = readText(path.join(contract.data, "description.md"));
  const description = own === "" ? readText(path.join(contract.home, "description.md")) : own;
  const metric = inferMetric(description);
  const nothing = {
    description,
    metricName: metric.name,
    direction: metric.direction,
    scoring: null,
    separation: { by: "chance" as const },
    media: null,
  };
  const sample = await readSample(contract.data);
  if (sample === null) return { ...nothing, why: "there is no sample submission" };
  if (metric.name === null) return { ...nothing, why: "the description names no metric that we know" };
  const view = readPublicFiles(contract.data, sample, {
    memoryBytes: contract.memoryLimitBytes,
    seconds: 60,
  });
  const task = inferTask(view);
  const media = view.media && { ...view.media };
  if (task.shape === "rows") {
    const { answer, separation } = task;
    const classColumn = answer.kind === "probabilities" ? answer.column : null;
    return {
      ...nothing,
      media,
      separation,
      scoring: { metric: metric.name, kind: answer.kind, classColumn },
      why: "",
    };
  }
  const kinds = { forecast: "number", masks: "masks", sequence: "sequence" } as const;
  if (task.shape !== "forecast" && task.shape !== "masks" && task.shape !== "sequence")
    return { ...nothing, why: `its shape is ${task.shape}` };
  const separation: SeparatedBy =
    task.shape === "forecast" ? { by: "time", column: task.date } : { by: "chance" };
  const scoring = { metric: metric.name, kind: kinds[task.shape], classColumn: null };
  return { ...nothing, media, separation, scoring, why: "" };
}
