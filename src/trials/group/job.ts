import type { Job, Share } from "../../executors/executor.ts";
import { type HeldLock, waitForLock } from "../../files/lock-file.ts";
import type { Problem } from "../../wording/problem.ts";
import { type JobPlace, startHeartbeat } from "../state/heartbeat.ts";
import { trialPaths } from "../trial/folder.ts";
import { continuationOf, recoverTrial } from "../trial/recover.ts";
import type { TrialControl, TrialResult } from "../trial/request.ts";
import { runTrial } from "../trial/run.ts";
import { groupPaths } from "./folder.ts";
import type { PlannedTrial, RunGroup } from "./schema.ts";
import { limitsOf, type SharedByTrials, trialRequest } from "./shared.ts";

/** A planned trial as a job. */
export function jobOf(folder: string, { settings }: RunGroup, planned: PlannedTrial, attempt: number): Job {
  const { cpus, memoryBytes, timeSeconds, graceSeconds } = limitsOf(settings, planned.competitionId);
  return {
    group: folder,
    trialId: planned.id,
    attempt,
    needs: {
      cpus: cpus?.value ?? 0,
      memoryBytes: memoryBytes?.value ?? 0,
      gpus: settings.gpus,
      seconds: timeSeconds + graceSeconds,
    },
  };
}

export interface JobControl extends TrialControl {
  /** An interrupted trial goes on with what it left, its time and its money, instead of beginning anew. */
  goOn?: boolean;
  onTrialStart?: (trial: PlannedTrial, attempt: number) => void;
  onWatch?: (owner: string, seconds: number) => void;
}

export type JobOutcome =
  /** Somebody else had finished it before. */
  | { status: "done" }
  | { status: "ran"; result: TrialResult }
  /** Somebody else is running it. */
  | { status: "busy"; problem: Problem };

/**
 * Runs one trial of a group in this process, whoever asks for it: it belongs to whoever holds its lock. What an earlier
 * attempt left is put in order first.
 */
export async function runJob(
  shared: SharedByTrials,
  planned: PlannedTrial,
  { share, place, control }: { share: Share; place: JobPlace; control: JobControl },
): Promise<JobOutcome> {
  const paths = trialPaths(groupPaths(shared.folder).trial(planned.id));
  const lock = await waitForLock(paths.lock, "trial-lock", {
    beats: true,
    signal: control.interrupted,
    onWatch: control.onWatch,
  });
  if (lock.status === "busy") return { status: "busy", problem: beingRun(planned, lock.owner) };
  try {
    const recovery = await recoverTrial(paths.folder, shared.signingKey);
    if (recovery.status === "done") return { status: "done" };
    control.onTrialStart?.(planned, recovery.attempt);
    const { attempt } = recovery;
    const heartbeat = startHeartbeat(paths.heartbeat, place, attempt);
    const continued = control.goOn === true ? continuationOf(paths, attempt) : null;
    const request = trialRequest(shared, planned, { attempt, gpus: share.gpus, place, continued });
    const result = await runTrial(request, {
      interrupted: control.interrupted,
      killed: AbortSignal.any([control.killed, lock.lost]),
      isMine: lock.isMine,
      onProgress(progress) {
        if (lock.isMine()) heartbeat.show(progress);
        control.onProgress?.(progress);
      },
      onEnd: heartbeat.end,
    });
    return { status: "ran", result };
  } finally {
    lock.release();
  }
}

/** Puts a trial in order that nobody runs, and says what is left to do for it. */
export async function inspectTrial(
  { folder, signingKey }: SharedByTrials,
  planned: PlannedTrial,
  options: Parameters<typeof waitForLock>[2],
): Promise<{ status: "done" } | { status: "start"; attempt: number } | { status: "busy"; owner: string }> {
  const paths = trialPaths(groupPaths(folder).trial(planned.id));
  const lock = await waitForLock(paths.lock, "trial-lock", { beats: true, ...options });
  if (lock.status === "busy") return lock;
  return withLock(lock, () => recoverTrial(paths.folder, signingKey));
}

export function beingRun({ id }: PlannedTrial, owner: string): Problem {
  return {
    code: "TRIAL_BUSY",
    message: `${id} is being run by ${owner}.`,
    nextStep: "see how far it is: mlebench status",
  };
}

async function withLock<T>(lock: HeldLock, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    lock.release();
  }
}
