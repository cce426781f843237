import { z } from "zod";

const Tokens = z.object({
  inputUncached: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  /** A part of cacheWrite: what lives for an hour or longer. Absent where there is none. */
  cacheWriteLong: z.number().optional(),
  output: z.number(),
  /** A part of output. */
  reasoning: z.number(),
  /** Another service than the usual one, such as `priority`; absent for the usual one. */
  tier: z.string().optional(),
});

/** `answered`: the client got a reply; `refused`: nobody was asked; `cancelled`: the client went away before the end. */
export const CallOutcome = z.enum(["answered", "failed", "refused", "cancelled"]);
export type CallOutcome = z.infer<typeof CallOutcome>;

export const CallBlame = z.enum(["agent", "provider", "budget", "harness", "user"]);
export type CallBlame = z.infer<typeof CallBlame>;

/** One model call: a line of `model/ledger.jsonl`. */
export const LedgerLine = z.object({
  seq: z.int(),
  time: z.string(),
  /** Null where the request did not get as far as a model. */
  role: z.string().nullable(),
  /** As the client wrote it. */
  modelAsked: z.string().nullable(),
  /** As the run names it: `anthropic:claude-sonnet-5`. */
  model: z.string().nullable(),
  /** By the provider's own word. */
  modelAnswered: z.string().nullable(),
  protocolIn: z.string(),
  protocolOut: z.string().nullable(),
  streamed: z.boolean(),
  outcome: CallOutcome,
  /** Who has to act; null for an answered call. */
  blame: CallBlame.nullable(),
  /** What went wrong, in a sentence. */
  problem: z.string().nullable(),
  /** What the client was told. */
  status: z.int().nullable(),
  usage: Tokens.nullable(),
  /** `estimated`: the provider did not say, or the call was cut off. */
  usageSource: z.enum(["reported", "estimated"]).nullable(),
  /** USD; null is unknown, never nothing. */
  cost: z.number().nullable(),
  costSource: z.enum(["reported", "price"]).nullable(),
  milliseconds: z.object({
    /** Spent in our own queues and between tries. */
    waiting: z.number(),
    /** From the request to the first byte for the client; null when there was none. */
    firstByte: z.number().nullable(),
    total: z.number(),
  }),
  retries: z.int(),
  stopReason: z.string().nullable(),
  requestId: z.string().nullable(),
  requestSha256: z.string().nullable(),
  replySha256: z.string().nullable(),
  bytesIn: z.int(),
  bytesOut: z.int(),
  /** It came from a recording. */
  replayed: z.boolean(),
  notes: z.array(z.string()),
});
export type LedgerLine = z.infer<typeof LedgerLine>;

/** What a trial's calls come to. */
export const ModelTotals = z.object({
  calls: z.int(),
  answered: z.int(),
  failed: z.int(),
  refused: z.int(),
  cancelled: z.int(),
  retries: z.int(),
  tokens: z.object({
    inputUncached: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    output: z.number(),
    reasoning: z.number(),
    total: z.number(),
  }),
  /** USD of the calls whose cost is known. Null when it is known of none that has any tokens. */
  cost: z.number().nullable(),
  /** False: some calls have no price, or no usage of the provider's own. */
  complete: z.boolean(),
  /** Milliseconds. */
  waiting: z.number(),
  /** Milliseconds. */
  thinking: z.number(),
});
export type ModelTotals = z.infer<typeof ModelTotals>;
