import type { Aggregate } from "../../analysis/aggregate/aggregate.ts";
import type { CircumstanceSummary } from "../../analysis/circumstances.ts";
import type { AgentResults } from "../../analysis/results.ts";
import type { TrialSummary } from "../../analysis/trial-summary.ts";

/** One line under a result: in what it ran, and how far it can be believed. */
export function circumstanceText({
  isolation,
  network,
  materials,
  description,
  verification,
  integrity,
}: CircumstanceSummary): string {
  return `isolation: ${isolation}; network: ${network}; materials: ${materials}${description === "plain" || description === "not recorded" ? "" : `; description: ${description}`}; verification: ${verification}; integrity: ${integrity}`;
}

/** A mark beside the name of whoever could have read the answers, or was disqualified; empty for everybody else. */
export function isolationMark({ unisolated, disqualified, trials }: CircumstanceSummary): string {
  const marks = [
    ...(unisolated === 0
      ? []
      : [unisolated === trials ? "NOT isolated" : `${unisolated} of ${trials} trials NOT isolated`]),
    ...(disqualified === 0 ? [] : [`${disqualified} of ${trials} trials DISQUALIFIED`]),
  ];
  return marks.length === 0 ? "" : ` (${marks.join(", ")})`;
}

/** What the mark means; nothing where nobody has it. */
export function isolationNotes(summaries: readonly CircumstanceSummary[]): string[] {
  if (summaries.every(({ unisolated }) => unisolated === 0)) return [];
  return ["NOT isolated: the agent ran as a plain process of the host and could have read the answers."];
}

type Split = NonNullable<Aggregate["contamination"]>;

/** Medals before and after the end of a model's training data, in one sentence. */
export function contaminationText({ cutoff, before, after, unknown }: Split): string {
  const share = ({ medals, trials }: Split["before"], what: string) =>
    trials === 0 ? [] : [`${medals} of ${trials} runs ${what}`];
  const parts = [
    ...share(before, "on competitions released before that"),
    ...share(after, "on those released after"),
    ...share(unknown, "on those of unknown date"),
  ];
  return `training data until ${cutoff}; medals: ${parts.join(", ") || "no runs"}`;
}

/** `2019-03-08, before`; the date alone where no cut-off is known. */
export function releasedText({
  released,
  timing,
}: Pick<Aggregate["byCompetition"][number], "released" | "timing">): string {
  if (released === null) return "unknown";
  return timing === "unknown" ? released : `${released}, ${timing}`;
}

/** The same for several agents whose models may end on different days: `2019-03-08, before (a), after (b)`. */
export function timingText(agents: readonly AgentResults[], row: number): string {
  const rows = agents.map(({ name, aggregate }) => ({ name, ...aggregate.byCompetition[row] }));
  const known = rows.filter(({ timing }) => timing !== "unknown");
  if (new Set(rows.map(({ timing }) => timing)).size <= 1) return releasedText(rows[0]);
  return [rows[0].released ?? "unknown", ...known.map(({ name, timing }) => `${timing} (${name})`)].join(
    ", ",
  );
}

/** What stands beside every medal, in the order of a table's columns. */
export const MEDAL_COLUMNS = ["medal", "trial", "released", "description", "integrity"] as const;

export function medalCells({ state, id, released, description, integrity }: TrialSummary): string[] {
  return [state, id, released ?? "unknown", description, integrity];
}
