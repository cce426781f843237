import { z } from "zod";
import { AuditReport } from "../../data/audit/audit-schema.ts";
import { Blame } from "../../wording/problem.ts";

const Problem = z.object({
  code: z.string(),
  message: z.string(),
  nextStep: z.string(),
  blame: Blame,
});

export const Proposal = z.object({
  competitionId: z.string(),
  name: z.string(),
  table: z.object({
    file: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    separator: z.enum([",", ";", "\t"]),
  }),
  rows: z.object({ used: z.int(), withoutTarget: z.int() }),
  columns: z.int(),
  dropped: z.array(z.string()),
  id: z.object({ column: z.string(), made: z.boolean(), why: z.string() }),
  target: z.object({
    column: z.string(),
    kind: z.enum(["binary", "classes", "grades", "number"]),
    why: z.string(),
    /** Empty for numbers. */
    classes: z.array(z.string()),
    /** Which class a probability is of; null unless that is what is asked for. */
    positive: z.string().nullable(),
    /** The constant of the sample submission. */
    sample: z.string(),
  }),
  metric: z.object({
    metric: z.string(),
    name: z.string(),
    direction: z.enum(["maximize", "minimize"]),
    best: z.number(),
    why: z.string(),
  }),
  split: z.object({
    by: z.enum(["rows", "classes", "group", "time"]),
    column: z.string().nullable(),
    testSize: z.number(),
    seed: z.int(),
    why: z.string(),
  }),
  notes: z.array(z.string()),
});
export type Proposal = z.infer<typeof Proposal>;

/** `init.json` in the folder that was made: from what, and how it was decided. */
export const InitRecord = z.object({
  schema: z.literal("mlebench/init"),
  version: z.literal(1),
  proposal: Proposal,
});
export type InitRecord = z.infer<typeof InitRecord>;

/** A score, or why there is none. */
const Score = z.discriminatedUnion("status", [
  z.object({ status: z.literal("scored"), score: z.number() }),
  z.object({ status: z.literal("none"), message: z.string() }),
]);
export type Score = z.infer<typeof Score>;

const Made = z.object({
  folder: z.string(),
  competitionsDir: z.string(),
  dataDir: z.string(),
  proposal: Proposal,
  scores: z.object({ sample: Score, baseline: Score, perfect: Score }),
  audit: AuditReport,
  warnings: z.array(z.string()),
  nextCommands: z.array(z.string()),
});

/**
 * How making a competition ended. `refused`: the input is not what it takes, and nothing was written. `failed`: the
 * machine or a bug is to blame. `not-ready`: the folder is there to be looked at, but its data is not prepared.
 */
export const InitOutcome = z.discriminatedUnion("status", [
  Made.extend({ status: z.literal("ready") }),
  Made.extend({ status: z.literal("not-ready"), reasons: z.array(z.string()) }),
  Problem.extend({ status: z.literal("refused") }),
  Problem.extend({ status: z.literal("failed") }),
  z.object({ status: z.literal("interrupted") }),
]);
export type InitOutcome = z.infer<typeof InitOutcome>;
export type InitRefusal = Extract<InitOutcome, { status: "refused" }>;
export type MadeCompetition = Extract<InitOutcome, { status: "ready" | "not-ready" }>;

export function refusal(code: string, message: string, nextStep: string): InitRefusal {
  return { status: "refused", code, message, nextStep, blame: "user" };
}
