import { z } from "zod";

/** One thing that was looked at, and the command or page that mends it. */
export const DoctorCheck = z.object({
  area: z.enum(["kaggle", "disk", "sandbox", "python", "parts", "slurm"]),
  name: z.string(),
  status: z.enum(["ok", "warning", "missing"]),
  message: z.string(),
  /** A command to run or a page to open; null when nothing needs mending. */
  fix: z.string().nullable(),
});
export type DoctorCheck = z.infer<typeof DoctorCheck>;

/** What can be done with one competition right now. */
export const CompetitionHealth = z.object({
  competitionId: z.string(),
  canGrade: z.boolean(),
  canRun: z.boolean(),
  /** Its raw data come with it, so that preparing it needs neither account nor network. */
  shipped: z.boolean().default(false),
  /** "unknown": not asked, since it is prepared, there are no credentials, or Kaggle was not to be asked. */
  rules: z.enum(["accepted", "not-accepted", "unknown"]),
  message: z.string().nullable(),
  /** The command or page that brings it further. */
  fix: z.string().nullable(),
});
export type CompetitionHealth = z.infer<typeof CompetitionHealth>;

export const DoctorReport = z.object({
  schema: z.literal("mlebench/doctor"),
  version: z.literal(1),
  dataDir: z.string(),
  checks: z.array(DoctorCheck),
  competitions: z.array(CompetitionHealth),
});
export type DoctorReport = z.infer<typeof DoctorReport>;
