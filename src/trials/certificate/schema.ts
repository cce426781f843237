import { z } from "zod";
import { CompetitionReport } from "../../grading/report-schema.ts";
import { EnforcedPolicy } from "../../sandbox/sandbox.ts";
import {
  FinalSubmission,
  LaterClaims,
  Materials,
  Measurements,
  Network,
  Outcome,
  RecordedAgent,
  SubmissionVersion,
  TrialLimits,
} from "../trial/schema.ts";
import { DataDigest } from "./data-digest.ts";
import { Signature } from "./signing.ts";

const RecordedFile = z.object({ path: z.string(), bytes: z.int(), sha256: z.string() });

/** A call of the agent to the validation server. The hash is null when no file arrived whole. */
const ValidationCall = z.object({ time: z.string(), sha256: z.string().nullable(), result: z.string() });

/** What the agent tried to reach through the proxy of an allow-list, and how often. */
const Connection = z.object({ host: z.string(), port: z.int(), allowed: z.boolean(), attempts: z.int() });

/** Everything a trial's record claims, sealed when it ended. */
export const SealedRecord = z.object({
  trialId: z.string(),
  runGroup: z.string(),
  attempt: z.int(),
  competition: z.object({ id: z.string(), version: z.enum(["v1", "v2"]), data: DataDigest }),
  agent: RecordedAgent,
  seed: z.int(),
  limits: TrialLimits,
  network: Network,
  materials: Materials.nullable(),
  externalKnowledge: z.boolean(),
  /** As enforced; null when nothing was ever started. */
  sandbox: EnforcedPolicy.nullable(),
  mlebenchVersion: z.string(),
  startedAt: z.string(),
  deadline: z.string(),
  endedAt: z.string(),
  measurements: Measurements.nullable(),
  outcome: Outcome,
  submissions: z.array(SubmissionVersion),
  final: FinalSubmission,
  validations: z.array(ValidationCall),
  /** Calls that the rate limit turned away. */
  validationsRefused: z.int(),
  /** Each host and port once. Records from before there were any have none. */
  connections: z.array(Connection).default([]),
  /** Attempts that came after the thousandth, wherever they went. */
  connectionsUnlisted: z.int().default(0),
  events: z.object({ count: z.int(), head: z.string() }),
  /** Every file of the trial's folder, earlier attempts included; only the certificate itself cannot be here. */
  files: z.array(RecordedFile),
  ...LaterClaims,
});
export type SealedRecord = z.infer<typeof SealedRecord>;

/** One kept version's grade, for score against time. */
export const TimelinePoint = z.object({
  sha256: z.string(),
  elapsedSeconds: z.number(),
  status: z.string(),
  score: z.number().nullable(),
  medal: z.enum(["gold", "silver", "bronze"]).nullable(),
  percentile: z.number().nullable(),
});
export type TimelinePoint = z.infer<typeof TimelinePoint>;

/** Made afterwards, and sealed apart: whoever grades need not be who ran the trial. */
export const SealedGrade = z.object({
  /** The digest of the record it belongs to. */
  record: z.string(),
  /** Whose signature the record carries; null when it has none. Grades of the first release do not say. */
  recordKey: z.string().nullable().optional(),
  gradedAt: z.string(),
  graderVersion: z.string(),
  report: CompetitionReport,
  timeline: z.array(TimelinePoint),
  /** The best of the timeline by the metric's direction; null when none was scored. */
  best: TimelinePoint.nullable(),
});
export type SealedGrade = z.infer<typeof SealedGrade>;

/** What grows, grows in the content: outside of it nothing is signed, so nothing else may stand there. */
function sealed<T extends z.ZodType>(content: T) {
  return z.strictObject({
    content,
    /** SHA-256 over the canonical JSON of the content. */
    digest: z.string(),
    /** Over the canonical JSON of the content; null leaves it unsigned. */
    signature: Signature.nullable(),
  });
}

/** `certificate.json`. */
export const Certificate = z.strictObject({
  schema: z.literal("mlebench/certificate"),
  version: z.literal(1),
  record: sealed(SealedRecord),
  grade: sealed(SealedGrade).nullable(),
});
export type Certificate = z.infer<typeof Certificate>;

/** `certificate.json` of a run group: what the group's own files and its trials' certificates are. */
export const GroupCertificate = z.strictObject({
  schema: z.literal("mlebench/group-certificate"),
  version: z.literal(1),
  record: sealed(
    z.object({
      runGroup: z.string(),
      /** The digest of the plan; groups of the first release have none. */
      plan: z.string().optional(),
      /** Trials that have no certificate yet. */
      unfinished: z.array(z.string()),
      files: z.array(RecordedFile),
    }),
  ),
});
export type GroupCertificate = z.infer<typeof GroupCertificate>;

export interface Sealed<T> {
  content: T;
  digest: string;
  signature: Signature | null;
}
