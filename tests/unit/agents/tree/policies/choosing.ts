import { treeOf } from "../../../../../src/agents/tree/engine/tree.ts";
import { chooseAction } from "../../../../../src/agents/tree/policies/choose.ts";
import type { Action } from "../../../../../src/agents/tree/policies/policy.ts";
import type { SettingName } from "../../../../../src/agents/tree/settings/schema.ts";
import { nodesOf, type Sketch, settingsWith } from "../nodes.ts";

interface Given {
  settings?: Partial<Record<SettingName, unknown>>;
  direction?: "maximize" | "minimize";
  progress?: number;
  pending?: Action[];
  draws?: number[];
}

/** What is done next on a hand-made journal; `draws` are the random numbers in their order, then 0.5 for ever. */
export function choose(sketches: readonly Sketch[], given: Given = {}): Action {
  const draws = [...(given.draws ?? [])];
  return chooseAction({
    tree: treeOf(nodesOf(sketches, given.direction)),
    settings: settingsWith(given.settings),
    random: () => draws.shift() ?? 0.5,
    progress: given.progress ?? 0,
    pending: given.pending ?? [],
  });
}

export const drafts: Sketch[] = [
  [null, 3],
  [null, 1],
  [null, 2],
  [null, 4],
  [null, 5],
];
