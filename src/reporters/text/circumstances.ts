import type { CircumstanceSummary } from "../../analysis/circumstances.ts";

/** One line under a result: in what it ran, and how far it can be believed. */
export function circumstanceText({
  isolation,
  network,
  materials,
  verification,
}: CircumstanceSummary): string {
  return `isolation: ${isolation}; network: ${network}; materials: ${materials}; verification: ${verification}`;
}

/** A mark beside the name of whoever could have read the answers; empty for everybody else. */
export function isolationMark({ unisolated, trials }: CircumstanceSummary): string {
  if (unisolated === 0) return "";
  return unisolated === trials ? " (NOT isolated)" : ` (${unisolated} of ${trials} trials NOT isolated)`;
}

/** What the mark means; nothing where nobody has it. */
export function isolationNotes(summaries: readonly CircumstanceSummary[]): string[] {
  if (summaries.every(({ unisolated }) => unisolated === 0)) return [];
  return ["NOT isolated: the agent ran as a plain process of the host and could have read the answers."];
}
