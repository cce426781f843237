import { arrayStore } from "../../../src/executors/slurm/arrays.ts";
import type { ArrayRequest, QueuedTask, Scheduler } from "../../../src/executors/slurm/scheduler.ts";
import type { PlannedTrial } from "../../../src/trials/group/schema.ts";
import type { SharedByTrials } from "../../../src/trials/group/shared.ts";
import type { VirtualTime } from "./virtual-time.ts";
import { beginTrial, type VirtualTrial } from "./virtual-trial.ts";

const MINUTE = 60_000;

interface Task {
  array: ArrayRequest;
  jobId: string;
  index: number;
  planned: PlannedTrial;
  state: "PENDING" | "RUNNING";
  node: string;
  run: VirtualTrial | null;
  /** What was scheduled for an earlier run of the task is void. */
  epoch: number;
}

export interface VirtualSlurm extends Scheduler {
  calls: { submit: number; queue: number; cancel: number };
  counts: {
    finished: number;
    preempted: number;
    nodesLost: number;
    cancelled: number;
    killed: number;
    refused: number;
    /** Submissions whose answer got lost, and questions that were not answered: each costs two further calls. */
    lost: number;
  };
  /** Trials that were sealed more than once: there must be none. */
  twice: string[];
  /** Whether somebody works on it now. */
  isAlive(trialId: string): boolean;
  most: number;
}

/** Slurm with nodes that do nothing but sleep, and with everything that goes wrong on a cluster, by the seed. */
export function virtualSlurm(
  time: VirtualTime,
  shared: () => Promise<SharedByTrials>,
  { nodes, random }: { nodes: number; random: () => number },
): VirtualSlurm {
  const free = Array.from({ length: nodes }, (_, i) => `node${i}`);
  const pending: Task[] = [];
  const tasks = new Map<string, Task>();
  const finished = new Set<string>();
  const alive = new Map<string, Task>();
  let nextJob = 1;
  let trials: Map<string, PlannedTrial> | null = null;
  const slurm: VirtualSlurm = {
    calls: { submit: 0, queue: 0, cancel: 0 },
    counts: { finished: 0, preempted: 0, nodesLost: 0, cancelled: 0, killed: 0, refused: 0, lost: 0 },
    twice: [],
    most: 0,
    isAlive: (id) => alive.has(id),
    async submit(array) {
      slurm.calls.submit++;
      if (random() < 0.1) {
        slurm.counts.refused++;
        return { status: "later", message: "Socket timed out on send/recv operation" };
      }
      const { group, folder } = await shared();
      trials ??= new Map(group.trials.map((planned) => [planned.id, planned]));
      const jobId = `${nextJob++}`;
      const record = arrayStore(folder)
        .open()
        .find(({ key }) => key === array.key)!;
      for (const [index, id] of record.trials.entries()) {
        const task: Task = {
          array,
          jobId,
          index,
          planned: trials.get(id)!,
          state: "PENDING",
          node: "",
          run: null,
          epoch: 0,
        };
        tasks.set(`${array.key}/${index}`, task);
        pending.push(task);
      }
      time.at(time.now() + 1000, schedule);
      // The answer may be lost on its way although the job is in the queue.
      if (random() >= 0.05) return { status: "submitted", jobId };
      slurm.counts.lost++;
      return { status: "later", message: "Socket timed out on send/recv operation" };
    },
    async queue(keys) {
      slurm.calls.queue++;
      if (random() < 0.05) {
        slurm.counts.lost++;
        return { status: "later", message: "Unable to contact slurm controller" };
      }
      const wanted = new Set(keys);
      const found: QueuedTask[] = [];
      for (const { array, jobId, index, state, node } of tasks.values())
        if (wanted.has(array.key))
          found.push({ key: array.key, jobId, index, state, node, reason: "Resources" });
      return { status: "answered", tasks: found };
    },
    async cancel() {
      slurm.calls.cancel++;
    },
    async cancelTasks() {},
  };

  const drop = (task: Task) => tasks.delete(`${task.array.key}/${task.index}`);

  /** First come, first served, on whatever is free. */
  async function schedule(): Promise<void> {
    while (free.length > 0 && pending.length > 0) {
      const task = pending.shift()!;
      if (!tasks.has(`${task.array.key}/${task.index}`)) continue;
      const node = free.pop()!;
      const { id } = task.planned;
      const run = await beginTrial(await shared(), task.planned, {
        node,
        jobId: `${task.jobId}_${task.index}`,
      });
      if (typeof run === "string") {
        drop(task);
        free.push(node);
        continue;
      }
      if (alive.has(id)) throw new Error(`${id} runs twice at once`);
      Object.assign(task, { state: "RUNNING", node, run, epoch: task.epoch + 1 });
      alive.set(id, task);
      slurm.most = Math.max(slurm.most, alive.size);
      plan(task);
    }
  }

  function plan(task: Task): void {
    const { epoch } = task;
    const length = (20 + random() * 80) * MINUTE;
    const fate = random();
    const end = (after: number, what: () => Promise<void> | void) =>
      time.at(time.now() + after, async () => {
        if (task.epoch !== epoch) return;
        alive.delete(task.planned.id);
        await what();
        await schedule();
      });
    if (fate < 0.9) end(length, () => finish(task));
    else if (fate < 0.94) end(length * random(), () => requeue(task, "preempted"));
    else if (fate < 0.96) end(length * random(), () => loseNode(task));
    else if (fate < 0.98) end(length * random(), () => cutOff(task, "cancelled"));
    else end(length * random(), () => cutOff(task, "killed"));
    // Now and then somebody cancels a task that waits.
    if (fate > 0.995) {
      const victim = pending[Math.floor(random() * pending.length)];
      if (victim !== undefined) {
        drop(victim);
        slurm.counts.cancelled++;
      }
    }
  }

  async function finish(task: Task): Promise<void> {
    await task.run!.finish();
    if (finished.has(task.planned.id)) slurm.twice.push(task.planned.id);
    finished.add(task.planned.id);
    slurm.counts.finished++;
    drop(task);
    free.push(task.node);
  }

  function requeue(task: Task, why: "preempted"): void {
    slurm.counts[why]++;
    task.run!.cut();
    free.push(task.node);
    Object.assign(task, { state: "PENDING", run: null, epoch: task.epoch + 1 });
    pending.push(task);
  }

  /** It comes back after an hour; Slurm notices after half a minute, and starts the task again elsewhere. */
  function loseNode(task: Task): void {
    slurm.counts.nodesLost++;
    task.run!.die();
    const { node } = task;
    task.epoch++;
    time.at(time.now() + 0.5 * MINUTE, async () => {
      Object.assign(task, { state: "PENDING", run: null, node: "" });
      pending.push(task);
      await schedule();
    });
    time.at(time.now() + 60 * MINUTE, async () => {
      free.push(node);
      await schedule();
    });
  }

  /** The task is gone from the queue: somebody cancelled it, or the harness died. */
  function cutOff(task: Task, why: "cancelled" | "killed"): void {
    slurm.counts[why]++;
    if (why === "cancelled") task.run!.cut();
    else task.run!.die();
    drop(task);
    free.push(task.node);
  }

  return slurm;
}
