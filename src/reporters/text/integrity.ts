import type { IntegrityOverview } from "../../integrity/findings/overview.ts";
import type { Evidence, Finding, Severity } from "../../integrity/findings/schema.ts";
import { plural } from "../../wording/counts.ts";
import { safeText } from "../../wording/safe-text.ts";
import type { Paint } from "./grade.ts";

const ORDER: readonly Severity[] = ["serious", "suspicious", "note"];
const MAX_EVIDENCE = 3;

/** What was found and decided, worst first; what was not looked at is said, too. */
export function overviewLines(overview: IntegrityOverview, paint: Paint): string[] {
  const { runGroup, checks, findings, decisions, problems, open, disqualified, damaged } = overview;
  const lines = [
    problems.length === 0
      ? paint("bold", safeText(runGroup))
      : `${paint("bold", safeText(runGroup))}: ${paint("red", "DAMAGED")}, ${safeText(problems[0])}`,
    checks.length === 0
      ? damaged
        ? "what was looked at cannot be told: the file with it is damaged"
        : "nobody has looked: no check was run"
      : `looked at: ${checks.map(({ check, trials, at }) => `${safeText(check)} (${plural(trials, "trial")}, ${safeText(at.slice(0, 10))})`).join(", ")}`,
    `${plural(findings.length, "finding")}, ${open} open; ${plural(disqualified.length, "trial")} disqualified`,
    ...checks.flatMap(({ check, notes }) => notes.map((note) => `  ${safeText(check)}: ${safeText(note)}`)),
    ...problems.slice(1).map((problem) => paint("red", safeText(problem))),
  ];
  for (const finding of findings.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity)))
    lines.push("", ...findingLines(finding, paint));
  if (decisions.length > 0) lines.push("", paint("bold", "decisions"));
  for (const { trial, decision, why, by, time } of decisions)
    lines.push(
      `  ${safeText(time.slice(0, 10))}  ${decision}  ${safeText(trial)}: ${safeText(why)} (${safeText(by)})`,
    );
  return lines;
}

function findingLines(
  { trial, kind, severity, sentence, evidence, explained }: Finding,
  paint: Paint,
): string[] {
  const more = evidence.length - MAX_EVIDENCE;
  return [
    `${paint(severity === "serious" ? "red" : "yellow", severity)}  ${paint("bold", safeText(kind))}  ${safeText(trial)}`,
    `  ${safeText(sentence)}`,
    ...(explained === null ? [] : [`  explained: ${safeText(explained)}`]),
    ...evidence.slice(0, MAX_EVIDENCE).map((one) => `    ${evidenceText(one)}`),
    ...(more > 0 ? [`    … and ${more} more`] : []),
  ];
}

function evidenceText({ file, line, quotation }: Evidence): string {
  return `${safeText(file)}${line === null ? "" : `:${line}`}  ${safeText(quotation.trim())}`;
}
