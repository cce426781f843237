import type { TreeNode } from "../../../../src/agents/tree/engine/tree.ts";
import { JOURNAL_VERSION, STEP_SCHEMA } from "../../../../src/agents/tree/journal/schema.ts";
import { type SettingName, TreeSettings } from "../../../../src/agents/tree/settings/schema.ts";

/** `[parent, value]`: a node by its step's number; a value of null is a fault. */
export type Sketch = readonly [parent: number | null, value: number | null, more?: Partial<TreeNode>];

/** A hand-made journal: one node a sketch, in order. */
export function nodesOf(
  sketches: readonly Sketch[],
  direction: "maximize" | "minimize" = "minimize",
): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (const [step, [parent, value, more = {}]] of sketches.entries()) {
    const above = parent === null ? undefined : nodes[parent];
    const better = (a: number, b: number) => (direction === "minimize" ? a < b : a > b);
    const isBest =
      value !== null && nodes.every(({ metric }) => metric === null || better(value, metric.value));
    nodes.push({
      schema: STEP_SCHEMA,
      version: JOURNAL_VERSION,
      step,
      id: `n${step}`,
      parent: above?.id ?? null,
      sources: [],
      operator: above === undefined ? "draft" : above.buggy ? "debug" : "improve",
      stage: above === undefined ? "draft" : above.buggy ? "debug" : "improve",
      phase: "search",
      plan: `plan ${step}`,
      promptSha256: null,
      language: "javascript",
      codePath: null,
      codeSha256: null,
      analysis: "",
      metric:
        value === null
          ? null
          : { name: "rmse", value, direction, source: "hold-out", folds: [], spread: null },
      choice: null,
      validity: { status: value === null ? "none" : "valid", message: "" },
      buggy: value === null,
      why: value === null ? { kind: "exception", message: "it failed" } : null,
      submissionSha256: `sha ${step}`,
      tokens: { input: 0, output: 0 },
      cost: null,
      modelCalls: [],
      startedAt: "",
      endedAt: "",
      modelSeconds: 0,
      executionSeconds: 1,
      memory: null,
      exitCode: 0,
      isBest,
      ...more,
    });
  }
  return nodes;
}

export function settingsWith(own: Partial<Record<SettingName, unknown>> = {}): TreeSettings {
  return TreeSettings.parse(own);
}

/** Of a workplace with one worker, nothing to guard and no device. */
export const ALONE = {
  gpus: { variable: null, names: [] },
  slot: null,
  modules: false,
  guarded: [],
  log: () => {},
};
