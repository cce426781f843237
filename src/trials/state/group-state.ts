import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type LockOwner, lockOwner } from "../../files/lock-file.ts";
import { claimsOfEvents } from "../certificate/certificate.ts";
import { groupPaths, readGroup } from "../group/folder.ts";
import { planProblem, recordedTrials } from "../group/recorded.ts";
import { readEvents } from "../trial/events.ts";
import { readTrial, trialPaths } from "../trial/folder.ts";
import { SubmissionVersion, type Trial } from "../trial/schema.ts";
import { type Heartbeat, readHeartbeat } from "./heartbeat.ts";

/** What can be told about a trial from its files, by any process that sees them. */
export interface TrialState {
  id: string;
  competitionId: string;
  seed: number;
  state: "waiting" | "running" | "interrupted" | "finished";
  /** Null as long as nothing was started. */
  trial: Trial | null;
  /** How far it is; null unless it runs. */
  heartbeat: Heartbeat | null;
  /** It runs on another machine, and gave no sign of life while we looked. */
  silent: boolean;
}

export interface GroupState {
  runGroup: string;
  folder: string;
  /** Whether somebody drives the group. */
  busy: boolean;
  /** Why its plan cannot be read; `trials` are then those that left a record of their own. */
  problem: string | null;
  trials: TrialState[];
}

/** Longer than two beats of a lock. */
const LOOK_MS = 5000;

/**
 * The state of groups as their files tell it. Of what is held by another machine only movement can tell whether it
 * lives, so that it is looked at for some seconds; everything else is answered at once.
 */
export async function groupStates(folders: readonly string[]): Promise<GroupState[]> {
  const first = locksElsewhere(folders);
  if (first.size > 0) await wait(LOOK_MS);
  const silent = new Set(
    [...first].filter(([file, mark]) => lockOwner(file)?.mark === mark).map(([file]) => file),
  );
  return folders.map((folder) => groupState(folder, silent));
}

/** Every lock that another machine holds, with what its counter says now. */
function locksElsewhere(folders: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of folders) {
    const trials = readGroup(folder)?.trials ?? recordedTrials(folder);
    const locks = trials.map(({ id }) => trialPaths(groupPaths(folder).trial(id)).lock);
    for (const file of [groupPaths(folder).lock, ...locks]) {
      const owner = lockOwner(file);
      if (owner?.elsewhere) found.set(file, owner.mark);
    }
  }
  return found;
}

function groupState(folder: string, silent: ReadonlySet<string>): GroupState {
  const { lock, trial: placeOf } = groupPaths(folder);
  const busy = lockOwner(lock) !== null && !silent.has(lock);
  return {
    runGroup: path.basename(folder),
    folder,
    busy,
    problem: planProblem(folder),
    trials: (readGroup(folder)?.trials ?? recordedTrials(folder)).map(({ id, competitionId, seed }) => {
      const paths = trialPaths(placeOf(id));
      const trial = withSubmissions(paths.folder, readTrial(paths.folder));
      const state = stateOf(paths.folder, trial, { owner: lockOwner(paths.lock), busy });
      const heartbeat = state === "running" ? readHeartbeat(paths.heartbeat) : null;
      const isSilent = state === "running" && silent.has(paths.lock);
      return { id, competitionId, seed, state, trial, heartbeat, silent: isSilent };
    }),
  };
}

/** While a trial runs, only its events tell what it has submitted. */
function withSubmissions(folder: string, trial: Trial | null): Trial | null {
  if (trial?.status !== "running") return trial;
  const { submissions } = claimsOfEvents(readEvents(trialPaths(folder).events).events);
  return { ...trial, submissions: submissions.map((version) => SubmissionVersion.parse(version)) };
}

/** A record that says "running" although nobody works on it is what a killed harness leaves. */
export function stateOf(
  folder: string,
  trial: Trial | null,
  { owner, busy }: { owner: LockOwner | null; busy: boolean },
): TrialState["state"] {
  if (fs.existsSync(trialPaths(folder).certificate)) return "finished";
  if (trial === null) return "waiting";
  return trial.status === "interrupted" || (owner === null && !busy) ? "interrupted" : "running";
}
