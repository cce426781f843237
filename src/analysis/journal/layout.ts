import type { SearchStep } from "./search.ts";

const ROW = 20;
const COLUMN = 64;
const SIDE = 16;
/** For the value behind a node. */
const VALUE = 70;

export interface PlacedStep extends SearchStep {
  x: number;
  y: number;
}

export interface TreeLayout {
  placed: Map<string, PlacedStep>;
  width: number;
  height: number;
}

/**
 * Depth to the right, time downwards: a child stands below its parent, and no two share a row with a leaf of another. The
 * way to the best comes first at every fork, so that it is the first row, however many steps there are.
 */
export function layOutTree(steps: readonly SearchStep[], bestPath: readonly string[]): TreeLayout {
  const best = new Set(bestPath);
  const children = new Map<string | null, SearchStep[]>();
  for (const step of steps) {
    const siblings = children.get(step.parent);
    if (siblings === undefined) children.set(step.parent, [step]);
    else if (best.has(step.id)) siblings.unshift(step);
    else siblings.push(step);
  }
  const placed = new Map<string, PlacedStep>();
  let row = 0;
  let deepest = 0;
  // An explicit stack: a chain of hundreds must not exhaust the browser's.
  const stack = (children.get(null) ?? []).toReversed().map((step) => ({ step, depth: 0, first: false }));
  while (stack.length > 0) {
    const { step, depth, first } = stack.pop()!;
    if (!first && placed.size > 0) row++;
    deepest = Math.max(deepest, depth);
    placed.set(step.id, { ...step, x: SIDE + depth * COLUMN, y: SIDE + row * ROW });
    const below = (children.get(step.id) ?? []).toReversed();
    for (const [i, child] of below.entries())
      stack.push({ step: child, depth: depth + 1, first: i === below.length - 1 });
  }
  return { placed, width: 2 * SIDE + deepest * COLUMN + VALUE, height: 2 * SIDE + row * ROW };
}

/** The line from a step's parent to it, as the data of a path. */
export function edgePath(parent: PlacedStep, node: PlacedStep): string {
  return parent.y === node.y
    ? `M${parent.x} ${parent.y}H${node.x}`
    : `M${parent.x} ${parent.y}V${node.y - 8}Q${parent.x} ${node.y} ${parent.x + 8} ${node.y}H${node.x}`;
}

const COLOURS: Record<string, string> = {
  draft: "c0",
  improve: "c2",
  debug: "c1",
  refine: "c4",
  crossover: "c3",
  ensemble: "c5",
  baseline: "c7",
};

/** The class that colours an operator, the same in every picture. */
export function operatorColour(operator: string): string {
  return Object.hasOwn(COLOURS, operator) ? COLOURS[operator] : "c6";
}
