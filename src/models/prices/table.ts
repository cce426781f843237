import type { Price } from "../config/schema.ts";

export interface KnownModel {
  price: Price;
  /** Tokens; null where the table does not say. */
  context: number | null;
  maxOutput: number | null;
  /** False: it refuses temperature and its like. */
  sampling: boolean;
}

/** The day of the snapshot of LiteLLM's `model_prices_and_context_window.json` (MIT) that these facts come from. */
export const PRICES_AS_OF = "2026-08-05";
export const PRICES_SOURCE = "LiteLLM's public table of model prices, trimmed";

/**
 * USD per million tokens. A model that is not here has no price: its cost is unknown, never 0, until a `models.yaml` says
 * it. Writing to claude-sonnet-5's cache is taken as 1.25 times its input, as its maker's other prices are.
 */
export const PRICES: Record<string, KnownModel> = {
  "claude-opus-5": model({ input: 5, output: 25, cache_read: 0.5, cache_write: 6.25 }, { sampling: false }),
  "claude-sonnet-5": model({ input: 2, output: 10, cache_read: 0.2, cache_write: 2.5 }, { sampling: false }),
  "gpt-5": model({ input: 1.25, output: 10, cache_read: 0.125 }, { sampling: false }),
  "gpt-5.5": model(
    {
      input: 5,
      output: 30,
      cache_read: 0.5,
      above: { tokens: 272_000, input: 10, output: 45, cache_read: 1 },
    },
    { sampling: false },
  ),
  "gpt-5.6": model({ input: 5, output: 30, cache_read: 0.5, cache_write: 6.25 }, { sampling: false }),
  "gemini-2.5-pro": model(
    {
      input: 1.25,
      output: 10,
      cache_read: 0.125,
      above: { tokens: 200_000, input: 2.5, output: 15, cache_read: 0.25 },
    },
    {},
  ),
};

function model(price: Price, { sampling = true }: { sampling?: boolean }): KnownModel {
  return { price, context: null, maxOutput: null, sampling };
}

/** A dated name (`gpt-5-2025-08-07`, `claude-haiku-4-5-20251001`) is its family's. */
export function knownModel(name: string): KnownModel | null {
  const undated = name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return PRICES[name] ?? PRICES[undated] ?? null;
}
