import type { Clock } from "./clock.ts";
import type { Offer } from "./submission-file.ts";
import type { PublicView, Task } from "./task.ts";
import type { Direction, InferredMetric } from "./validation/metric.ts";

/** What a solver works with. */
export interface Workbench {
  readonly view: PublicView;
  readonly seed: number;
  readonly clock: Clock;
  readonly submit: Offer;
  readonly journal: Journal;
  /** Passes the journal on, as it is now; for when something better stands submitted. */
  tell(): void;
}

/** A step that the report tells of. */
export interface Step {
  readonly name: string;
  /** By the task's metric (or what stands for it) on rows held back; null if it was not measured. */
  readonly score: number | null;
  readonly note: string;
}

/** What happened, in the order in which it happened. */
export interface Journal {
  readonly steps: Step[];
  /** The settings that gave the submission: enough to see what was done. */
  settings: Record<string, unknown>;
  /** What the score is measured by where that is not the task's metric. */
  measure: { readonly name: string; readonly direction: Direction } | null;
  /** The score of what stands submitted, on rows held back. */
  score: number | null;
  /** How that score was measured. */
  measuredOn: string;
}

/** What the thread that works tells the one that reports. */
export type News =
  | { readonly status: "nothing to do"; readonly message: string }
  | {
      readonly status: "working";
      readonly task: Task;
      readonly metric: InferredMetric;
      readonly journal: Journal;
      /** The clock cut the plan. */
      readonly cut: boolean;
    };

export type Shape = Task["shape"];
export type TaskOf<S extends Shape> = Extract<Task, { shape: S }>;

/** Solves one shape of task as well as it can until the clock is over. Submits as soon as it has something better. */
export type Solver<S extends Shape> = (task: TaskOf<S>, bench: Workbench) => Promise<void>;
