import type { JsonObject, JsonValue, Usage } from "../../call.ts";
import { countOf, isObject, isPossibleUsage, objectOf } from "../json.ts";
import { longPart, tierOf } from "../usage-parts.ts";

/** Cached and written tokens are inside the input, reasoning is inside the output; `in` and `out` name the fields. */
export function readOpenaiUsage(
  value: JsonValue | undefined,
  input: string,
  output: string,
  /** Of the reply, not of its usage. */
  serviceTier?: JsonValue,
): Usage | null {
  if (!isObject(value) || !isPossibleUsage(value)) return null;
  const details = objectOf(value[`${input}_details`]);
  const cacheRead = countOf(details.cached_tokens) || countOf(value.prompt_cache_hit_tokens);
  const cacheWrite = countOf(details.cache_write_tokens);
  return {
    inputUncached: Math.max(0, countOf(value[input]) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    ...longPart(countOf(objectOf(details.cache_write_tokens_details).ttl_12h_tokens)),
    output: countOf(value[output]),
    ...tierOf(serviceTier),
    reasoning: countOf(objectOf(value[`${output}_details`]).reasoning_tokens),
  };
}

export function writeOpenaiUsage(usage: Usage, input: string, output: string): JsonObject {
  const read = usage.inputUncached + usage.cacheRead + usage.cacheWrite;
  return {
    [input]: read,
    [output]: usage.output,
    total_tokens: read + usage.output,
    [`${input}_details`]: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    [`${output}_details`]: { reasoning_tokens: usage.reasoning },
  };
}
