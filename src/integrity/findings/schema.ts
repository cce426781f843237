import { z } from "zod";

/** What looks; a check that has not been run says nothing, which is not the same as having found nothing. */
export type CheckName = "plagiarism" | "rules" | "judge" | "provenance" | "contamination";

/**
 * `serious`: a rule was broken if the evidence is what it seems. `suspicious`: a person should look. `note`: worth knowing,
 * such as similarity that is explained. Nobody is disqualified by any of them: that is a decision, see `decisions`.
 */
export const Severity = z.enum(["serious", "suspicious", "note"]);
export type Severity = z.infer<typeof Severity>;

/** Where it was seen. The quotation is somebody else's text, cut to a few lines: never code to run, never markup. */
export const Evidence = z.object({
  /** Relative to the trial's folder, or the name of what it was compared with. */
  file: z.string(),
  /** From 1; null where a line means nothing. */
  line: z.int().min(1).nullable(),
  quotation: z.string(),
});
export type Evidence = z.infer<typeof Evidence>;

/** Evidence that a rule may have been broken; a person decides. */
export const Finding = z.object({
  trial: z.string(),
  check: z.string(),
  /** Such as `network-attempt`; a later version may know more kinds. */
  kind: z.string(),
  severity: Severity,
  sentence: z.string(),
  evidence: z.array(Evidence),
  /** Why nobody is to blame, such as "the repository agent says it took this file from …"; null when nothing explains it. */
  explained: z.string().nullable(),
});
export type Finding = z.infer<typeof Finding>;

/** One look at the group. */
export const DoneCheck = z.object({
  check: z.string(),
  at: z.string(),
  mlebenchVersion: z.string(),
  /** How many trials it could look at; those without code or logs are not among them. */
  trials: z.int().min(0),
  /** What it could not do, in sentences. */
  notes: z.array(z.string()),
});
export type DoneCheck = z.infer<typeof DoneCheck>;

/** `integrity/findings.json` in a run group's folder: what the newest run of each check found. */
export const Findings = z.object({
  schema: z.literal("mlebench/findings"),
  version: z.literal(1),
  runGroup: z.string(),
  checks: z.array(DoneCheck),
  findings: z.array(Finding),
});
export type Findings = z.infer<typeof Findings>;
