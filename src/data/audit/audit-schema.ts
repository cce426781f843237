import { z } from "zod";

/** Every check, in the order in which they run. */
export const AUDIT_CHECKS = [
  "answers-in-tables",
  "answers-in-names",
  "answers-in-files",
  "undescribed-files",
  "single-column",
  "shared-rows",
  "shared-groups",
  "sample-submission",
  "side-tables",
  "archive-content",
  "crowded-board",
] as const;

export const AuditCheck = z.enum(AUDIT_CHECKS);
export type AuditCheck = z.infer<typeof AuditCheck>;

/**
 * A `leak` gives answers away, a `defect` makes the task another one than described. What is `suspicious` would be a
 * leak if it were known only after the outcome, which no scanner can see; a `warning` is for the reader to judge.
 */
const Severity = z.enum(["leak", "defect", "suspicious", "warning"]);

/** What was seen and where. Rows and lines count from 1, without the header; offsets are bytes from 0. */
const Evidence = z.object({
  what: z.string(),
  row: z.int().positive().optional(),
  line: z.int().positive().optional(),
  column: z.string().optional(),
  offset: z.int().nonnegative().optional(),
  /** A measured figure, such as an AUC or a share, and on how many rows or files it was measured. */
  figure: z.number().optional(),
  measuredOn: z.int().nonnegative().optional(),
});

export const Finding = z.object({
  check: AuditCheck,
  severity: Severity,
  /** Relative to the public folder, a member of an archive as `archive.zip/member`; null when no file is at fault. */
  file: z.string().nullable(),
  evidence: Evidence,
  message: z.string(),
  nextStep: z.string(),
});
export type Finding = z.infer<typeof Finding>;

/** Whether it must be mended before anybody uses the data. */
export function isGrave({ severity }: Finding): boolean {
  return severity === "leak" || severity === "defect";
}

const Omission = z.object({ file: z.string(), reason: z.string() });
export type Omission = z.infer<typeof Omission>;

/** What the leak scanner saw, and what it did not look at: a clean report is worth no more than its coverage. */
export const AuditReport = z.object({
  schema: z.literal("mlebench/audit"),
  version: z.literal(1),
  competitionId: z.string(),
  competitionVersion: z.enum(["v1", "v2"]),
  folder: z.string(),
  /** `findings` when there is a leak or a defect. */
  verdict: z.enum(["clean", "warnings", "findings"]),
  findings: z.array(Finding),
  skippedChecks: z.array(z.object({ check: AuditCheck, reason: z.string() })),
  scanned: z.object({ files: z.int(), tables: z.int(), archives: z.int(), answers: z.int() }),
  notScanned: z.array(Omission),
});
export type AuditReport = z.infer<typeof AuditReport>;
