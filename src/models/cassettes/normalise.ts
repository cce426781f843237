import type { JsonObject, JsonValue } from "../call.ts";

/** Changes when a normaliser does: recordings of another version may miss. */
export const NORMALISERS_VERSION = 3;

/**
 * What differs between two runs of the same agent without meaning anything. The order counts: a path that holds a UUID is a
 * path.
 */
const NORMALISERS: readonly { name: string; pattern: RegExp; replacement: string }[] = [
  { name: "paths of temporary files", pattern: /(\/var)?\/tmp\/[^\s"'`,;:)\]}>]+/g, replacement: "<TMP>" },
  { name: "ports of this machine", pattern: /\b(127\.0\.0\.1|localhost):\d{2,5}\b/g, replacement: "<HOST>" },
  {
    name: "UUIDs",
    // Programs put a word before it: msg_01a1f4a4-….
    pattern: /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi,
    replacement: "<UUID>",
  },
  { name: "tokens of a trial", pattern: /\bmlebench-[A-Za-z0-9_-]{16,}\b/g, replacement: "<TOKEN>" },
  {
    name: "times",
    pattern: /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?/g,
    replacement: "<TIME>",
  },
  {
    // The same mark as below: ls writes a day of this year with its time, and one of another with its year.
    name: "dates in words",
    pattern:
      /\b((Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? +)?(\d{1,2}(st|nd|rd|th)? +)?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,? +(\d{1,2}(st|nd|rd|th)?,? +)?20\d{2}\b/g,
    replacement: "<TIME>",
  },
  {
    name: "times as ls and date write them",
    pattern:
      /\b((Mon|Tue|Wed|Thu|Fri|Sat|Sun) +)?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} +(\d{2}:\d{2}(:\d{2}( [AP]M)?( [A-Z]{3,4})? \d{4})?|\d{4})\b/g,
    replacement: "<TIME>",
  },
  { name: "times of day", pattern: /\b\d{2}:\d{2}:\d{2}(\.\d+)?\b/g, replacement: "<TIME>" },
  { name: "dates", pattern: /\b20\d{2}-\d{2}-\d{2}\b/g, replacement: "<DATE>" },
  { name: "seconds since 1970", pattern: /\b1[6-9]\d{8}(\d{3})?(\.\d+)?\b/g, replacement: "<TIME>" },
  {
    name: "durations and what is left",
    pattern: /\b\d+(\.\d+)?\s?(ms|milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?)\b/g,
    replacement: "<DURATION>",
  },
  {
    name: "remaining budget",
    pattern: /((?:remaining|left|so far|spent)\D{0,40})\$?\d+(\.\d+)?/gi,
    replacement: "$1<LEFT>",
  },
  {
    name: "names that tools give to what they run",
    pattern:
      /\b((?:chunk|session|process|command|task|job|trace|request)[ _-]?id"?\s?[:=]?\s?"?)[0-9a-z][\w-]*/gi,
    replacement: "$1<ID>",
  },
  { name: "process ids", pattern: /\b(pid|process)\s?[:=#]?\s?\d+\b/gi, replacement: "<PID>" },
  { name: "digests", pattern: /(?<![0-9a-z])[0-9a-f]{17,}(?![0-9a-z])/gi, replacement: "<DIGEST>" },
];

/** Fields that say nothing about what is asked: who asks, how the reply travels, what is cached. */
const NOT_ASKED = new Set([
  ...["model", "stream", "stream_options", "store", "user", "metadata", "service_tier", "safety_identifier"],
  ...[
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "client_metadata",
    "cache_control",
  ],
]);

/** `places` are folders of this run, replaced first: `[path, name]`. */
function normaliseText(text: string, places: readonly (readonly [string, string])[] = []): string {
  let result = text;
  for (const [place, name] of places) if (place !== "") result = result.replaceAll(place, `<${name}>`);
  for (const { pattern, replacement } of NORMALISERS) result = result.replace(pattern, replacement);
  return result;
}

/** A request without what differs from run to run, keys in order. */
export function normaliseRequest(
  body: JsonValue,
  places: readonly (readonly [string, string])[] = [],
  depth = 0,
): JsonValue {
  if (typeof body === "string") return normaliseText(body, places);
  if (body === null || typeof body !== "object") return body;
  if (Array.isArray(body)) return body.map((item) => normaliseRequest(item, places, depth + 1));
  const kept = Object.keys(body)
    .filter((key) => !(depth === 0 ? NOT_ASKED.has(key) : key === "cache_control"))
    .sort();
  return Object.fromEntries(
    kept.map((key) => [key, normaliseRequest(body[key], places, depth + 1)]),
  ) as JsonObject;
}
