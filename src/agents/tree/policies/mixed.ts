import { branchOf, goodNodes, ranked, type TreeNode } from "../engine/tree.ts";
import { type ChooseParent, canBeImproved } from "./policy.ts";
import { shareBetween, uct } from "./uct.ts";

/**
 * Explores by UCT at first; the further the budget is used, the more often it picks among the best, the higher ranked
 * the likelier, with at most a few from one branch.
 */
export const mixed: ChooseParent = (situation) => {
  const { tree, settings, random, progress } = situation;
  const share = shareBetween(progress, settings["search.explore_from"], settings["search.explore_to"]);
  const explores = 1 + (settings["search.explore_end"] - 1) * share;
  if (random() < explores) return uct(situation);
  const late = share === 1;
  const most = settings[late ? "search.late_per_branch" : "search.per_branch"];
  const places = settings[late ? "search.late_top_k" : "search.top_k"];
  const taken = new Map<string, number>();
  const best: TreeNode[] = [];
  for (const node of ranked(goodNodes(tree)).filter(canBeImproved)) {
    if (best.length >= places) break;
    const branch = branchOf(tree, node);
    const count = taken.get(branch) ?? 0;
    if (count >= most) continue;
    taken.set(branch, count + 1);
    best.push(node);
  }
  return weighted(
    best,
    best.map((_, rank) => 1 / (rank + 1)),
    random,
  );
};

/** One of several, as likely as its weight says. */
export function weighted<T>(from: readonly T[], weights: readonly number[], random: () => number): T | null {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [at, one] of from.entries()) {
    left -= weights[at];
    if (left < 0) return one;
  }
  return from.at(-1) ?? null;
}
