import type { AuditReport, Finding } from "../../data/audit/audit-schema.ts";
import type { Paint } from "./grade.ts";

const STYLES = { leak: "red", defect: "yellow", suspicious: "yellow", warning: "dim" } as const;
const MAX_OMISSIONS = 8;

/** An audit for a person: each finding with its evidence and the next step, then what was looked at and what was not. */
export function auditLines(report: AuditReport, paint: Paint): string[] {
  const { competitionId, competitionVersion, findings, skippedChecks, scanned, notScanned } = report;
  const lines = [`${paint("bold", competitionId)} (${competitionVersion}) in ${report.folder}`];
  for (const finding of findings) lines.push(...findingLines(finding, paint));
  if (findings.length > 0) lines.push("");
  lines.push(`  ${verdictText(report, paint)}`);
  const { files, tables, archives, answers } = scanned;
  lines.push(
    `  looked at ${files} files, ${tables} tables, ${archives} archives, against ${answers} answers`,
  );
  for (const { check, reason } of skippedChecks)
    lines.push(`  ${paint("dim", "skipped")}   ${check}: ${reason}`);
  for (const { file, reason } of notScanned.slice(0, MAX_OMISSIONS))
    lines.push(`  ${paint("dim", "not read")}  ${file}: ${reason}`);
  if (notScanned.length > MAX_OMISSIONS)
    lines.push(`  … and ${notScanned.length - MAX_OMISSIONS} more not read; see them all with --json`);
  return lines;
}

function findingLines(
  { severity, check, file, evidence, message, nextStep }: Finding,
  paint: Paint,
): string[] {
  const place = [
    file,
    evidence.row === undefined ? null : `row ${evidence.row}`,
    evidence.line === undefined ? null : `line ${evidence.line}`,
    evidence.offset === undefined ? null : `byte ${evidence.offset}`,
  ].filter((part) => part !== null);
  return [
    "",
    `  ${paint([STYLES[severity], "bold"], severity)}  ${message} ${paint("dim", `[${check}]`)}`,
    `    seen:  ${evidence.what}`,
    ...(place.length > 0 ? [`    where: ${place.join(", ")}`] : []),
    `    next:  ${nextStep}`,
  ];
}

function verdictText({ verdict, findings }: AuditReport, paint: Paint): string {
  const count = (severity: Finding["severity"]) =>
    findings.filter((finding) => finding.severity === severity).length;
  const plural = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  if (verdict === "clean") return paint("green", "No leak or defect found.");
  const suspicious = count("suspicious") === 0 ? "" : `${count("suspicious")} suspicious, `;
  const warnings = suspicious + plural(count("warning"), "warning");
  if (verdict === "warnings") return `${paint("green", "No leak or defect found.")} ${warnings}`;
  return `${plural(count("leak"), "leak")}, ${plural(count("defect"), "defect")}, ${warnings}`;
}
