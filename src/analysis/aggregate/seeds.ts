import type { GradedRun, ReadReport } from "../reports.ts";

/** Runs arranged as the original arranges them: seed i is the i-th report of every competition. */
export interface Seeds {
  competitions: readonly string[];
  /** `runs[seed][competition]`; null where no report exists. */
  runs: (GradedRun | null)[][];
  missing: { competitionId: string; seeds: number }[];
  /** Runs that are there and not used, because other competitions have fewer or fewer were asked for. */
  unused: number;
}

export type SeedsOutcome = { ok: true; seeds: Seeds } | { ok: false; message: string };

export interface SeedOptions {
  competitions: readonly string[];
  /** How many seeds to use; all of them when left out. */
  numSeeds?: number | undefined;
  /** Count a missing report as a run without submission, instead of refusing. */
  padMissing: boolean;
}

/**
 * Lines reports up by competition, in reading order, never by how good they are. Without padding every competition
 * needs a report and the shortest list decides how many seeds there are; with it, the longest does.
 */
export function arrangeSeeds(reports: readonly ReadReport[], options: SeedOptions): SeedsOutcome {
  const { competitions, numSeeds, padMissing } = options;
  const lists = new Map<string, GradedRun[]>(competitions.map((id) => [id, []]));
  for (const { runs } of reports) for (const run of runs) lists.get(run.competition_id)?.push(run);
  const counts = competitions.map((id) => lists.get(id)!.length);
  const available = padMissing ? Math.max(0, ...counts) : Math.min(...counts);
  if (available === 0) {
    const found = new Set(reports.flatMap(({ runs }) => runs.map((run) => run.competition_id)));
    return { ok: false, message: nothingToAverage(competitions, counts, padMissing, [...found]) };
  }
  const wanted = numSeeds ?? available;
  if (wanted > available) {
    return { ok: false, message: `${wanted} seeds were asked for, but only ${available} are there.` };
  }
  const runs = Array.from({ length: wanted }, (_, seed) =>
    competitions.map((id) => lists.get(id)![seed] ?? null),
  );
  const missing = competitions
    .map((competitionId, i) => ({ competitionId, seeds: Math.max(0, wanted - counts[i]) }))
    .filter(({ seeds }) => seeds > 0);
  const unused = counts.reduce((sum, count) => sum + Math.max(0, count - wanted), 0);
  return { ok: true, seeds: { competitions, runs, missing, unused } };
}

/** How many runs should be there and are not. */
export function missingRuns({ missing }: Pick<Seeds, "missing">): number {
  return missing.reduce((sum, { seeds }) => sum + seeds, 0);
}

/** Whose scores the medals of these runs were measured against, where their reports say. */
export function fieldsOf(...all: readonly Seeds[]): string[] {
  const runs = all.flatMap((seeds) => seeds.runs.flat());
  return [...new Set(runs.flatMap((run) => run?.leaderboard ?? []))].sort();
}

function nothingToAverage(
  competitions: readonly string[],
  counts: number[],
  padMissing: boolean,
  found: readonly string[],
): string {
  const absent = competitions.filter((_, i) => counts[i] === 0);
  if (padMissing || absent.length === competitions.length)
    return `No report is of a competition of this split; they are of ${some(found) || "none"}. Name their split, or a text file of ids: --split`;
  return `${absent.length} of ${competitions.length} competitions have no report (${some(absent)}). Count them as failed: --pad-missing`;
}

function some(ids: readonly string[]): string {
  return ids.slice(0, 5).join(", ") + (ids.length > 5 ? ", …" : "");
}
