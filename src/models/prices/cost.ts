import type { Usage } from "../call.ts";
import type { Price } from "../config/schema.ts";

/**
 * What a call costs in USD; null without a price, or where it used something whose price nobody has said: an hour in the
 * cache, another service. The line above which everything costs more counts for this one
 * request's input, however much a whole conversation has used.
 */
export function costOf(usage: Usage, price: Price | null): number | null {
  if (price === null) return null;
  const input = usage.inputUncached + usage.cacheRead + usage.cacheWrite;
  const rate = price.above !== undefined && input > price.above.tokens ? price.above : price;
  const long = Math.min(usage.cacheWriteLong ?? 0, usage.cacheWrite);
  const factor = usage.tier === undefined ? 1 : price.tiers?.[usage.tier];
  if (factor === undefined || (long > 0 && rate.cache_write_long === undefined)) return null;
  const total =
    usage.inputUncached * rate.input +
    usage.cacheRead * (rate.cache_read ?? rate.input) +
    (usage.cacheWrite - long) * (rate.cache_write ?? rate.input) +
    long * (rate.cache_write_long ?? rate.input) +
    usage.output * rate.output;
  return (total * factor) / 1e6;
}

/** Nobody is known to ask more than this for what is done faster or kept longer. */
const DEAREST = 6;

/** What counts against a budget where the cost is not known: rather too much, so that nobody slips past a limit. */
export function costBound(usage: Usage, price: Price | null): number | null {
  return costOf(usage, price) ?? costAtMost(usage, price);
}

/** The same where not even the model is known that answered. */
export function costAtMost(
  { cacheWriteLong: _, tier: __, ...plain }: Usage,
  price: Price | null,
): number | null {
  return price === null ? null : costOf(plain, price)! * DEAREST;
}

/** The most a call with so many tokens can cost, whatever the provider takes from its cache or puts into it. */
export function worstCost(
  input: number,
  output: number,
  price: Price | null,
  { tier, long }: { tier?: string | undefined; long: boolean },
): number | null {
  const plain = { inputUncached: 0, cacheRead: 0, cacheWrite: 0, output, reasoning: 0, tier };
  const written = { ...plain, cacheWrite: input };
  const ways: Usage[] = [{ ...plain, inputUncached: input }, written];
  if (long) ways.push({ ...written, cacheWriteLong: input });
  const costs = ways.map((usage) => costBound(usage, price));
  return costs.includes(null) ? null : Math.max(...(costs as number[]));
}

/** For budgets before a call and for replies without usage. */
const CHARACTERS_PER_TOKEN = 3.6;

export function estimatedTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
