import { z } from "zod";
import { ModelTotals } from "../../models/ledger/schema.ts";
import { RecordedModels } from "../../models/settings.ts";
import { GpuUse } from "../../sandbox/gpus/measure.ts";
import { SandboxKind } from "../../sandbox/kind.ts";
import { EnforcedPolicy } from "../../sandbox/sandbox.ts";
import { Blame } from "../../wording/problem.ts";
import { DataDigest } from "../certificate/data-digest.ts";

const StopReason = z.enum([
  "exited",
  "failed",
  "timeout",
  "memory",
  "disk",
  /** What it may spend on its models was used up. */
  "budget",
  "cancelled",
  "harness error",
]);

/** How a trial ended, and who has to act on it; nobody when the agent ended by itself with status 0. */
export const Outcome = z.object({
  stopReason: StopReason,
  blame: Blame.nullable(),
  message: z.string(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
});
export type Outcome = z.infer<typeof Outcome>;

/** One version of submission.csv as the harness found it; the same content found again is an entry of its own. */
export const SubmissionVersion = z.object({
  sha256: z.string(),
  bytes: z.int(),
  /** When the harness took its copy. */
  time: z.string(),
  elapsedSeconds: z.number(),
  /** False: seen and hashed, but beyond what is kept. */
  kept: z.boolean(),
});
export type SubmissionVersion = z.infer<typeof SubmissionVersion>;

/** Which version counts, and why. */
export const FinalSubmission = z.object({ sha256: z.string().nullable(), why: z.string() });
export type FinalSubmission = z.infer<typeof FinalSubmission>;

export const Measurements = z.object({
  wallSeconds: z.number(),
  peakMemoryBytes: z.number(),
  cpuSeconds: z.number(),
  bytesWritten: z.number(),
});

/** What the trial was allowed; `required` limits came from an explicit option, the others were wishes. */
const Wish = z.object({ value: z.number(), required: z.boolean() });
export const TrialLimits = z.object({
  timeSeconds: z.number(),
  graceSeconds: z.number(),
  memoryBytes: Wish.optional(),
  cpus: Wish.optional(),
  processes: Wish.optional(),
  diskBytes: Wish.optional(),
});
export type TrialLimits = z.infer<typeof TrialLimits>;

export const Network = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("none") }),
  z.object({ mode: z.literal("open") }),
  z.object({ mode: z.literal("allow-list"), hosts: z.array(z.string()) }),
]);
export type Network = z.infer<typeof Network>;

/** `none`, `open`, or `allow-list=host,host`; null for anything else. */
export function parseNetwork(text: string): Network | null {
  if (text === "none" || text === "open") return { mode: text };
  const hosts = /^allow-list[=:](.+)$/.exec(text)?.[1].split(",").filter(Boolean) ?? [];
  return hosts.length === 0 ? null : { mode: "allow-list", hosts };
}

/** The agent as it was resolved, with its secrets masked. */
export const RecordedAgent = z.object({
  id: z.string(),
  name: z.string(),
  command: z.array(z.string()),
  image: z.string().nullable(),
  /** What the engine calls the image's content; null without an image. */
  imageDigest: z.string().nullable(),
  /** Over the definition, secrets masked. */
  definitionDigest: z.string(),
  /** Over the files of its folder; null when it has none. */
  codeDigest: z.string().nullable(),
  /** Of somebody else's, which it starts: package, version, and the integrity npm checked when it was installed. */
  program: z
    .object({
      name: z.string(),
      integrity: z.string(),
      /** Over name, version and integrity of it and of all that came with it: the program itself may be in another package. */
      packages: z.string().optional(),
      /** Over all files that npm left; they were still the same when the trial was planned. */
      files: z.string().optional(),
    })
    .optional(),
  /** It asked for a privileged container and got none of the privileges. */
  privilegesDenied: z.literal(true).optional(),
});
export type RecordedAgent = z.infer<typeof RecordedAgent>;

/** Papers, notebooks or notes that were mounted: every result made with them used external knowledge. */
export const Materials = z.object({ folder: z.string(), digest: z.string() });

