import { z } from "zod";
import { REMOTE_PROVIDERS } from "../names.ts";

/** USD per million tokens. What is absent costs what uncached input costs. */
export const Price = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cache_read: z.number().min(0).optional(),
  cache_write: z.number().min(0).optional(),
  /** What lives in the cache for an hour or longer; without it such a call has no known cost. */
  cache_write_long: z.number().min(0).optional(),
  /** By the name of another service, such as flex or priority: all of the call times this. */
  tiers: z.record(z.string(), z.number().min(0)).optional(),
  /** A request with more input than this many tokens costs these in all of it. */
  above: z
    .strictObject({
      tokens: z.int().positive(),
      input: z.number().min(0),
      output: z.number().min(0),
      cache_read: z.number().min(0).optional(),
      cache_write: z.number().min(0).optional(),
      cache_write_long: z.number().min(0).optional(),
    })
    .optional(),
});
export type Price = z.infer<typeof Price>;

const Protocols = z.array(z.enum(["chat", "responses", "messages", "gemini"])).min(1);
const Address = z.url({ protocol: /^https?$/ });
const Variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable, never a key itself");

/** What is known of a model, or how the user wants it to be treated. */
export const ModelEntry = z.strictObject({
  /** `provider:model`. */
  model: z.string(),
  base_url: Address.optional(),
  key: Variable.optional(),
  protocols: Protocols.optional(),
  price: Price.optional(),
  /** Tokens. */
  context: z.int().positive().optional(),
  max_output: z.int().positive().optional(),
  /** The day on which its training data end, such as 2025-03-31: reports split medals by it. */
  cutoff: z.iso.date().optional(),
  /** False: it refuses temperature and its like, which are then left out. */
  sampling: z.boolean().optional(),
});
export type ModelEntry = z.infer<typeof ModelEntry>;

const ProviderEntry = z.strictObject({
  base_url: Address.optional(),
  key: Variable.optional(),
  protocols: Protocols.optional(),
  concurrency: z.int().positive().optional(),
  calls_per_minute: z.number().positive().optional(),
  /** Seconds without a byte after which a stream counts as stalled. */
  stall_seconds: z.number().positive().optional(),
});

/** `models.yaml`. */
export const ModelsFile = z.strictObject({
  models: z
    .record(z.string().regex(/^[A-Za-z0-9][\w.-]*$/, "letters, digits, ., _ and -"), ModelEntry)
    .default({}),
  providers: z.partialRecord(z.enum(REMOTE_PROVIDERS), ProviderEntry).default({}),
});
export type ModelsFile = z.infer<typeof ModelsFile>;

export const NO_MODELS_FILE: ModelsFile = { models: {}, providers: {} };
