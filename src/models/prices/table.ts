import type { Price } from "../config/schema.ts";

export interface KnownModel {
  price: Price;
  /** The state of the public table that it stands in. */
  asOf: string;
  /** Tokens; null where the table does not say. */
  context: number | null;
  maxOutput: number | null;
  /** False: it refuses temperature and its like. */
  sampling: boolean;
}

/** The day of the snapshot of LiteLLM's `model_prices_and_context_window.json` (MIT) that the first facts come from. */
export const PRICES_AS_OF = "2026-08-05";
/** What was read from an earlier state of the same file; where both were read, they agree. */
const EARLIER = "summer 2026, commit 00035b69";
export const PRICES_SOURCE = "LiteLLM's public table of model prices, trimmed";

const LONG_GPT = { tokens: 272_000 };
const LONG_CLAUDE = {
  tokens: 200_000,
  input: 6,
  output: 22.5,
  cache_read: 0.6,
  cache_write: 7.5,
  cache_write_long: 12,
};
const LONG_GEMINI = { tokens: 200_000 };

/** USD per million tokens. A model that is not here has no price: its cost is unknown, never 0, until a `models.yaml` says it. */
export const PRICES: Record<string, KnownModel> = {
  "claude-opus-5": current(claude(5, 25), { sampling: false }),
  "claude-opus-4-8": claudeOf(claude(5, 25, { us: 1.1, fast: 2 }), 1_000_000, 128_000, false),
  "claude-opus-4-7": claudeOf(claude(5, 25, { us: 1.1, fast: 6 }), 1_000_000, 128_000, false),
  "claude-opus-4-6": claudeOf(claude(5, 25, { us: 1.1, fast: 6 }), 1_000_000, 128_000),
  "claude-opus-4-5": claudeOf(claude(5, 25), 200_000, 64_000),
  "claude-opus-4-1": claudeOf(claude(15, 75), 200_000, 32_000),
  "claude-fable-5": claudeOf(claude(10, 50, { us: 1.1 }), 1_000_000, 128_000, false),
  "claude-sonnet-5": current(claude(2, 10, { us: 1.1 }), {
    context: 1_000_000,
    maxOutput: 128_000,
    sampling: false,
  }),
  "claude-sonnet-4-6": claudeOf(claude(3, 15), 1_000_000, 64_000),
  "claude-sonnet-4-5": claudeOf({ ...claude(3, 15), above: LONG_CLAUDE }, 200_000, 64_000),
  "claude-haiku-4-5": claudeOf(claude(1, 5), 200_000, 64_000),
  "gpt-5": current(
    { input: 1.25, output: 10, cache_read: 0.125, tiers: { flex: 0.5, priority: 2 } },
    { context: 272_000, maxOutput: 128_000, sampling: false },
  ),
  "gpt-5-mini": gpt(
    { input: 0.25, output: 2, cache_read: 0.025, tiers: { flex: 0.5, priority: 1.8 } },
    272_000,
  ),
  "gpt-5-nano": gpt({ input: 0.05, output: 0.4, cache_read: 0.005, tiers: { flex: 0.5 } }, 272_000),
  "gpt-5-pro": gpt({ input: 15, output: 120 }, 400_000),
  "gpt-5-codex": gpt({ input: 1.25, output: 10, cache_read: 0.125 }, 272_000),
  "gpt-5.1": gpt({ input: 1.25, output: 10, cache_read: 0.125, tiers: { priority: 2 } }, 272_000),
  "gpt-5.1-codex": gpt({ input: 1.25, output: 10, cache_read: 0.125, tiers: { priority: 2 } }, 272_000),
  "gpt-5.1-codex-max": gpt({ input: 1.25, output: 10, cache_read: 0.125 }, 272_000),
  "gpt-5.1-codex-mini": gpt({ input: 0.25, output: 2, cache_read: 0.025, tiers: { priority: 1.8 } }, 272_000),
  "gpt-5.2": gpt({ input: 1.75, output: 14, cache_read: 0.175, tiers: { priority: 2 } }, 272_000),
  "gpt-5.2-codex": gpt({ input: 1.75, output: 14, cache_read: 0.175, tiers: { priority: 2 } }, 272_000),
  "gpt-5.2-pro": gpt({ input: 21, output: 168 }, 272_000),
  "gpt-5.3-codex": gpt({ input: 1.75, output: 14, cache_read: 0.175, tiers: { priority: 2 } }, 272_000),
  "gpt-5.4": gpt({
    input: 2.5,
    output: 15,
    cache_read: 0.25,
    above: { ...LONG_GPT, input: 5, output: 22.5, cache_read: 0.5 },
  }),
  "gpt-5.4-mini": gpt({ input: 0.75, output: 4.5, cache_read: 0.075, tiers: { flex: 0.5, priority: 2 } }),
  "gpt-5.4-nano": gpt({ input: 0.2, output: 1.25, cache_read: 0.02, tiers: { flex: 0.5 } }),
  "gpt-5.4-pro": gpt({
    input: 30,
    output: 180,
    cache_read: 3,
    above: { ...LONG_GPT, input: 60, output: 270, cache_read: 6 },
  }),
  "gpt-5.5": current(
    {
      input: 5,
      output: 30,
      cache_read: 0.5,
      above: { ...LONG_GPT, input: 10, output: 45, cache_read: 1 },
    },
    { context: 1_050_000, maxOutput: 128_000, sampling: false },
  ),
  "gpt-5.5-pro": gpt({
    input: 30,
    output: 180,
    cache_read: 3,
    above: { ...LONG_GPT, input: 60, output: 270, cache_read: 6 },
  }),
  "gpt-5.6": current(gpt56(5, 30), { context: 1_050_000, maxOutput: 128_000, sampling: false }),
  "gpt-5.6-sol": gpt(gpt56(5, 30)),
  "gpt-5.6-terra": gpt(gpt56(2.5, 15)),
  "gpt-5.6-luna": gpt(gpt56(1, 6)),
  "gemini-2.5-pro": current(
    {
      input: 1.25,
      output: 10,
      cache_read: 0.125,
      above: { ...LONG_GEMINI, input: 2.5, output: 15, cache_read: 0.25 },
    },
    { context: 1_048_576, maxOutput: 65_535 },
  ),
  "gemini-3-flash-preview": gemini({ input: 0.5, output: 3, cache_read: 0.05, tiers: { priority: 1.8 } }),
  "gemini-3.1-flash-lite": gemini({
    input: 0.25,
    output: 1.5,
    cache_read: 0.025,
    tiers: { flex: 0.5, priority: 1.8 },
  }),
  "gemini-3.1-pro-preview": gemini({
    input: 2,
    output: 12,
    cache_read: 0.2,
    tiers: { priority: 1.8 },
    above: { ...LONG_GEMINI, input: 4, output: 18, cache_read: 0.4 },
  }),
  "gemini-3.5-flash": gemini({ input: 1.5, output: 9, cache_read: 0.15, tiers: { priority: 1.8 } }),
};

