import type { JournalHead, JournalStep } from "../../agents/tree/journal/schema.ts";

/** A step of a search without its texts: enough to draw the tree, small enough for hundreds. */
export interface SearchStep {
  id: string;
  parent: string | null;
  step: number;
  operator: string;
  phase: string;
  value: number | null;
  buggy: boolean;
  why: string | null;
  isBest: boolean;
  /** Since the search began, in seconds. */
  at: number;
  modelSeconds: number;
  executionSeconds: number;
  cost: number | null;
  tokens: number;
}

export interface Search {
  preset: string;
  metric: string | null;
  direction: "maximize" | "minimize" | null;
  steps: SearchStep[];
  /** From the first draft to the best step. */
  bestPath: string[];
  operators: OperatorUse[];
  stuck: Stuck;
  faults: { kind: string; steps: number }[];
}

/** Where it got stuck: stretches of steps without an improvement, the endgame left out, which improves nothing. */
export interface Stuck {
  longest: number;
  /** The step after which the longest began; null where there is none. */
  after: number | null;
  /** How many of its steps failed. */
  failed: number;
  /** The stretch at the end. */
  atEnd: number;
}

export interface OperatorUse {
  operator: string;
  steps: number;
  buggy: number;
  /** Steps that became the best of all. */
  improvements: number;
  modelSeconds: number;
  executionSeconds: number;
  tokens: number;
  /** Null where nobody knows. */
  cost: number | null;
}

/** `costOf`: what a model call cost, by the id of its reply, where the step itself does not say. */
export function searchOf(
  head: JournalHead | null,
  steps: readonly JournalStep[],
  costOf: (reply: string) => number | null = () => null,
): Search {
  const start = Date.parse(head?.startedAt ?? steps[0]?.startedAt ?? "");
  const drawn = steps.map((step): SearchStep => {
    const costs = step.modelCalls.map(costOf);
    const known = costs.filter((cost) => cost !== null);
    return {
      id: step.id,
      parent: step.parent,
      step: step.step,
      operator: step.operator,
      phase: step.phase,
      value: step.metric?.value ?? null,
      buggy: step.buggy,
      why: step.why?.kind ?? null,
      isBest: step.isBest,
      at: Math.max(0, (Date.parse(step.endedAt) - start) / 1000) || 0,
      modelSeconds: step.modelSeconds,
      executionSeconds: step.executionSeconds,
      cost: step.cost ?? (known.length > 0 ? known.reduce((sum, cost) => sum + cost, 0) : null),
      tokens: step.tokens.input + step.tokens.output,
    };
  });
  const metric = steps.find((step) => step.metric !== null)?.metric;
  return {
    preset: head?.preset ?? "search",
    metric: head?.metric ?? metric?.name ?? null,
    direction: head?.direction ?? metric?.direction ?? null,
    steps: drawn,
    bestPath: pathTo(
      drawn,
      drawn.findLast(({ isBest }) => isBest),
    ),
    operators: operatorsOf(drawn),
    stuck: stretches(drawn),
    faults: faultsOf(drawn),
  };
}

function pathTo(steps: readonly SearchStep[], end: SearchStep | undefined): string[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const path: string[] = [];
  // A parent always comes before its child, so that this ends.
  for (let at = end; at !== undefined; at = at.parent === null ? undefined : byId.get(at.parent))
    path.unshift(at.id);
  return path;
}

function operatorsOf(steps: readonly SearchStep[]): OperatorUse[] {
  const uses = new Map<string, OperatorUse>();
  for (const step of steps) {
    const use = uses.get(step.operator) ?? {
      ...{ operator: step.operator, steps: 0, buggy: 0, improvements: 0 },
      ...{ modelSeconds: 0, executionSeconds: 0, tokens: 0, cost: null },
    };
    uses.set(step.operator, use);
    use.steps++;
    if (step.buggy) use.buggy++;
    if (step.isBest) use.improvements++;
    use.modelSeconds += step.modelSeconds;
    use.executionSeconds += step.executionSeconds;
    use.tokens += step.tokens;
    if (step.cost !== null) use.cost = (use.cost ?? 0) + step.cost;
  }
  return [...uses.values()].sort((a, b) => b.steps - a.steps);
}

/** The same over many searches. */
export function sumOperators(all: readonly (readonly OperatorUse[])[]): OperatorUse[] {
  const sums = new Map<string, OperatorUse>();
  for (const use of all.flat()) {
    const sum = sums.get(use.operator);
    if (sum === undefined) sums.set(use.operator, { ...use });
    else {
      for (const key of [
        "steps",
        "buggy",
        "improvements",
        "modelSeconds",
        "executionSeconds",
        "tokens",
      ] as const)
        sum[key] += use[key];
      if (use.cost !== null) sum.cost = (sum.cost ?? 0) + use.cost;
    }
  }
  return [...sums.values()].sort((a, b) => b.improvements - a.improvements || b.steps - a.steps);
}

function stretches(all: readonly SearchStep[]): Stuck {
  const steps = all.filter(({ phase }) => phase === "search");
  let longest: Stuck = { longest: 0, after: null, failed: 0, atEnd: 0 };
  let now = longest;
  for (const { isBest, buggy, step } of steps) {
    const { longest: so, failed } = now;
    now = isBest
      ? { longest: 0, after: step, failed: 0, atEnd: 0 }
      : { ...now, longest: so + 1, failed: failed + (buggy ? 1 : 0) };
    if (now.longest > longest.longest) longest = now;
  }
  return { ...longest, atEnd: now.longest };
}

function faultsOf(steps: readonly SearchStep[]): Search["faults"] {
  const counts = new Map<string, number>();
  for (const { why } of steps) if (why !== null) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, steps: count })).sort((a, b) => b.steps - a.steps);
}
