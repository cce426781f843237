import { z } from "zod";
import { SlurmSettings } from "../../executors/slurm/schema.ts";
import { ModelAccess } from "../../models/settings.ts";
import { SandboxKind } from "../../sandbox/kind.ts";
import { DataDigest } from "../certificate/data-digest.ts";
import { Network } from "../trial/schema.ts";

const Wish = z.object({ value: z.number(), required: z.boolean() });

/** The name of one folder: a plan from elsewhere must not lead out of its group. */
const FolderName = z
  .string()
  .max(255)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name with one of them is not a name.
  .regex(/^[^/\\\x00-\x1f\x7f]+$/, "is not the name of a folder")
  .refine((name) => !name.startsWith("."), "is not the name of a folder");

export const PlannedTrial = z.object({ id: FolderName, competitionId: FolderName, seed: z.int() });
export type PlannedTrial = z.infer<typeof PlannedTrial>;

/** What a run group was started with: everything that `resume` needs, and nothing that changes later. */
export const GroupSettings = z.object({
  agentId: z.string(),
  agentFolders: z.array(z.string()),
  dataDir: z.string(),
  competitionVersion: z.enum(["v1", "v2"]),
  competitionsDir: z.string().nullable(),
  workers: z.int().min(1),
  sandbox: SandboxKind,
  /** Null: what the agent's definition says. */
  network: Network.nullable(),
  timeSeconds: z.number(),
  /** By competition, in place of the general one. */
  timeSecondsOf: z.record(z.string(), z.number()),
  graceSeconds: z.number(),
  memoryBytes: Wish,
  memoryBytesOf: z.record(z.string(), z.number()),
  cpus: Wish,
  processes: Wish,
  diskBytes: Wish,
  gpus: z.int().min(0),
  image: z.string().nullable(),
  rootFolder: z.string().nullable(),
  materials: z.string().nullable(),
  /** Folders of the host that agents see where they lie, read-only. */
  show: z.array(z.string()).optional(),
  snapshotMinutes: z.number(),
  retain: z.boolean(),
  /** Where the signing key lies; null leaves the certificates unsigned. */
  signingKey: z.string().nullable(),
  /** Agents see competitions under other names, words and columns; absent where they do not. */
  obfuscate: z.boolean().optional(),
  /** The model that wrote their descriptions anew, and the digest of each, by competition. */
  rewritten: z.object({ model: z.string(), texts: z.record(z.string(), z.string()) }).optional(),
  /** Who schedules the trials; groups from before there was a choice have none, which is `local`. */
  executor: z.string().optional(),
  /** What the executor `slurm` was told. */
  slurm: SlurmSettings.optional(),
  /** Language models by the role they play; absent where the agent has none. */
  models: z.record(z.string(), z.string()).optional(),
  /** How they may be asked. */
  modelAccess: ModelAccess.optional(),
  /** How long an agent that stops early is continued; absent leaves it to the agent. */
  until: z.string().optional(),
});
export type GroupSettings = z.infer<typeof GroupSettings>;

/** `group.json`: the plan, written once before anything starts. */
export const RunGroup = z.object({
  schema: z.literal("mlebench/run-group"),
  version: z.literal(1),
  name: z.string(),
  createdAt: z.string(),
  /** The agent at that time; a group never mixes two. */
  agentDigest: z.string(),
  /** The prepared data at that time, by competition; groups from before it was written down have none. */
  data: z.record(z.string(), DataDigest).optional(),
  settings: GroupSettings,
  trials: z.array(PlannedTrial),
});
export type RunGroup = z.infer<typeof RunGroup>;

/** `metadata.json`: the original's keys, and ours behind them. Rewritten whenever a trial ends. */
export const GroupMetadata = z.object({
  run_group: z.string(),
  created_at: z.string(),
  runs: z.record(
    z.string(),
    z.looseObject({
      /** It ran its course: it ended by itself with status 0, or used up its time. */
      success: z.boolean(),
    }),
  ),
});
export type GroupMetadata = z.infer<typeof GroupMetadata>;
