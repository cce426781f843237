import type { JsonValue } from "../../table/json/value.ts";

/**
 * The right predictions of an example: a span `start:end`, a yes or no, or nothing. There must be exactly one annotation; of several short answers
 * the first counts, and a yes or no goes before them. Null if that is not what the annotations hold.
 */
export function goldAnswers(annotations: JsonValue): { short: string; long: string } | null {
  if (!Array.isArray(annotations) || annotations.length !== 1) return null;
  const yesNo = member(annotations[0], "yes_no_answer");
  const shorts = member(annotations[0], "short_answers");
  const long = span(member(annotations[0], "long_answer"));
  if (typeof yesNo !== "string" || !Array.isArray(shorts) || long === null) return null;
  const first = shorts.length > 0 ? span(shorts[0]) : "";
  const short = yesNo === "NONE" ? first : yesNo;
  return short === null ? null : { short, long: long.startsWith("-1:") ? "" : long };
}

function span(value: JsonValue | undefined): string | null {
  const start = member(value, "start_token");
  const end = member(value, "end_token");
  return typeof start === "bigint" && typeof end === "bigint" ? `${start}:${end}` : null;
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return value instanceof Map ? value.get(key) : undefined;
}
