import path from "node:path";
import { readDecisions } from "../decisions/decisions.ts";
import type { Decision } from "../decisions/schema.ts";
import { isOpen } from "./of-trial.ts";
import { readFindings } from "./read.ts";
import type { DoneCheck, Finding } from "./schema.ts";

/** Everything that is known of a group's honesty, as a program or a page shows it. */
export interface IntegrityOverview {
  schema: "mlebench/integrity";
  version: 1;
  runGroup: string;
  checks: DoneCheck[];
  findings: Finding[];
  decisions: Decision[];
  /** Findings that nothing explains and nobody decided about. */
  open: number;
  disqualified: string[];
  problems: string[];
  /** There are findings that cannot be read, which is not the same as none. */
  damaged: boolean;
}

export function readIntegrityOverview(group: string): IntegrityOverview {
  const { checks, findings, problem } = readFindings(group);
  const { decisions, standing, problems } = readDecisions(group);
  return {
    schema: "mlebench/integrity",
    version: 1,
    runGroup: path.basename(path.resolve(group)),
    checks,
    findings,
    decisions,
    open: findings.filter((finding) => isOpen(finding) && !standing.has(finding.trial)).length,
    disqualified: [...standing.values()]
      .filter(({ decision }) => decision === "disqualify")
      .map(({ trial }) => trial),
    damaged: problem !== null,
    problems: [...(problem === null ? [] : [problem]), ...problems],
  };
}
