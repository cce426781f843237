import {
  childrenOf,
  goodNodes,
  newBests,
  ranked,
  rootsOf,
  searchNodes,
  type Tree,
  type TreeNode,
} from "../engine/tree.ts";
import type { TreeSettings } from "../settings/schema.ts";
import { type ChooseParent, canBeImproved, normalised, type Situation } from "./policy.ts";

const USUAL_CHILDREN = 5;
const usualChildren = (settings: TreeSettings) => settings["search.children"] || USUAL_CHILDREN;

/**
 * Walks down from the drafts: at each node, either there is room for one more improvement, or the child is taken whose
 * value and novelty together are highest. A node is worth the mean over everything below it.
 */
export const uct: ChooseParent = (situation) => {
  const { tree } = situation;
  const worth = worthOf(situation);
  const exploration = explorationAt(situation);
  const most = roomIn(situation);
  const roots = rootsOf(tree).filter((node) => worth.has(node.id) && canBeImproved(node));
  let level = roots;
  let above = roots.reduce((sum, { id }) => sum + worth.get(id)!.visits, 0);
  let chosen: TreeNode | null = null;
  while (level.length > 0) {
    const score = ({ id }: TreeNode) => {
      const { value, visits } = worth.get(id)!;
      return value + exploration * Math.sqrt(Math.log(Math.max(1, above)) / visits);
    };
    const node = level.reduce((best, one) => (score(one) > score(best) ? one : best));
    if (!node.buggy) chosen = node;
    const below = childrenOf(tree, node.id).filter(({ id, phase }) => phase === "search" && worth.has(id));
    const tried = childrenOf(tree, node.id).length + busyWith(node, situation);
    if (!node.buggy && tried < most(node)) return node;
    above = worth.get(node.id)!.visits;
    level = below;
  }
  // Everything is full: the last good node on the way takes one more.
  return chosen;
};

const busyWith = (node: TreeNode, { pending }: Situation) =>
  pending.filter(({ parent }) => parent?.id === node.id).length;

/** How many children a node may have; the best few perhaps more. */
function roomIn({ tree, settings }: Situation): (node: TreeNode) => number {
  const usual = usualChildren(settings);
  const ofTop = settings["search.children_top"] || usual;
  const top = new Set(ranked(goodNodes(tree)).slice(0, settings["search.top_k"]));
  return (node) => (top.has(node) ? ofTop : usual);
}

/** The constant stays as it is at first and falls to its end by the steps that are done. */
export function explorationAt({ tree, settings }: Pick<Situation, "tree" | "settings">): number {
  const { "search.uct_c": from, "search.uct_c_end": to, "search.uct_decay": decay } = settings;
  const { "search.uct_from": start, "search.uct_to": end, "agent.steps": steps } = settings;
  const done = searchNodes(tree).length;
  if (decay === 0 || done >= end * steps) return from + (to - from) * shareBetween(done / steps, start, end);
  const full = settings["agent.search.num_drafts"] * usualChildren(settings) ** 2;
  return Math.max(to, from - decay * Math.max(0, done - Math.min(full, start * steps)));
}

/** 0 up to the one, 1 from the other on. */
export function shareBetween(progress: number, start: number, end: number): number {
  if (progress <= start) return 0;
  return progress >= end ? 1 : (progress - start) / (end - start);
}

interface Worth {
  value: number;
  visits: number;
}

/** What each node is worth with all below it; without those that can lead nowhere: a fault, and nothing good below. */
function worthOf(situation: Situation): Map<string, Worth> {
  const { tree, settings } = situation;
  const byReward = settings["search.backup"] === "reward";
  const value = byReward ? rewards(tree, settings) : values(tree, settings);
  // A fault that is being repaired counts as what its repair becomes, not by itself.
  const counts = (node: TreeNode) => byReward || !node.buggy || childrenOf(tree, node.id).length === 0;
  const good = new Set(goodNodes(tree).map(({ id }) => id));
  const found = new Map<string, Worth>();
  const sums = new Map<string, { sum: number; visits: number; good: boolean }>();
  // Children come after their parents, so that from the end everything below a node is known before the node.
  for (const node of tree.nodes.toReversed()) {
    if (node.phase !== "search") continue;
    const own = sums.get(node.id) ?? { sum: 0, visits: 0, good: false };
    if (counts(node)) {
      own.sum += value(node);
      own.visits += 1;
    }
    own.visits += busyWith(node, situation);
    own.good ||= good.has(node.id);
    sums.set(node.id, own);
    if (node.parent !== null) {
      const above = sums.get(node.parent) ?? { sum: 0, visits: 0, good: false };
      above.sum += own.sum;
      above.visits += own.visits;
      above.good ||= own.good;
      sums.set(node.parent, above);
    }
    if (own.good) found.set(node.id, { value: own.sum / own.visits, visits: own.visits });
  }
  return found;
}

function values(tree: Tree, settings: TreeSettings): (node: TreeNode) => number {
  const shares = normalised(tree);
  const { "search.time_penalty": power, "exec.timeout": limit } = settings;
  return ({ id, executionSeconds }) => {
    const share = shares.get(id) ?? 0;
    return power === 0 ? share : share * (Math.max(1, Math.min(executionSeconds, limit)) / limit) ** power;
  };
}

function rewards(tree: Tree, settings: TreeSettings): (node: TreeNode) => number {
  const bests = newBests(goodNodes(tree), settings["search.threshold"]);
  return (node) => {
    if (node.buggy) return -1;
    const repaired = node.stage === "debug" ? 0.5 : 0;
    return 1 + Math.max(repaired, bests.has(node.id) && tree.nodes[0] !== node ? 0.5 : 0);
  };
}
