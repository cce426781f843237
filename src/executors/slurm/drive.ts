import type { Problem } from "../../wording/problem.ts";
import type { Job, JobContext } from "../executor.ts";
import type { ArrayStore } from "./arrays.ts";
import { type Entry, glanceAt, isGivenUp, judge, newEntry } from "./entries.ts";
import { startPace } from "./pace.ts";
import type { Clock, QueuedTask, Scheduler } from "./scheduler.ts";
import type { SlurmArray } from "./schema.ts";
import { adopt, type Submitter, submitWaiting } from "./submit.ts";
import { whyWaiting } from "./why-waiting.ts";

export interface Drive {
  scheduler: Scheduler;
  store: ArrayStore;
  clock: Clock;
  /** How many trials may run at a time. */
  workers: number;
  maxTasks: number;
  /** The nodes' names, to tell a node that breaks everything. */
  nodes: readonly string[];
}

/** How long a running trial may go on collecting after a stop was asked for. */
const STOP_PATIENCE_MS = 120_000;
const FAILED_LAUNCH = /launch failed|requeued held/i;

/**
 * Sees to it that every job is in the queue until its trial is finished. The trials' own files say what has begun and
 * what is finished; the controller is asked only when they leave a doubt. May be killed at any moment: whoever comes
 * next finds the arrays by what stands in the group's folder.
 */
export async function drive(jobs: readonly Job[], context: JobContext, how: Drive): Promise<Problem | null> {
  const { clock, store } = how;
  const { files } = context;
  const open = new Map(jobs.map((job) => [job.trialId, newEntry(job)]));
  const begun = new Map<string, Entry>();
  const arrays = new Map<string, SlurmArray>();
  const given: Entry[] = [];
  let refusal: Problem | null = null;
  const pace = startPace(clock);
  const submitter: Submitter = {
    ...how,
    mostTasks: how.maxTasks,
    unsure: null,
    excluded: () => excludedNodes(how.nodes, broken),
    onArray: (array) => void arrays.set(array.key, array),
  };
  const broken = new Map<string, number>();

  function finish(entry: Entry): void {
    const { trialId } = entry.job;
    open.delete(trialId);
    begun.delete(trialId);
    if (entry.task !== null) store.forget(entry.task.array.key, entry.task.index);
    pace.finished(entry.begunAt === 0 ? 0 : clock.now() - entry.begunAt);
    files.tell(trialId, "finished");
  }

  /** What the trials' files say; how many of the begun ones they do not vouch for. */
  function look(): number {
    for (const id of files.begun()) {
      const entry = open.get(id);
      if (entry === undefined) continue;
      Object.assign(entry, { state: "begun", begunAt: clock.now(), lookedAt: 0 });
      begun.set(id, entry);
      pace.begun();
      files.tell(id, "begun");
    }
    let doubtful = 0;
    for (const entry of begun.values()) {
      const seen = glanceAt(entry, files, clock.now());
      if (seen === "finished") finish(entry);
      else if (seen === "doubtful") doubtful++;
      else if (seen === "alive") files.tell(entry.job.trialId, "seen");
    }
    return doubtful;
  }

  /** Asks the controller, and believes it where the files do not know better. */
  async function ask(): Promise<void> {
    const keys = [...arrays.keys(), ...(submitter.unsure === null ? [] : [submitter.unsure.key])];
    const answer = await how.scheduler.queue(keys);
    pace.asked(answer.status === "answered");
    if (answer.status !== "answered") {
      context.say(`Slurm does not answer: ${answer.message}; trials that run go on`);
      return;
    }
    const queued = new Map(answer.tasks.map((task) => [`${task.key}/${task.index}`, task]));
    adoptUnsure(answer.tasks);
    learnNumbers(answer.tasks);
    await cancelFailedLaunches(answer.tasks, queued);
    const live = new Set(answer.tasks.map(({ key }) => key));
    const ghosts: { jobId: string; index: number }[] = [];
    for (const entry of [...open.values()]) {
      if (entry.state === "waiting" || entry.task === null) continue;
      const { array, index } = entry.task;
      const verdict = judge(entry, queued.get(`${array.key}/${index}`), { files, store, now: clock.now() });
      if (verdict === "finished") finish(entry);
      const isOut = verdict === "gone" || verdict === "ghost";
      if (entry.state === "queued" || isOut) begun.delete(entry.job.trialId);
      if (verdict === "ghost" && array.jobId !== null) ghosts.push({ jobId: array.jobId, index });
      if (isOut) {
        const host = files.look(entry.job.trialId);
        if (host.status === "left" && host.broken && host.host !== undefined)
          broken.set(host.host, (broken.get(host.host) ?? 0) + 1);
        if (isGivenUp(entry)) {
          open.delete(entry.job.trialId);
          given.push(entry);
        }
      }
    }
    await how.scheduler.cancelTasks(ghosts);
    for (const array of [...arrays.values()])
      if (!live.has(array.key)) {
        arrays.delete(array.key);
        store.close(array);
      }
    tellWhy(answer.tasks);
  }

  function adoptUnsure(tasks: readonly QueuedTask[]): void {
    const { unsure } = submitter;
    if (unsure === null) return;
    submitter.unsure = null;
    if (tasks.some(({ key }) => key === unsure.key)) adopt(submitter, unsure, entriesOf(unsure));
    else store.close(unsure);
  }

  /** Whoever submitted may have been killed, or the answer lost, before the number was written down. */
  function learnNumbers(tasks: readonly QueuedTask[]): void {
    for (const { key, jobId } of tasks) {
      const array = arrays.get(key);
      if (array === undefined || array.jobId !== null) continue;
      array.jobId = jobId;
      store.save(array);
    }
  }

  function entriesOf(array: SlurmArray): Entry[] {
    return array.trials.flatMap((id) => open.get(id) ?? []);
  }

  async function cancelFailedLaunches(
    tasks: readonly QueuedTask[],
    queued: Map<string, QueuedTask>,
  ): Promise<void> {
    const failed = tasks.filter(({ reason }) => FAILED_LAUNCH.test(reason));
    const named = failed.flatMap(({ key, index }) => {
      const jobId = arrays.get(key)?.jobId;
      return jobId == null ? [] : [{ jobId, index }];
    });
    await how.scheduler.cancelTasks(named);
    for (const { key, index } of failed) queued.delete(`${key}/${index}`);
  }

  let told = "";
  function tellWhy(tasks: readonly QueuedTask[]): void {
    const why = whyWaiting(tasks);
    if (why !== "" && why !== told) context.say(why);
    told = why;
  }

  async function submit(): Promise<void> {
    const waiting = [...open.values()].filter(({ state }) => state === "waiting");
    // What may be in the queue already is looked for first.
    if (waiting.length === 0 || submitter.unsure !== null || !pace.maySubmit()) return;
    const round = await submitWaiting(submitter, waiting, open.size);
    if (round.status === "submitted") return pace.submitted();
    if (round.status === "refused") {
      refusal = sbatchRefused(round.message);
      for (const { job } of waiting) if (open.get(job.trialId)?.state === "waiting") open.delete(job.trialId);
      return;
    }
    if (pace.submitLater(round.soon)) context.say(`Slurm takes no jobs now: ${round.message}; trying again`);
  }

  async function stop(): Promise<void> {
    const keys = [...arrays.keys(), ...(submitter.unsure === null ? [] : [submitter.unsure.key])];
    if (keys.length > 0) await how.scheduler.cancel(keys, "gently");
    const until = clock.now() + STOP_PATIENCE_MS;
    while (begun.size > 0 && clock.now() < until && !context.killed.aborted) {
      look();
      for (const [id] of begun) if (files.look(id).status !== "held") begun.delete(id);
      if (begun.size > 0) await clock.sleep(500, context.killed);
    }
    if (begun.size > 0 && keys.length > 0) await how.scheduler.cancel(keys, "at once");
  }

  await attach({ store, entriesOf, adoptArray: (array, entries) => adopt(submitter, array, entries) });
  if (arrays.size > 0) await ask();
  while (open.size > 0) {
    if (context.stop.aborted) {
      await stop();
      break;
    }
    await submit();
    const doubtful = look();
    if (open.size === 0) break;
    const queued = count(open, "queued");
    const running = begun.size - doubtful;
    if (pace.mayAsk({ doubtful, running, queued, unsure: submitter.unsure !== null })) await ask();
    else await clock.sleep(pace.pause(begun.size), context.stop);
  }
  for (const array of arrays.values()) store.close(array);
  return refusal ?? givenUp(given);
}

