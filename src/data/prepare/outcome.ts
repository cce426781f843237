import { z } from "zod";
import { FileCheck } from "../place/verify-checksums.ts";
import { AuditSummary } from "./audit-after-prepare.ts";
import { SettingValues, Verification } from "./state.ts";

/** Who has to act when a competition could not be prepared. */
const Blame = z.enum(["user", "host", "task", "harness"]);

const Common = z.object({
  competitionId: z.string(),
  competitionVersion: z.enum(["v1", "v2"]),
  /** Constants replaced with --set. */
  settings: SettingValues,
  warnings: z.array(z.string()),
  /** Empty unless files were compared in this run. */
  checks: z.array(FileCheck),
});

const Prepared = {
  folder: z.string(),
  verification: Verification,
  /** Whether this is the data that published scores refer to: v1, nothing set, every checksum the original's. */
  official: z.boolean(),
};

/** Why there is no prepared data, and what to do about it. */
export const PrepareFailure = z.object({
  stage: z.enum(["start", "raw", "extract", "prepare", "verify", "place"]),
  code: z.string(),
  message: z.string(),
  nextStep: z.string(),
  blame: Blame,
  /** Whether the same command may succeed later without anything being changed. */
  retryable: z.boolean(),
});
export type PrepareFailure = z.infer<typeof PrepareFailure>;

/** How preparing one competition ended. Only after `ready` and `already-prepared` is there data to use. */
export const PrepareOutcome = z.discriminatedUnion("status", [
  Common.extend({ status: z.literal("ready"), ...Prepared, seconds: z.number(), audit: AuditSummary }),
  Common.extend({ status: z.literal("already-prepared"), ...Prepared }),
  Common.extend({ status: z.literal("failed"), ...PrepareFailure.shape }),
  Common.extend({ status: z.literal("interrupted") }),
]);
export type PrepareOutcome = z.infer<typeof PrepareOutcome>;