/** Reading from its makers' caches costs a tenth, writing a quarter more, for an hour the double. */
function claude(input: number, output: number, tiers?: Record<string, number>): Price {
  return {
    input,
    output,
    cache_read: input / 10,
    cache_write: input * 1.25,
    cache_write_long: input * 2,
    ...(tiers === undefined ? {} : { tiers }),
  };
}

function gpt56(input: number, output: number): Price {
  return {
    input,
    output,
    cache_read: input / 10,
    cache_write: input * 1.25,
    above: {
      ...LONG_GPT,
      input: input * 2,
      output: output * 1.5,
      cache_read: input / 5,
      cache_write: input * 2.5,
    },
  };
}

type Facts = Partial<Omit<KnownModel, "price" | "asOf">>;

function current(price: Price, { context = null, maxOutput = null, sampling = true }: Facts): KnownModel {
  return { price, asOf: PRICES_AS_OF, context, maxOutput, sampling };
}

function claudeOf(price: Price, context: number, maxOutput: number, sampling = true): KnownModel {
  return { price, asOf: EARLIER, context, maxOutput, sampling };
}

function gpt(price: Price, context = 1_050_000): KnownModel {
  return { price, asOf: EARLIER, context, maxOutput: 128_000, sampling: false };
}

function gemini(price: Price): KnownModel {
  return { price, asOf: EARLIER, context: 1_048_576, maxOutput: 65_535, sampling: true };
}

/** A dated name (`gpt-5-2025-08-07`, `claude-haiku-4-5-20251001`) is its family's. */
export function knownModel(name: string): KnownModel | null {
  const undated = name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return PRICES[name] ?? PRICES[undated] ?? null;
}
