import type { Usage } from "../call.ts";
import type { Price } from "../config/schema.ts";

/**
 * What a call costs in USD; null without a price. The line above which everything costs more counts for this one
 * request's input, however much a whole conversation has used.
 */
export function costOf(usage: Usage, price: Price | null): number | null {
  if (price === null) return null;
  const input = usage.inputUncached + usage.cacheRead + usage.cacheWrite;
  const rate = price.above !== undefined && input > price.above.tokens ? price.above : price;
  const total =
    usage.inputUncached * rate.input +
    usage.cacheRead * (rate.cache_read ?? rate.input) +
    usage.cacheWrite * (rate.cache_write ?? rate.input) +
    usage.output * rate.output;
  return total / 1e6;
}

/** For budgets before a call and for replies without usage. */
const CHARACTERS_PER_TOKEN = 3.6;

export function estimatedTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
