import type { InferredMetric } from "./metric.ts";
import type { Media } from "./public-files.ts";
import type { TextTable } from "./text-table.ts";

/** What a row's answer is made of: a number, one of several classes (as a label or as probabilities), or a set of labels. */
export type RowAnswer =
  | { readonly kind: "number" }
  | { readonly kind: "grade" }
  | { readonly kind: "label" }
  | { readonly kind: "probability" }
  | { readonly kind: "probabilities"; readonly column: string }
  | { readonly kind: "label set" };

/** What the agent believes it has to do; everything in it was read from the public files. */
export type Task =
  | { readonly shape: "rows"; readonly answer: RowAnswer; readonly group: string | null }
  | { readonly shape: "forecast"; readonly date: string }
  | { readonly shape: "masks" }
  | { readonly shape: "restored pixels"; readonly clean: string }
  | { readonly shape: "ranked list"; readonly known: string }
  | { readonly shape: "sequence"; readonly source: string }
  | { readonly shape: "unknown"; readonly why: string };

/** All that the task is inferred from. */
export interface PublicView {
  readonly sample: TextTable;
  readonly train: TextTable | null;
  readonly test: TextTable | null;
  readonly media: Media | null;
  readonly metric: InferredMetric;
  /** Folders with as many pictures, under the same names, as the folder of training pictures. */
  readonly twinFolders: readonly string[];
}
