import {
  ancestors,
  childrenOf,
  goodNodes,
  hasProgram,
  rootsOf,
  type Tree,
  type TreeNode,
} from "../engine/tree.ts";
import type { TreeSettings } from "../settings/schema.ts";
import { phaseNotes } from "./phase-notes.ts";
import { estimateTokens } from "./tokens.ts";

/**
 * What a prompt tells of earlier steps. `all`: every good one, as the original. `scoped`: a draft hears of the other
 * drafts, an improvement of the parent's other children, a repair of what led to the fault; notes on the phases and
 * lessons of all branches come on top. The newest are kept where not all fit.
 */
export function memoryOf(
  tree: Tree,
  settings: TreeSettings,
  operator: string,
  parent: TreeNode | null,
): string {
  if (settings["parts.memory"] === "off") return "";
  const mostTokens = settings.compat ? Number.POSITIVE_INFINITY : settings["parts.memory_tokens"];
  if (settings["parts.memory"] === "all")
    return operator === "debug" ? "" : newestThatFit(goodNodes(tree).map(goodWords), mostTokens);
  const scoped = scopeOf(tree, operator, parent).filter(hasProgram).map(scopedWords);
  const asks = operator !== "debug";
  const notes = asks && settings["parts.phase_notes"] ? phaseNotes(tree) : [];
  const lessons = asks && settings["parts.lessons"] ? lessonsOf(tree) : [];
  const more = [
    ["What each phase brought", notes],
    ["Lessons from all branches", lessons],
  ] as const;
  const said = more.filter(([, parts]) => parts.length > 0);
  // The half of it belongs to what is nearest.
  const share = said.length === 0 ? mostTokens : mostTokens / 2;
  return [
    newestThatFit(scoped, share),
    ...said.map(([title, parts]) => `${title}:\n${newestThatFit(parts, share / said.length)}`),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** From the draft to this node, each with what became of it; the newest that fit. */
export function wayWords(tree: Tree, node: TreeNode, settings: TreeSettings): string {
  const way = ancestors(tree, node).toReversed().map(scopedWords);
  return newestThatFit(way, settings["parts.memory_tokens"]);
}

function scopeOf(tree: Tree, operator: string, parent: TreeNode | null): readonly TreeNode[] {
  if (parent === null) return rootsOf(tree).filter(({ operator: own }) => own !== "baseline");
  if (operator !== "debug") return childrenOf(tree, parent.id).filter(({ phase }) => phase === "search");
  const chain = ancestors(tree, parent);
  const good = chain.findIndex(({ buggy }) => !buggy);
  return (good === -1 ? chain : chain.slice(0, good)).slice(1).toReversed();
}

const value = ({ metric }: TreeNode) => (metric === null ? "none" : metric.value.toPrecision(6));

const goodWords = (node: TreeNode) =>
  `Design: ${node.plan}\nResults: ${node.analysis}\nValidation metric: ${value(node)}`;

const scopedWords = (node: TreeNode) =>
  `Idea: ${node.plan}\nOutcome: ${node.buggy ? `it failed (${node.why?.kind ?? "unknown"})` : value(node)}`;

/** The changes that moved the metric most, for better and for worse. */
function lessonsOf(tree: Tree): string[] {
  const moved = tree.nodes.flatMap((node) => {
    const parent = node.parent === null ? undefined : tree.byId.get(node.parent);
    if (!node.metric || !parent?.metric || node.phase !== "search") return [];
    const gain = (node.metric.value - parent.metric.value) * (node.metric.direction === "maximize" ? 1 : -1);
    return gain === 0 ? [] : [{ node, parent, gain }];
  });
  return moved
    .sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain) || a.node.step - b.node.step)
    .slice(0, 8)
    .map(
      ({ node, parent, gain }) =>
        `${gain > 0 ? "Helped" : "Hurt"} (${value(parent)} to ${value(node)}): ${node.plan.slice(0, 300)}`,
    );
}

/** The newest that fit, in their order. */
function newestThatFit(parts: readonly string[], mostTokens: number): string {
  const kept: string[] = [];
  let used = 0;
  for (const part of parts.toReversed()) {
    used += estimateTokens(part) + 2;
    if (used > mostTokens) break;
    kept.push(part);
  }
  const dropped = parts.length - kept.length;
  const note = dropped > 0 ? [`(${dropped} earlier ones are left out)`] : [];
  return [...note, ...kept.toReversed()].join("\n-----\n");
}
