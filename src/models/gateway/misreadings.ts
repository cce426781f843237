import type { JsonObject, JsonValue } from "../call.ts";

type Kind = "flag" | "count" | "list" | "any";

/** Fields the gateway decides on, and what may stand in them. */
const DECIDED: Record<string, Kind> = {
  model: "any",
  stream: "flag",
  tools: "list",
  n: "count",
  max_tokens: "count",
  max_completion_tokens: "count",
  max_output_tokens: "count",
  ...Object.fromEntries(
    ["messages", "input", "contents", "system", "instructions", "systemInstruction"].map((name) => [
      name,
      "any" as const,
    ]),
  ),
};

const FITS: Record<Kind, { test(value: JsonValue): boolean; words: string }> = {
  flag: { test: (value) => typeof value === "boolean", words: "true or false" },
  count: { test: (value) => typeof value === "number" && value >= 0, words: "a number from 0 on" },
  list: { test: Array.isArray, words: "a list" },
  any: { test: () => true, words: "" },
};

/** As programs compare that ignore case: the Kelvin sign is a k to them, the long s an s. */
export const folded = (name: string): string => name.toUpperCase().toLowerCase();

/**
 * Why a request could be read otherwise by its provider than by us; null where it cannot. Some servers take `"Model"` for `model`
 * and `"true"` for true: what is spelled so is refused, since limits and policy would be about another request than theirs.
 */
export function misreading(body: JsonObject, alsoDecided: Iterable<string>): string | null {
  const exact = new Set([...Object.keys(DECIDED), ...alsoDecided]);
  const known = new Map([...exact].map((name) => [folded(name), name]));
  for (const [name, value] of Object.entries(body)) {
    const meant = known.get(folded(name));
    if (meant === undefined) continue;
    if (!exact.has(name))
      return `The field "${name}" differs from "${meant}" in nothing but capitals, and programs disagree on whether that is the same.`;
    const { test, words } = FITS[DECIDED[name] ?? "any"];
    if (value !== null && !test(value)) return `The field "${name}" must be ${words}.`;
  }
  return null;
}
