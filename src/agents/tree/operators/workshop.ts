import type { AskModel } from "../../kit/model-client.ts";
import type { Direction, Tree } from "../engine/tree.ts";
import type { Carved } from "../evaluation/carve.ts";
import type { Rows } from "../evaluation/table.ts";
import type { TaskFacts } from "../evaluation/task.ts";
import type { Workplace } from "../execution/attempt.ts";
import type { Language } from "../execution/language.ts";
import type { StepTexts } from "../journal/append.ts";
import type { TreeSettings } from "../settings/schema.ts";

/** What every step works with. */
export interface Workshop {
  settings: TreeSettings;
  /** Steps side by side. */
  workers: number;
  seed: number;
  task: TaskFacts;
  language: Language;
  packages: readonly string[];
  hardware: string;
  place: Workplace;
  /** Null where the metric is what scripts report. */
  carved: Carved | null;
  /** What scripts see as ./input. */
  data: string;
  /** Where all of the public data lie, rows that are hidden included. */
  allData: string;
  sample: Rows | null;
  measuredBy: "hold-out" | "reported";
  metricWords: string;
  askCode: AskModel;
  askFeedback: AskModel;
  overview(): string;
  tree(): Tree;
  /** Code and output of a step as the journal has them. */
  texts(id: string): StepTexts | null;
  clock: {
    secondsLeft(): number;
    /** For a model: its answer is of no use once the search is over. */
    searchSeconds(): number;
    /** For one execution now, the reserve for the end left alone. */
    executionSeconds(): number;
    baselineSeconds(): number;
    memoryBytes: number;
  };
  log(line: string): void;
}

/** As it was when the search had come so far. */
export const withTree = (shop: Workshop, tree: Tree): Workshop => ({ ...shop, tree: () => tree });

/** Which way is better, fixed once: by the description, else by the first step that says it. */
export function directionOf({ task, tree }: Pick<Workshop, "task" | "tree">): Direction | null {
  return task.direction ?? tree().nodes.find(({ metric }) => metric !== null)?.metric?.direction ?? null;
}
