import { usualSilence } from "../../files/lock-file.ts";
import type { Job, JobFiles } from "../executor.ts";
import type { ArrayStore } from "./arrays.ts";
import type { QueuedTask } from "./scheduler.ts";
import type { SlurmArray } from "./schema.ts";

/** So often may an attempt break by our own or a host's fault before the trial is given up. */
const MAX_BROKEN = 3;
/** So often may the scheduler cut it off. */
const MAX_CUT = 50;
/**
 * A lock that stands still for longer than a lease belongs to nobody that lives; the next attempt finds out for itself.
 * A third more, so that a host that is merely slow costs no question.
 */
const silentMs = () => (usualSilence() * 4) / 3;
/**
 * Slurm shows a task running in which nobody works: it takes a while to start, and to notice that one has ended. After so
 * long it will notice nothing any more: a controller that was killed at the wrong moment has forgotten the task's end.
 */
const ghostMs = () => usualSilence() * 3;

/** One trial that is not finished, as the executor knows it. */
export interface Entry {
  job: Job;
  /** `waiting`: it is in no array. `queued`: not begun, as far as we know. */
  state: "waiting" | "queued" | "begun";
  task: { array: SlurmArray; index: number } | null;
  mark: string;
  markedAt: number;
  begunAt: number;
  lookedAt: number;
  /** Since when Slurm shows it running although nobody works on it; null when that is not so. */
  idleSince: number | null;
  broken: number;
  cut: number;
  message: string;
}

export function newEntry(job: Job): Entry {
  return {
    job,
    state: "waiting",
    task: null,
    mark: "",
    markedAt: 0,
    begunAt: 0,
    lookedAt: 0,
    idleSince: null,
    broken: 0,
    cut: 0,
    message: "",
  };
}

export function isGivenUp({ broken, cut }: Entry): boolean {
  return broken >= MAX_BROKEN || cut >= MAX_CUT;
}

/** A trial that has run for hours is not looked at every second. */
const LOOK_MOST_MS = 30_000;

/** The same, unless it was looked at a moment ago. */
export function glanceAt(
  entry: Entry,
  files: JobFiles,
  now: number,
): "finished" | "alive" | "doubtful" | "not looked" {
  if (files.isFinished(entry.job.trialId)) return "finished";
  if (now - entry.lookedAt < Math.min(LOOK_MOST_MS, (now - entry.begunAt) / 10)) return "not looked";
  const seen = lookAt(entry, files, now);
  // A doubt is to be gone before the next pause.
  if (seen !== "doubtful") entry.lookedAt = now;
  return seen;
}

/** What a look at a begun trial's files says: it is finished, it lives, or only the scheduler can tell. */
function lookAt(entry: Entry, files: JobFiles, now: number): "finished" | "alive" | "doubtful" {
  const sight = files.look(entry.job.trialId);
  if (sight.status === "finished") return "finished";
  if (sight.status !== "held") return "doubtful";
  if (sight.mark !== entry.mark) {
    entry.mark = sight.mark;
    entry.markedAt = now;
  }
  return now - entry.markedAt < silentMs() ? "alive" : "doubtful";
}

/**
 * What the queue's answer means for a trial that files could not vouch for. One that is gone from the queue without a
 * result was cut off, which is an attempt and not the agent's failure, or broke.
 */
export function judge(
  entry: Entry,
  queued: QueuedTask | undefined,
  { files, store, now }: { files: JobFiles; store: ArrayStore; now: number },
): "finished" | "in the queue" | "alive" | "gone" | "ghost" {
  const seen = lookAt(entry, files, now);
  if (seen === "finished") return "finished";
  const isGhost = queued !== undefined && standsIdle(entry, queued, seen, now);
  if (queued !== undefined && !isGhost) {
    // Requeued, after a node failed or a job of higher rank came: it will begin once more.
    if (seen === "doubtful" && entry.state === "begun" && queued.state === "PENDING") entry.state = "queued";
    return "in the queue";
  }
  if (seen === "alive") return "alive";
  const sight = files.look(entry.job.trialId);
  if (sight.status === "finished") return "finished";
  const said = entry.task === null ? "" : store.lastWords(entry.task.array.key, entry.task.index);
  const broken =
    sight.status === "left" ? sight.broken : sight.status === "untouched" && said !== "" && !isCancel(said);
  if (broken) entry.broken++;
  else entry.cut++;
  entry.message = sight.status === "left" ? sight.message : said || "it was cancelled before it began";
  entry.state = "waiting";
  entry.task = null;
  entry.idleSince = null;
  return isGhost ? "ghost" : "gone";
}

/** Longer each time: where nodes are slow to start a task, a second one would be no quicker. */
function standsIdle(entry: Entry, queued: QueuedTask, seen: "alive" | "doubtful", now: number): boolean {
  if (queued.state !== "RUNNING" || seen === "alive") {
    entry.idleSince = null;
    return false;
  }
  entry.idleSince ??= now;
  return now - entry.idleSince >= ghostMs() * (1 + entry.cut);
}

/** Slurm itself writes so into a task's output when it ends it. */
function isCancel(text: string): boolean {
  return /CANCELLED|PREEMPT|NODE FAIL|TIME LIMIT|REQUEUE/i.test(text);
}
