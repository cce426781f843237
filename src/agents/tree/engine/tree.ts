import type { JournalStep } from "../journal/schema.ts";

/**
 * A step as the search remembers it: without its code, diff and output, which lie in the attempt's folder, so that
 * memory does not grow with what scripts print.
 */
export type TreeNode = Omit<JournalStep, "code" | "diff" | "output">;

export type Direction = "maximize" | "minimize";

export interface Tree {
  readonly nodes: readonly TreeNode[];
  /** Steps of the search itself, as the budget counts them. */
  readonly search: readonly TreeNode[];
  /** Those of them that work. */
  readonly good: readonly TreeNode[];
  readonly children: ReadonlyMap<string, readonly TreeNode[]>;
  readonly byId: ReadonlyMap<string, TreeNode>;
}

/** The index over a journal's steps. Built anew after every step: five hundred steps take a millisecond. */
export function treeOf(nodes: readonly TreeNode[]): Tree {
  const children = new Map<string, TreeNode[]>();
  const byId = new Map<string, TreeNode>();
  for (const node of nodes) {
    byId.set(node.id, node);
    if (node.parent === null) continue;
    const known = children.get(node.parent);
    if (known) known.push(node);
    else children.set(node.parent, [node]);
  }
  const search = nodes.filter(({ phase }) => phase === "search");
  const good = search.filter(({ buggy, metric }) => !buggy && metric !== null);
  return { nodes, search, good, children, byId };
}

export function withoutTexts({ code: _code, diff: _diff, output: _output, ...node }: JournalStep): TreeNode {
  return node as TreeNode;
}

export const childrenOf = ({ children }: Tree, id: string): readonly TreeNode[] => children.get(id) ?? [];

export const searchNodes = ({ search }: Tree) => search;

export const rootsOf = ({ search }: Tree) => search.filter(({ parent }) => parent === null);

/** False where no model answered, or its reply held none: there is nothing then that could be repaired or told of. */
export const hasProgram = ({ why }: TreeNode) => why?.kind !== "model" && why?.kind !== "no code";

export const goodNodes = ({ good }: Tree) => good;

export function isBetter(value: number, than: number, direction: Direction): boolean {
  return direction === "maximize" ? value > than : value < than;
}

/** The first of the best: an equal one later does not replace it. */
export function bestNode(nodes: readonly TreeNode[]): TreeNode | null {
  let best: TreeNode | null = null;
  for (const node of nodes) {
    if (node.buggy || node.metric === null) continue;
    if (best?.metric == null || isBetter(node.metric.value, best.metric.value, best.metric.direction))
      best = node;
  }
  return best;
}

/** Good nodes from the best on; equal ones in the order of their steps. */
export function ranked(nodes: readonly TreeNode[]): TreeNode[] {
  const sign = nodes.find(({ metric }) => metric !== null)?.metric?.direction === "maximize" ? -1 : 1;
  return nodes
    .filter(({ buggy, metric }) => !buggy && metric !== null)
    .sort((a, b) => sign * (a.metric!.value - b.metric!.value) || a.step - b.step);
}

/** The repairs in a row that end at this node. */
function repairsTo(tree: Tree, node: TreeNode): TreeNode[] {
  const repairs: TreeNode[] = [];
  for (let at: TreeNode | undefined = node; at?.stage === "debug"; at = tree.byId.get(at.parent ?? ""))
    repairs.push(at);
  return repairs;
}

export const debugDepth = (tree: Tree, node: TreeNode) => repairsTo(tree, node).length;

/** What they took together, models and programs. */
export const debugSeconds = (tree: Tree, node: TreeNode) =>
  repairsTo(tree, node).reduce((sum, one) => sum + one.modelSeconds + one.executionSeconds, 0);

/** The draft that a node descends from. */
export function branchOf(tree: Tree, node: TreeNode): string {
  let at = node;
  for (let above = tree.byId.get(at.parent ?? ""); above; above = tree.byId.get(at.parent ?? "")) at = above;
  return at.id;
}

/** From the node up to its draft. */
export function ancestors(tree: Tree, node: TreeNode): TreeNode[] {
  const path: TreeNode[] = [];
  for (let at: TreeNode | undefined = node; at; at = tree.byId.get(at.parent ?? "")) path.push(at);
  return path;
}

/** The ids of the good steps, of these in their order, that were better than all before them by more than so much. */
export function newBests(good: readonly TreeNode[], threshold: number): Set<string> {
  const found = new Set<string>();
  let best: number | null = null;
  for (const { id, metric } of good) {
    const { value, direction } = metric!;
    const gain =
      best === null ? Number.POSITIVE_INFINITY : direction === "maximize" ? value - best : best - value;
    if (gain > threshold) found.add(id);
    if (gain > 0) best = value;
  }
  return found;
}

/** How many good steps, of these in their order, have ended since the last new best. */
export function stepsWithoutBest(good: readonly TreeNode[], threshold = 0): number {
  const bests = newBests(good, threshold);
  return good.length - 1 - good.findLastIndex(({ id }) => bests.has(id));
}

/** The number of a step that is begun now; where several are made side by side, some numbers may be missing. */
export const nextStep = ({ nodes }: Tree) => nodes.reduce((most, { step }) => Math.max(most, step + 1), 0);
