import type { ReadReport } from "../../analysis/reports.ts";
import { resolveSplit } from "../../competitions/splits.ts";

export type ChosenCompetitions =
  | { ok: true; name: string; ids: readonly string[] }
  | { ok: false; message: string };

/** A split by name, ids as they are, or whatever there is when nobody says. */
export function chooseCompetitions(
  split: string | readonly string[] | undefined,
  otherwise: () => readonly string[],
): ChosenCompetitions {
  if (typeof split === "string") {
    const resolved = resolveSplit(split);
    return resolved.ok ? { ok: true, name: split, ids: resolved.ids } : resolved;
  }
  const ids = split ?? otherwise();
  return { ok: true, name: ids.length === 1 ? ids[0] : `${ids.length} competitions`, ids };
}

export function competitionsIn(reports: readonly ReadReport[]): string[] {
  return [...new Set(reports.flatMap(({ runs }) => runs.map(({ competition_id: id }) => id)))].sort();
}
