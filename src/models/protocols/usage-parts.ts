import type { JsonValue, Usage } from "../call.ts";

export const longPart = (tokens: number): Pick<Usage, "cacheWriteLong"> =>
  tokens > 0 ? { cacheWriteLong: tokens } : {};

const USUAL = new Set(["", "auto", "default", "standard", "standard_only", "global", "not_available"]);

/** Those of these words that are not the usual service's; what is unusual in two ways has a name, and a price, of its own. */
export function tierOf(...words: (JsonValue | undefined)[]): Pick<Usage, "tier"> {
  const unusual = words.filter((word) => typeof word === "string" && !USUAL.has(word));
  return unusual.length === 0 ? {} : { tier: unusual.join("+").slice(0, 40) };
}
