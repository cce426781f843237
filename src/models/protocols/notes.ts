import type { JsonObject, Outcome } from "../call.ts";
import { refusal } from "./problems.ts";

/**
 * Which fields of a request are not carried over: `known` are read, `refused` change what the client gets in a way that cannot be
 * left out silently, everything else is left out and noted.
 */
export function dropFields(
  body: JsonObject,
  known: ReadonlySet<string>,
  refused: Record<string, string>,
  where = "",
): Outcome<string[]> {
  const notes: string[] = [];
  for (const [key, value] of Object.entries(body)) {
    if (value === null || known.has(key)) continue;
    const reason = refused[key];
    if (reason !== undefined && !isOff(value)) {
      return refusal(`"${where}${key}" cannot be carried over to this model: ${reason}`, `${where}${key}`);
    }
    if (reason === undefined) notes.push(`field "${where}${key}"`);
  }
  return { ok: true, value: notes };
}

function isOff(value: unknown): boolean {
  if (value === false || value === 0 || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
