import type { MemoryPlan } from "./memory-plan.ts";
import type { Media } from "./reading/public-files.ts";
import type { SideTable } from "./reading/side-tables.ts";
import type { TextTable } from "./reading/text-table.ts";
import type { InferredMetric } from "./validation/metric.ts";

/** What a row's answer is made of: a number, one of several classes (as a label or as probabilities), or a set of labels. */
export type RowAnswer =
  | { readonly kind: "number" }
  | { readonly kind: "grade" }
  | { readonly kind: "label" }
  | { readonly kind: "probability" }
  | { readonly kind: "probabilities"; readonly column: string }
  | { readonly kind: "label set" };

/** What parts the test from the training rows. */
export type SeparatedBy =
  | { readonly by: "chance" }
  | { readonly by: "groups" | "time"; readonly column: string };

/** What the agent believes it has to do; everything in it was read from the public files. */
export type Task =
  | { readonly shape: "rows"; readonly answer: RowAnswer; readonly separation: SeparatedBy }
  | { readonly shape: "forecast"; readonly date: string }
  | { readonly shape: "masks" }
  | { readonly shape: "restored pixels"; readonly clean: string }
  | { readonly shape: "ranked list"; readonly known: string }
  | { readonly shape: "sequence"; readonly source: string }
  | { readonly shape: "unknown"; readonly why: string };

export type TaskOfRows = Extract<Task, { shape: "rows" }>;

/** All that the task is inferred from. */
export interface PublicView {
  readonly sample: TextTable;
  /** As many rows as there is memory for, evenly spread. */
  readonly train: TextTable | null;
  readonly trainRowsInFile: number;
  readonly test: TextTable | null;
  readonly media: Media | null;
  readonly metric: InferredMetric;
  /** Folders with as many pictures, under the same names, as the folder of training pictures. */
  readonly twinFolders: readonly string[];
  readonly sideTables: readonly SideTable[];
  readonly memory: MemoryPlan;
}