/** What an earlier process submitted counts as ours; whether it is still in the queue is asked next. */
async function attach({
  store,
  entriesOf,
  adoptArray,
}: {
  store: ArrayStore;
  entriesOf(array: SlurmArray): Entry[];
  adoptArray(array: SlurmArray, entries: readonly Entry[]): void;
}): Promise<void> {
  for (const array of store.open()) {
    const entries = entriesOf(array);
    if (entries.length === 0) store.close(array);
    else adoptArray(array, entries);
  }
}

function count(entries: ReadonlyMap<string, Entry>, wanted: Entry["state"]): number {
  let found = 0;
  for (const { state } of entries.values()) if (state === wanted) found++;
  return found;
}

const BREAKS_EVERYTHING = 3;

/**
 * Nodes on which several attempts broke; never all of them. A host may call itself by its full name, of which Slurm's is
 * usually the first part.
 */
export function excludedNodes(nodes: readonly string[], broken: ReadonlyMap<string, number>): string[] {
  const byName = new Map<string, number>();
  for (const [host, count] of broken) {
    const name = nodes.includes(host) ? host : host.split(".")[0];
    byName.set(name, (byName.get(name) ?? 0) + count);
  }
  const bad = nodes.filter((node) => (byName.get(node) ?? 0) >= BREAKS_EVERYTHING);
  return bad.length < nodes.length ? bad : [];
}

function sbatchRefused(message: string): Problem {
  return {
    code: "SBATCH_REFUSED",
    message: `Slurm refuses the jobs: ${message}.`,
    nextStep: "see what it takes: mlebench doctor --executor slurm; then mlebench resume <group>",
  };
}

function givenUp(entries: readonly Entry[]): Problem | null {
  if (entries.length === 0) return null;
  const [{ job, broken, cut, message }] = entries;
  const more = entries.length === 1 ? "" : ` (and ${entries.length - 1} more)`;
  return {
    code: "GIVEN_UP",
    message: `${job.trialId} was given up after ${broken + cut} attempts${more}: ${message}`,
    nextStep: "mend the cause, then mlebench resume <group>",
  };
}
