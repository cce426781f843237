import { readDecisions } from "../decisions/decisions.ts";
import type { Decision } from "../decisions/schema.ts";
import { readFindings } from "./read.ts";
import type { Finding } from "./schema.ts";

/** What is known of one trial's honesty: beside every medal that is shown. */
export interface TrialIntegrity {
  /** The checks that looked at its group; empty when nobody has looked. */
  checks: string[];
  findings: Finding[];
  /** The decision that counts; null when nobody made one. */
  decision: Decision | null;
  /** The group's decisions cannot be read whole: one about this trial may be lost. */
  doubtful: boolean;
}

export interface GroupIntegrity {
  of(trial: string): TrialIntegrity;
  /** The trials that do not count. */
  disqualified: string[];
  /** What is wrong with the files themselves. */
  problems: string[];
  /** Those of them that may hide a disqualification. */
  doubts: string[];
}

/** Findings and decisions of a run group, by trial. */
export function readIntegrity(group: string): GroupIntegrity {
  const { checks, findings, problem } = readFindings(group);
  const { standing, problems } = readDecisions(group);
  const names = checks.map(({ check }) => check);
  const byTrial = new Map<string, Finding[]>();
  for (const finding of findings) {
    const known = byTrial.get(finding.trial);
    if (known === undefined) byTrial.set(finding.trial, [finding]);
    else known.push(finding);
  }
  return {
    of: (trial) => ({
      checks: names,
      findings: byTrial.get(trial) ?? [],
      decision: standing.get(trial) ?? null,
      doubtful: problems.length > 0,
    }),
    disqualified: [...standing.values()]
      .filter(({ decision }) => decision === "disqualify")
      .map(({ trial }) => trial),
    problems: [...(problem === null ? [] : [problem]), ...problems],
    doubts: problems,
  };
}

/** Explained findings and notes are not held against anybody. */
export function isOpen({ explained, severity }: Finding): boolean {
  return explained === null && severity !== "note";
}

/** In a few words, as it stands beside a medal. */
export function integrityText(known: TrialIntegrity): string {
  return `${known.doubtful ? "DOUBTFUL, its group's decisions are damaged: " : ""}${knownText(known)}`;
}

function knownText({ checks, findings, decision }: TrialIntegrity): string {
  if (decision?.decision === "disqualify") return `DISQUALIFIED by ${decision.by}: ${decision.why}`;
  const kept = decision === null ? "" : `, kept by ${decision.by}`;
  if (checks.length === 0) return `not looked at${kept}`;
  const open = findings.filter(isOpen);
  if (open.length === 0) return `nothing found (${checks.join(", ")})${kept}`;
  const kinds = [...new Set(open.map(({ kind }) => kind))];
  const serious = open.some(({ severity }) => severity === "serious") ? "serious" : "suspicious";
  return `${serious}: ${kinds.join(", ")}${kept}`;
}

export function isDisqualified({ decision }: TrialIntegrity): boolean {
  return decision?.decision === "disqualify";
}
