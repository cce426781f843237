import { readUsage } from "../../trials/state/usage-history.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import type { Results } from "../results.ts";

/** What a trial held at a moment, and how many processors it kept busy since the moment before. */
export interface UsagePoint {
  seconds: number;
  memoryBytes: number | null;
  processors: number | null;
}

/** What a trial used while it ran; empty where no history was recorded. */
export function usageOverTime(folder: string): UsagePoint[] {
  const samples = readUsage(trialPaths(folder).usage);
  return samples.map(({ seconds, memoryBytes, cpuSeconds }, i) => {
    const before = i === 0 ? { seconds: 0, cpuSeconds: 0 } : samples[i - 1];
    const passed = seconds - before.seconds;
    const processors = passed > 0 ? Math.max(0, (cpuSeconds - before.cpuSeconds) / passed) : null;
    return { seconds, memoryBytes, processors };
  });
}

/** The same for one trial of a report. */
export interface TrialUsage {
  agent: string;
  competitionId: string;
  seed: number;
  points: UsagePoint[];
}

export interface TrialUsages {
  trials: TrialUsage[];
  /** How many trials have a record of their own; some of them only may be drawn. */
  of: number;
}

/** More lines than this say nothing more. */
const MAX_POINTS = 40;

/** The histories of a report's trials, evenly chosen where there are many. */
export function usagesOf({ agents }: Results): TrialUsages {
  const records = agents.flatMap(({ name, rows }) =>
    rows.flat().flatMap((record) => (record?.folder && record.trial ? [{ name, ...record }] : [])),
  );
  const step = Math.max(1, records.length / MAX_POINTS);
  const chosen = records.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
  return {
    of: records.length,
    trials: chosen.flatMap(({ name, competitionId, seed, folder }) => {
      const points = usageOverTime(folder!);
      return points.length < 2 ? [] : [{ agent: name, competitionId, seed, points }];
    }),
  };
}
