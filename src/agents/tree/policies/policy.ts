import type { Random } from "../../../learning/seeded-random.ts";
import {
  bestNode,
  branchOf,
  childrenOf,
  debugDepth,
  debugSeconds,
  goodNodes,
  hasProgram,
  ranked,
  rootsOf,
  searchNodes,
  stepsWithoutBest,
  type Tree,
  type TreeNode,
} from "../engine/tree.ts";
import type { TreeSettings } from "../settings/schema.ts";

/** What is done next. */
export type Action =
  | { operator: "draft" | "baseline"; parent: null; sources: readonly [] }
  | { operator: "aggregate"; parent: null; sources: readonly TreeNode[] }
  | { operator: "improve" | "debug" | "refine" | "evolve"; parent: TreeNode; sources: readonly [] }
  | { operator: "crossover"; parent: TreeNode; sources: readonly [TreeNode] };

export interface Situation {
  tree: Tree;
  settings: TreeSettings;
  /** Its own for every step, from the seed and the step's number: a resumed search draws what it would have drawn. */
  random: Random;
  /** How much of the budget is used, 0 to 1: steps or time, whichever is further. */
  progress: number;
  /** What other workers are busy with. */
  pending: readonly Action[];
}

/** Which good node is worked on next; null where the policy wants another draft. */
export type ChooseParent = (situation: Situation) => TreeNode | null;

const DRAFT: Action = { operator: "draft", parent: null, sources: [] };
const BASELINE: Action = { operator: "baseline", parent: null, sources: [] };

/** Of all steps so far, the share that repairs may take once something works: one bad branch must not eat the budget. */
const REPAIR_SHARE = 0.5;
const FREE_REPAIRS = 3;

/** The order that all policies share: enough drafts, repairs, then whatever the policy chooses among the good ones. */
export function nextAction(situation: Situation, chooseParent: ChooseParent): Action {
  const { tree, settings, random, pending } = situation;
  // What never was a program is no draft; the original counts it, and repairs the reply.
  const roots = rootsOf(tree).filter((node) => settings.compat || hasProgram(node));
  const drafts = roots.length + pending.filter(({ parent }) => parent === null).length;
  const hasBaseline =
    tree.nodes.some(({ operator }) => operator === "baseline") ||
    pending.some(({ operator }) => operator === "baseline");
  if (settings["parts.baseline"] && !hasBaseline) return BASELINE;
  if (drafts < settings["agent.search.num_drafts"]) return DRAFT;
  // The number is drawn even where nothing can be repaired, as in the original.
  if (random() < settings["agent.search.debug_prob"]) {
    const faulty = repairable(situation);
    if (faulty.length > 0)
      return {
        operator: "debug",
        parent: faulty[Math.floor(random() * faulty.length)],
        sources: [],
      };
  }
  if (goodNodes(tree).length === 0) return DRAFT;
  const branches = toAggregate(situation);
  if (branches.length > 0) return { operator: "aggregate", parent: null, sources: branches };
  const parent = chooseParent(situation);
  return parent === null ? DRAFT : workOn(parent, situation);
}

/** Leaves with a fault that may still be repaired. */
function repairable({ tree, settings, pending }: Situation): TreeNode[] {
  const deepest = settings["agent.search.max_debug_depth"];
  const busy = new Set(pending.map(({ parent }) => parent?.id));
  const steps = searchNodes(tree);
  if (!settings.compat && goodNodes(tree).length > 0) {
    const repairs = steps.filter(({ stage }) => stage === "debug").length + pending.length;
    if (repairs >= REPAIR_SHARE * steps.length + FREE_REPAIRS) return [];
  }
  const seconds = settings["search.debug_seconds"];
  return steps.filter((node) => {
    if (!node.buggy || !canBeImproved(node)) return false;
    if (!settings.compat && !hasProgram(node)) return false;
    if (busy.has(node.id) || childrenOf(tree, node.id).length > 0) return false;
    if (seconds > 0 && debugSeconds(tree, node) >= seconds) return false;
    const depth = debugDepth(tree, node);
    // The original counts one more: a node at the limit is repaired once again.
    return settings.compat ? depth <= deepest : depth < deepest;
  });
}

