import fs from "node:fs";
import path from "node:path";
import { writeFileAtomically } from "../../files/write-file.ts";
import { VERSION } from "../../grading/version.ts";
import { integrityPaths } from "./folder.ts";
import { type GroupFindings, readFindings } from "./read.ts";
import type { CheckName, Finding, Findings } from "./schema.ts";

export interface CheckResult {
  check: CheckName;
  trials: number;
  notes: readonly string[];
  findings: readonly Finding[];
}

const MAX_QUOTATION = 400;
const MAX_SENTENCE = 1000;
/** A trial may break one rule in a thousand lines: the first of them are evidence enough. */
const MAX_EVIDENCE = 20;

/** Replaces what these checks found before; findings of other checks stay, and a file that cannot be read is kept aside. */
export function writeFindings(group: string, results: readonly CheckResult[], now = new Date()): Findings {
  const before = readFindings(group);
  const lost = before.problem === null ? [] : [keepAside(integrityPaths(group).findings, before)];
  const again = new Set<string>(results.map(({ check }) => check));
  const record: Findings = {
    schema: "mlebench/findings",
    version: 1,
    runGroup: path.basename(path.resolve(group)),
    checks: [
      ...before.checks.filter(({ check }) => !again.has(check)),
      ...results.map(({ check, trials, notes }) => ({
        check,
        at: now.toISOString(),
        mlebenchVersion: VERSION,
        trials,
        notes: [...lost, ...notes],
      })),
    ],
    findings: [
      ...before.findings.filter(({ check }) => !again.has(check)),
      ...results.flatMap(({ findings }) => findings.map(shortened)),
    ],
  };
  writeFileAtomically(integrityPaths(group).findings, `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

/** Nothing is overwritten that a person may still want to read; returns the sentence that says where it is. */
function keepAside(file: string, { problem, newer }: GroupFindings): string {
  const kind = newer ? "newer" : "damaged";
  let n = 1;
  const place = () => path.join(path.dirname(file), `findings.${kind}-${n}.json`);
  while (fs.existsSync(place())) n++;
  fs.renameSync(file, place());
  return `${problem}; it is kept as ${path.basename(place())}, and what other checks had found is not among the findings now`;
}

function shortened(finding: Finding): Finding {
  return {
    ...finding,
    sentence: cut(finding.sentence, MAX_SENTENCE),
    evidence: finding.evidence
      .slice(0, MAX_EVIDENCE)
      .map((one) => ({ ...one, quotation: cut(one.quotation, MAX_QUOTATION) })),
  };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