/** A language model as it was asked for, and the names it answered under. Null: nobody can know. */
const ModelUse = z.object({
  asked: z.string(),
  answered: z.array(z.string()),
  calls: z.int().nullable(),
  inputTokens: z.int().nullable(),
  outputTokens: z.int().nullable(),
  /** In US dollars. */
  cost: z.number().nullable(),
});

/**
 * What records have learned to say since the first release. Every field may be absent: a record says what was known when
 * it was written, and nobody adds to it afterwards.
 */
export const LaterClaims = {
  /** The digest of the whole plan the trial belongs to: all ids, seeds and competitions. */
  plan: z.string().optional(),
  /** The hash of the line that announced this attempt in the group's `starts.jsonl`. */
  start: z.string().optional(),
  models: z.array(ModelUse).optional(),
  /** Over all models; null where one of them is unknown. */
  calls: z.int().nullable().optional(),
  tokens: z.int().nullable().optional(),
  cost: z.number().nullable().optional(),
  /** Who had it run, and what the job was called there. */
  executor: z.object({ name: z.string(), jobId: z.string().nullable() }).optional(),
  /** How often it went on from where an earlier attempt was interrupted (`resume --continue`). */
  continuations: z.int().optional(),
  /** Of its time, what the attempts had used that it went on from. */
  usedSeconds: z.number().optional(),
  /** How long an attempt had run whose harness was killed, as far as it left signs. */
  elapsedSeconds: z.number().optional(),
  /** The agent saw the competition under this name, with other words and columns; submissions are kept with them undone. */
  obfuscation: z
    .object({ name: z.string(), digest: z.string(), rewrittenBy: z.string().optional() })
    .optional(),
  /** In short what the sandbox's policy says at length. */
  isolation: z.object({ isolated: z.boolean(), shared: z.array(z.string()) }).optional(),
  /** How the agent says that it started its program, and with which prompts: its own word, sealed like all it left. */
  programStarts: z
    .object({ commandLine: z.array(z.string()), promptDigests: z.array(z.string()) })
    .optional(),
  /** Which models the agent could ask by which role, and under which limits. */
  modelAccess: RecordedModels.optional(),
  modelTotals: ModelTotals.optional(),
  /** The GPUs it had, and what it used of them; absent where it had none. */
  gpuUse: z.array(GpuUse).optional(),
  /** Folders of the host that it could read beside the system; absent where there were none. */
  shown: z.array(z.string()).optional(),
};

/** `trial.json`: what went in, what was measured, how it ended. Written at the start and replaced as it goes on. */
export const Trial = z.object({
  schema: z.literal("mlebench/trial"),
  version: z.literal(1),
  id: z.string(),
  runGroup: z.string(),
  /** 1 for the first. */
  attempt: z.int().min(1),
  /** `interrupted`: the harness stopped or failed, not the agent; `resume` starts it again. */
  status: z.enum(["running", "interrupted", "finished"]),
  competition: z.object({ id: z.string(), version: z.enum(["v1", "v2"]), data: DataDigest }),
  agent: RecordedAgent,
  seed: z.int(),
  limits: TrialLimits,
  network: Network,
  gpus: z.array(z.string()),
  materials: Materials.nullable(),
  externalKnowledge: z.boolean(),
  sandbox: z.object({
    kind: SandboxKind,
    /** Names everything the sandbox leaves on the host, should the harness be killed. */
    identity: z.string(),
    /** Sockets of this trial. */
    runtimeFolder: z.string(),
    /** Null until it has started. */
    policy: EnforcedPolicy.nullable(),
  }),
  host: z.object({
    /** Records from before trials could travel have none. */
    name: z.string().optional(),
    hardware: z.string(),
    cpus: z.int(),
    memoryBytes: z.number(),
    platform: z.string(),
  }),
  mlebenchVersion: z.string(),
  startedAt: z.string(),
  deadline: z.string(),
  endedAt: z.string().nullable(),
  measurements: Measurements.nullable(),
  outcome: Outcome.nullable(),
  submissions: z.array(SubmissionVersion),
  final: FinalSubmission.nullable(),
  validationCalls: z.int(),
  /** What could not be collected, and other things a reader should know. */
  notes: z.array(z.string()),
  ...LaterClaims,
});
export type Trial = z.infer<typeof Trial>;