/** A good node is improved as a whole, in one block, or, where nothing moves, joined with another branch or led on. */
function workOn(parent: TreeNode, situation: Situation): Action {
  const { tree, settings, random, pending, progress } = situation;
  const stuck = standsStill(situation) || isBranchStuck(parent, situation);
  if (settings["parts.crossover"] && stuck && progress >= settings["search.fuse_from"]) {
    const other = random() < settings["search.fuse_prob"] ? otherBranch(parent, tree) : null;
    if (other !== null) return { operator: "crossover", parent, sources: [other] };
  }
  if (settings["parts.evolve"] && stuck) return { operator: "evolve", parent, sources: [] };
  const tries =
    childrenOf(tree, parent.id).length + pending.filter((one) => one.parent?.id === parent.id).length;
  if (settings["parts.refine"] && tries >= 2 && tries % 2 === 0)
    return { operator: "refine", parent, sources: [] };
  return { operator: "improve", parent, sources: [] };
}

function standsStill({ tree, settings }: Situation): boolean {
  const stagnation = settings["search.stagnation"];
  return stagnation > 0 && stepsWithoutBest(goodNodes(tree), settings["search.threshold"]) >= stagnation;
}

function isBranchStuck(node: TreeNode, { tree, settings }: Situation): boolean {
  const stagnation = settings["search.branch_stagnation"];
  if (stagnation === 0) return false;
  const branch = branchOf(tree, node);
  const own = goodNodes(tree).filter((one) => branchOf(tree, one) === branch);
  return stepsWithoutBest(own, settings["search.threshold"]) >= stagnation;
}

function otherBranch(parent: TreeNode, tree: Tree): TreeNode | null {
  const branch = branchOf(tree, parent);
  const others = goodNodes(tree).filter((node) => branchOf(tree, node) !== branch && canBeImproved(node));
  return bestNode(others);
}

/** Of a branch that counts for the whole there are so many good steps at least, and so many such branches. */
const MIN_SIZE = 2;

/** The best of each branch, where all of them are to be joined; empty otherwise. */
function toAggregate(situation: Situation): TreeNode[] {
  const { tree, settings, progress, pending } = situation;
  const { "search.aggregate_from": from, "search.aggregate_to": to } = settings;
  const done = searchNodes(tree).filter(({ operator }) => operator === "aggregate").length;
  const most = settings["search.aggregate_most"];
  if (done >= most || progress < from || progress > to || !standsStill(situation)) return [];
  if (pending.some(({ operator }) => operator === "aggregate")) return [];
  const branches = new Map<string, TreeNode[]>();
  for (const node of goodNodes(tree).filter(canBeImproved)) {
    const branch = branchOf(tree, node);
    branches.set(branch, [...(branches.get(branch) ?? []), node]);
  }
  const large = [...branches.values()].filter((nodes) => nodes.length >= MIN_SIZE);
  return large.length < MIN_SIZE ? [] : ranked(large.flatMap((nodes) => bestNode(nodes) ?? []));
}

/** The baseline is not a script that a model could improve: its numbers go into ensembles, its node is never a parent. */
export const canBeImproved = (node: TreeNode) => node.operator !== "baseline";

/** Each good node's value from 0 (worst) to 1 (best). */
export function normalised(tree: Tree): Map<string, number> {
  const good = goodNodes(tree);
  const values = good.map(({ metric }) => metric!.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const up = good[0]?.metric?.direction === "maximize";
  return new Map(
    good.map(({ id, metric }) => {
      const share = high === low ? 0.5 : (metric!.value - low) / (high - low);
      return [id, up ? share : 1 - share];
    }),
  );
}
