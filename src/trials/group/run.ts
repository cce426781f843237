import { setMaxListeners } from "node:events";
import fs from "node:fs";
import type { Executor, Job, Share } from "../../executors/executor.ts";
import { waitForLock } from "../../files/lock-file.ts";
import type { Problem } from "../../wording/problem.ts";
import type { JobPlace } from "../state/heartbeat.ts";
import { readTrial, trialPaths } from "../trial/folder.ts";
import type { TrialResult } from "../trial/request.ts";
import { groupPaths } from "./folder.ts";
import { beingRun, inspectTrial, type JobControl, type JobOutcome, jobOf, runJob } from "./job.ts";
import { jobFiles } from "./job-files.ts";
import { type GivenPlaces, placedGroup } from "./places.ts";
import { closeGroup, describeRun, writeMetadata } from "./record.ts";
import type { GroupMetadata, RunGroup } from "./schema.ts";
import { type SharedByTrials, shareOf } from "./shared.ts";

export interface GroupControl extends JobControl {
  executor: Executor;
  /** Goes on although prepared data are others than when the group was started; each trial's record says so. */
  acceptChangedData?: boolean;
  /** What was given on the command line in place of what the plan names. */
  places?: GivenPlaces;
  onTrialEnd?: (result: TrialResult) => void;
  /** Something about the run as a whole, such as that everything waits. */
  onNotice?: (message: string) => void;
}

export type GroupOutcome =
  | { status: "refused"; problem: Problem }
  /** `unfinished` trials wait for `resume`. `refusal`: why some of them were not started. */
  | { status: "ended"; group: RunGroup; finished: string[]; unfinished: string[]; refusal: Problem | null };

/**
 * Runs what is missing of a planned group: all of it the first time, the rest after any kind of interruption. What is
 * done is never repeated. Only one process at a time drives a group; each trial belongs to whoever holds its own lock.
 */
export async function runGroup(folder: string, control: GroupControl): Promise<GroupOutcome> {
  const placed = placedGroup(folder, control.places ?? {}, "run");
  if ("problem" in placed) return { status: "refused", problem: placed.problem };
  const { group } = placed;
  const lock = await waitForLock(groupPaths(folder).lock, "group-lock", {
    beats: true,
    signal: control.interrupted,
    onWatch: control.onWatch,
  });
  if (lock.status === "busy")
    return refused("GROUP_BUSY", `The group is being worked on by ${lock.owner}.`, "see mlebench status");
  try {
    const { trials } = group;
    const shared = await shareOf(folder, group, {
      trials,
      acceptChangedData: control.acceptChangedData === true,
    });
    if ("code" in shared) return { status: "refused", problem: shared };
    return await runMissing(shared, { ...control, killed: AbortSignal.any([control.killed, lock.lost]) });
  } finally {
    lock.release();
  }
}

async function runMissing(shared: SharedByTrials, control: GroupControl): Promise<GroupOutcome> {
  const { folder, group } = shared;
  const stop = new AbortController();
  // Each trial that runs listens; many at a time are not a leak.
  setMaxListeners(0, control.interrupted, control.killed, stop.signal);
  const stopAll = () => stop.abort();
  control.interrupted.addEventListener("abort", stopAll);
  control.killed.addEventListener("abort", stopAll);
  if (control.interrupted.aborted || control.killed.aborted) stopAll();
  const runs = new Map<string, GroupMetadata["runs"][string]>();
  let refusal: Problem | null = null;
  const note = (id: string) => {
    const run = describeRun(groupPaths(folder).trial(id));
    if (run !== null) runs.set(id, run);
  };
  const plannedTrials = new Map(group.trials.map((planned) => [planned.id, planned]));
  // It covers files that are about to change.
  fs.rmSync(groupPaths(folder).certificate, { force: true });
  const jobs: Job[] = [];
  for (const planned of group.trials) {
    if (control.executor.elsewhere) {
      // Whoever runs it there puts it in order; here nobody may take its lock, not even for a moment.
      if (fs.existsSync(trialPaths(groupPaths(folder).trial(planned.id)).certificate)) note(planned.id);
      else jobs.push(jobOf(folder, group, planned, 1));
      continue;
    }
    const { interrupted: signal, onWatch } = control;
    const found = await inspectTrial(shared, planned, { signal, onWatch });
    if (found.status === "done") note(planned.id);
    else if (found.status === "start") jobs.push(jobOf(folder, group, planned, found.attempt));
    else refusal ??= beingRun(planned, found.owner);
  }
  const metadata = metadataWriter(() => writeMetadata(folder, group, runs));
  const place: JobPlace = { executor: group.settings.executor ?? "local", jobId: null };

  async function runHere(job: Job, share: Share): Promise<void> {
    const planned = plannedTrials.get(job.trialId)!;
    const outcome = await runJob(shared, planned, { share, place, control });
    note(planned.id);
    metadata();
    const problem = problemOf(outcome);
    if (problem !== null) {
      refusal ??= problem;
      // The next one would be refused for the same reason.
      if (outcome.status === "ran") stop.abort();
    }
    if (outcome.status === "ran") control.onTrialEnd?.(outcome.result);
  }

  function onFinished(id: string): void {
    note(id);
    metadata();
    const trial = readTrial(groupPaths(folder).trial(id));
    if (trial !== null) control.onTrialEnd?.({ status: "finished", trial, refusal: null });
  }

  try {
    const files = jobFiles(folder, plannedTrials, control, onFinished);
    const { killed, onNotice = () => {} } = control;
    const given = await control.executor.runAll(jobs, {
      stop: stop.signal,
      killed,
      runHere,
      files,
      say: onNotice,
    });
    refusal ??= given;
  } finally {
    control.interrupted.removeEventListener("abort", stopAll);
    control.killed.removeEventListener("abort", stopAll);
  }
  for (const { id } of group.trials) note(id);
  writeMetadata(folder, group, runs);
  await closeGroup(folder, group, shared.signingKey);
  const ids = group.trials.map(({ id }) => id);
  return {
    status: "ended",
    group,
    finished: ids.filter((id) => runs.has(id)),
    unfinished: ids.filter((id) => !runs.has(id)),
    refusal,
  };
}

function problemOf(outcome: JobOutcome): Problem | null {
  if (outcome.status === "busy") return outcome.problem;
  if (outcome.status === "done") return null;
  const { refusal } = outcome.result;
  return refusal !== null && !refusal.retryable ? refusal : null;
}

function refused(code: string, message: string, nextStep: string): GroupOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}

/** At most this part of the time goes into rewriting metadata.json, which grows with the group. */
const METADATA_COST = 20;

/** Writes at once unless the last writing was just now: what many trials cost together stays proportional to them. */
function metadataWriter(write: () => void): () => void {
  let writeAgainAt = Number.NEGATIVE_INFINITY;
  return () => {
    const before = performance.now();
    if (before < writeAgainAt) return;
    try {
      write();
    } catch {
      // A disk that is full now may have room at the end, when it is written once more.
    }
    const after = performance.now();
    writeAgainAt = after + (after - before) * METADATA_COST;
  };
}
