import fs from "node:fs";
import { levenshtein } from "../metrics/sequences/levenshtein.ts";
import { ENTRIES } from "./catalogue.generated.ts";
import SPLITS from "./splits.json" with { type: "json" };

/** Other names that people use for a split. */
const ALIASES: Record<string, keyof typeof SPLITS> = { lite: "low", all: "split75" };

export const SPLIT_NAMES: readonly string[] = [...Object.keys(SPLITS), ...Object.keys(ALIASES)];

export type SplitOutcome = { ok: true; ids: readonly string[] } | { ok: false; message: string };

/**
 * The competitions of a named split, or of a text file with one id a line (blank lines and lines starting with #
 * do not count). A file may name competitions from outside the package, so its ids are not checked here.
 */
export function resolveSplit(name: string): SplitOutcome {
  const key = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  if (Object.hasOwn(SPLITS, key)) return { ok: true, ids: SPLITS[key as keyof typeof SPLITS] };
  if (!fs.existsSync(name) || !fs.statSync(name).isFile()) {
    return {
      ok: false,
      message: `"${name}" is neither a split (${SPLIT_NAMES.join(", ")}) nor a text file of ids.`,
    };
  }
  const ids = fs
    .readFileSync(name, "utf8")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  return ids.length > 0 ? { ok: true, ids } : { ok: false, message: `"${name}" names no competition.` };
}

/** The name of the split that these are, in any order; null when they are none. */
export function splitOf(ids: readonly string[]): string | null {
  const wanted = new Set(ids);
  const found = Object.entries(SPLITS).find(
    ([, members]) => members.length === wanted.size && members.every((id) => wanted.has(id)),
  );
  return found?.[0] ?? null;
}

/** The ids most like a mistyped one, best first. */
export function nearestIds(
  id: string,
  known: readonly string[] = ENTRIES.map((entry) => entry.id),
): string[] {
  const wanted = id.toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, distance: likeness(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0]?.distance ?? 0;
  return ranked
    .filter(({ distance }) => distance <= Math.max(3, best + 2) && distance <= Math.max(2, wanted.length / 2))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** A shortened name is as good as a mistyped one: "spooky" should find spooky-author-identification. */
function likeness(wanted: string, candidate: string): number {
  const prefix =
    levenshtein(wanted, candidate.slice(0, wanted.length)) + (candidate.includes(wanted) ? 0 : 1);
  return Math.min(levenshtein(wanted, candidate), prefix);
}
