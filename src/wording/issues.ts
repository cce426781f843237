import type { z } from "zod";
import { nearestName } from "./nearest.ts";

const MAX_VALUE_LENGTH = 60;

/** What is wrong with a file that a person wrote: the field, the value, and what is allowed, one sentence each. */
export function issueTexts(error: z.ZodError, value: unknown, known: readonly string[] = []): string[] {
  return error.issues.map((issue) => {
    const field = fieldText(issue.path);
    if (issue.code === "unrecognized_keys") {
      const names = issue.keys.map((key) => {
        const meant = nearestName(key, known);
        return `"${key}"${meant === null ? "" : ` (did you mean "${meant}"?)`}`;
      });
      const allowed = known.length > 0 && issue.path.length === 0 ? `; allowed are ${known.join(", ")}` : "";
      return `${field === "" ? "" : `${field}: `}${names.join(", ")} is not a field of it${allowed}`;
    }
    const found = valueAt(value, issue.path);
    const allowed = allowedText(issue);
    if (found === undefined) return `${field || "the whole"} is missing; allowed is ${allowed}`;
    return `${field || "the whole"} is ${valueText(found)}; allowed is ${allowed}`;
  });
}

function allowedText(issue: z.core.$ZodIssue): string {
  // A schema's own words come first; the library's begin like this.
  if (!issue.message.startsWith("Invalid ")) return lowered(issue.message);
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value)).join(" or ");
  if (issue.code === "invalid_type") return NAMES[issue.expected] ?? issue.expected;
  return lowered(issue.message);
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  function: "a function",
};

/** As a person would write it: `files.answers`, `quantiles[3]`. */
function fieldText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      inner === null || inner === undefined ? undefined : (inner as Record<PropertyKey, unknown>)[key],
    value,
  );
}

function valueText(value: unknown): string {
  if (typeof value === "function") return "a function";
  const text =
    JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? Number(inner) : inner)) ?? String(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
