import path from "node:path";
import type { GroupOverview } from "../../analysis/overview/group-overview.ts";
import { readHeartbeat } from "../../trials/state/heartbeat.ts";
import { pageText } from "../../trials/state/page-text.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import type { Facts, Store } from "../store.ts";

/** A trial that runs now: how far it is and what it says. */
export interface Running {
  group: string;
  trial: string;
  competitionId: string;
  seed: number;
  elapsedSeconds: number | null;
  timeSeconds: number | null;
  peakMemoryBytes: number | null;
  cpuSeconds: number | null;
  submissions: number | null;
  lastLine: string;
  host: string | null;
  cost: number | null;
  costComplete: boolean | null;
  calls: number | null;
  /** For how many seconds nothing has been heard of it, by our own clock. */
  silentSeconds: number;
}

const MAX_TRIALS = 100;
const heard = new Map<string, { beat: number; at: number }>();

export function runningTrials(store: Store, group: GroupOverview, facts: Facts): Running[] {
  return group.cells
    .filter(({ state }) => state === "running")
    .slice(0, MAX_TRIALS)
    .map(({ id, competitionId, seed }) => {
      const file = trialPaths(path.join(store.runsDir, group.id, id)).heartbeat;
      const beat = readHeartbeat(file);
      const known = facts.of.get(id);
      return {
        ...{ group: group.id, trial: id, competitionId, seed },
        elapsedSeconds: beat?.elapsedSeconds ?? null,
        timeSeconds: beat?.timeSeconds ?? null,
        peakMemoryBytes: beat?.peakMemoryBytes ?? null,
        cpuSeconds: beat?.cpuSeconds ?? null,
        submissions: beat?.submissions ?? null,
        lastLine: pageText(Buffer.from(beat?.lastLine ?? "")).slice(0, 300),
        host: beat?.host ?? null,
        cost: known?.cost ?? null,
        costComplete: known?.costComplete ?? null,
        calls: known?.calls ?? null,
        silentSeconds: silence(file, beat?.beat ?? -1),
      };
    });
}

/** Clocks of two machines are not compared: what counts is when we saw it move. */
function silence(file: string, beat: number): number {
  const before = heard.get(file);
  if (before === undefined || before.beat !== beat) {
    heard.set(file, { beat, at: performance.now() });
    return 0;
  }
  return Math.round((performance.now() - before.at) / 1000);
}
