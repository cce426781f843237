import { plural } from "../../../wording/counts.ts";
import { searchNodes, type Tree, type TreeNode } from "../engine/tree.ts";

/** So many steps are one phase. */
const PHASE_STEPS = 10;
const MAX_PLAN = 160;

/**
 * What each phase that has ended brought, in two sentences: what was done, what failed and how, and which ideas moved the
 * best. Made from the journal, so that no model is asked and a resumed search has the same.
 */
export function phaseNotes(tree: Tree): string[] {
  const steps = searchNodes(tree);
  const notes: string[] = [];
  for (let from = 0; from + PHASE_STEPS <= steps.length; from += PHASE_STEPS) {
    const phase = steps.slice(from, from + PHASE_STEPS);
    notes.push(`Steps ${from} to ${from + PHASE_STEPS - 1}: ${workWords(phase)} ${gainWords(phase)}`);
  }
  return notes;
}

function workWords(phase: readonly TreeNode[]): string {
  const done = counted(phase.map(({ operator }) => operator)).join(", ");
  const faults = counted(phase.flatMap(({ why }) => why?.kind ?? []));
  return faults.length === 0 ? `${done}; none failed.` : `${done}; failed: ${faults.join(", ")}.`;
}

function gainWords(phase: readonly TreeNode[]): string {
  const bests = phase.filter(({ isBest }) => isBest);
  if (bests.length === 0) return "Nothing became the best.";
  const last = bests.at(-1)!;
  const value = last.metric?.value.toPrecision(6);
  return `${plural(bests.length, "new best", "new bests")}, at last ${value} by ${last.operator}: ${last.plan.slice(0, MAX_PLAN)}`;
}

function counted(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`);
}
