import {
  type ClassCount,
  FAILURE_LABELS,
  type FailedTrial,
  type Failures,
} from "../../analysis/failures/failures.ts";
import { plural } from "../../wording/counts.ts";
import { safeText } from "../../wording/safe-text.ts";
import type { Paint } from "./grade.ts";
import { deviationText } from "./insights.ts";
import { textTable } from "./table.ts";

/** How many trials show which failure, by agent; `keys` puts the key to press in front of each. */
export function failureCountLines(failures: Failures, paint: Paint, keys?: string): string[] {
  const { trials, ungraded, counts, failed } = failures;
  const about = ungraded > 0 ? ` (${ungraded} not graded: some rules had nothing to look at)` : "";
  if (counts.length === 0) return [`no failures in ${plural(trials, "trial")}${about}`];
  const agents = [...new Set(failed.map(({ agent }) => agent))];
  const header = ["failure", ...agents, "all", "most often on"].map((title) => paint("dim", title));
  const rows = counts.map((count, i) => [
    `${keys === undefined ? "" : `${paint("bold", keys[i])}  `}${FAILURE_LABELS[count.class]}`,
    ...agents.map((agent) => String(Object.hasOwn(count.byAgent, agent) ? count.byAgent[agent] : 0)),
    String(count.trials),
    mostOften(count),
  ]);
  const right = [...agents.map((_, i) => i + 1), agents.length + 1];
  return [
    `${paint("bold", String(failed.length))} of ${trials} trials show a failure${about}; a trial counts in every class it shows`,
    "",
    ...textTable([header, ...rows], right),
  ];
}

/** How far the set-up was from the one that published results have. */
export function deviationLines(deviations: Record<string, string[]>): string[] {
  return Object.entries(deviations).map(([agent, found]) => safeText(`${agent}: ${deviationText(found)}`));
}

function mostOften({ byCompetition }: ClassCount): string {
  const [first, ...rest] = Object.entries(byCompetition).sort(([, a], [, b]) => b - a);
  return `${first[0]} (${first[1]})${rest.length > 0 ? ` and ${rest.length} more` : ""}`;
}

/** Trials of one class with their evidence. */
export function exampleLines(
  name: ClassCount["class"],
  trials: readonly FailedTrial[],
  paint: Paint,
): string[] {
  return trials.flatMap((trial) => {
    const evidence = trial.findings.find((finding) => finding.class === name)?.evidence ?? [];
    const also = trial.findings.filter((finding) => finding.class !== name);
    return [
      `${paint("bold", safeText(trial.competitionId))} seed ${trial.seed}, ${safeText(trial.agent)}${trial.scored ? " (scored all the same)" : ""}`,
      ...evidence.map(({ where, text }) => `  ${paint("dim", safeText(where))}  ${safeText(text)}`),
      ...(also.length > 0 ? [`  also: ${also.map((one) => FAILURE_LABELS[one.class]).join(", ")}`] : []),
      ...(trial.folder === null ? [] : [`  ${paint("dim", safeText(trial.folder))}`]),
    ];
  });
}

export function trialsOfClass({ failed }: Failures, name: ClassCount["class"]): FailedTrial[] {
  return failed.filter(({ findings }) => findings.some((finding) => finding.class === name));
}
