import { z } from "zod";

const Answer = z.union([z.boolean(), z.string().min(1)]);
const Amount = z.number().positive();

/**
 * What the authors of an experiment say about it: a YAML or JSON file beside their reports. Where a trial's record
 * says the same thing, the record counts, and a contradiction is noted.
 */
export const Disclosure = z.strictObject({
  agent: z.string().min(1),
  /** Grading reports or run groups, as seen from this file. */
  reports: z.array(z.string().min(1)).min(1),
  padMissing: z.boolean().optional(),
  models: z.string().min(1).optional(),
  date: z.iso.date().optional(),
  /** Where it was published. */
  source: z.string().min(1).optional(),
  hours: Amount.optional(),
  cpus: Amount.optional(),
  memoryGiB: Amount.optional(),
  /** The former name of `memoryGiB`; files that have it meant the same. */
  memoryGB: Amount.optional(),
  gpus: z.string().min(1).optional(),
  internet: Answer.optional(),
  externalKnowledge: Answer.optional(),
  testSetFeedback: Answer.optional(),
  artefacts: Answer.optional(),
  sourceAvailable: z.boolean().optional(),
  gradingReportsAvailable: z.boolean().optional(),
  notes: z.string().min(1).optional(),
});
export type Disclosure = z.infer<typeof Disclosure>;

const MeanAndError = z.object({ mean: z.number(), sem: z.number() });
export type MeanAndError = z.infer<typeof MeanAndError>;

/** `broken`: the files contradict each other, so that nothing of the row counts. */
export const Trust = z.enum(["recomputed", "attested", "declared", "broken"]);
export type Trust = z.infer<typeof Trust>;

/** One experiment. Null always means that it is not known. */
export const StandingsRow = z.object({
  agent: z.string(),
  models: z.string().nullable(),
  /** False: a model was simulated, scripted or an echo; null where no record says. */
  languageModels: z.boolean().nullable().default(null),
  /** Any medal, in per cent; null where the reports do not cover the split. */
  low: MeanAndError.nullable(),
  medium: MeanAndError.nullable(),
  high: MeanAndError.nullable(),
  all: MeanAndError.nullable(),
  /** Over the competitions there are reports of, whichever they are. */
  covered: MeanAndError.extend({ competitions: z.int() }).nullable(),
  hours: z.array(z.number()),
  hardware: z.string().nullable(),
  seeds: z.int().nullable(),
  date: z.string().nullable(),
  source: z.string().nullable(),
  internet: Answer.nullable(),
  externalKnowledge: Answer.nullable(),
  testSetFeedback: Answer.nullable(),
  artefacts: Answer.nullable(),
  competitionVersion: z.enum(["v1", "v2", "mixed"]).nullable(),
  sourceAvailable: z.boolean().nullable(),
  gradingReportsAvailable: z.boolean().nullable(),
  notes: z.array(z.string()),
  /** In words; null where nothing was recorded. */
  isolation: z.string().nullable(),
  /** Whether a trial of it could have read the answers; a row that could is marked wherever it stands. */
  unisolated: z.boolean(),
  trust: Trust,
  trustReason: z.string(),
  deviations: z.array(z.string()),
  /** False when the agent was told how it does on the test set, or when the record is broken. */
  comparable: z.boolean(),
  /** A row of the published leaderboard, for reference. */
  published: z.boolean(),
});
export type StandingsRow = z.infer<typeof StandingsRow>;

export const Standings = z.object({
  schema: z.literal("mlebench/standings"),
  version: z.literal(1),
  createdAt: z.string(),
  mlebenchVersion: z.string(),
  rows: z.array(StandingsRow),
});
export type Standings = z.infer<typeof Standings>;
