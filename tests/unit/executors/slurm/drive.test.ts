import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import type { Job, JobContext, Sight } from "../../../../src/executors/executor.ts";
import { arrayStore } from "../../../../src/executors/slurm/arrays.ts";
import { drive } from "../../../../src/executors/slurm/drive.ts";
import type {
  ArrayRequest,
  QueuedTask,
  Scheduler,
  SubmitOutcome,
} from "../../../../src/executors/slurm/scheduler.ts";

const NEVER = new AbortController().signal;
const NEEDS = { cpus: 1, memoryBytes: 0, gpus: 0, seconds: 60 };

/** Slurm as a script of answers, in time that passes only when somebody sleeps. */
function stage(trials: number, submit: (array: ArrayRequest, times: number) => SubmitOutcome) {
  const group = fs.mkdtempSync(path.join(process.env.MLEBENCH_TEST_FOLDER ?? os.tmpdir(), "mlebench-drive-"));
  const jobs: Job[] = Array.from({ length: trials }, (_, i) => ({
    group,
    trialId: `t${i}`,
    attempt: 1,
    needs: NEEDS,
  }));
  const store = arrayStore(group);
  const sights = new Map<string, Sight>(jobs.map(({ trialId }) => [trialId, { status: "untouched" }]));
  const queue = new Map<string, QueuedTask & { trialId: string }>();
  const begun: string[] = [];
  const said: string[] = [];
  const arrays: ArrayRequest[] = [];
  const cancelled: string[] = [];
  let now = 0;
  let times = 0;
  /** What happens to tasks while time passes. */
  let onSleep = () => {};
  const scheduler: Scheduler = {
    async submit(array) {
      const outcome = submit(array, times++);
      const record = store.open().find(({ key }) => key === array.key)!;
      if (outcome.status === "submitted" || outcome.message.includes("lost")) {
        arrays.push(array);
        for (const [index, trialId] of record.trials.entries())
          queue.set(`${array.key}/${index}`, {
            key: array.key,
            jobId: `${arrays.length}`,
            index,
            trialId,
            state: "PENDING",
            reason: "",
            node: "",
          });
      }
      return outcome;
    },
    queue: async (keys) => ({
      status: "answered",
      tasks: [...queue.values()].filter(({ key }) => keys.includes(key)),
    }),
    async cancel(keys) {
      cancelled.push(...keys);
    },
    async cancelTasks(tasks) {
      for (const { index } of tasks) cancelled.push(`${index}`);
    },
  };
  const context: JobContext = {
    stop: NEVER,
    killed: NEVER,
    runHere: async () => {},
    files: {
      begun: () => begun.splice(0),
      isFinished: (id) => sights.get(id)?.status === "finished",
      look: (id) => sights.get(id)!,
      tell: () => {},
    },
    say: (line) => said.push(line),
  };
  const clock = {
    now: () => now,
    async sleep(milliseconds: number) {
      now += milliseconds;
      if (now > 48 * 3_600_000) throw new Error("it never ends");
      onSleep();
    },
  };
  return {
    ...{ group, store, sights, queue, begun, said, arrays, cancelled, clock },
    run: (each: () => void, change: Partial<JobContext> = {}) => {
      onSleep = each;
      const how = { scheduler, store, clock, workers: trials, maxTasks: 1000, nodes: ["n1", "n2"] };
      return drive(jobs, { ...context, ...change }, how);
    },
    /** Every task that waits is finished. */
    finishAll() {
      for (const [name, { trialId }] of queue) {
        queue.delete(name);
        begun.push(trialId);
        sights.set(trialId, { status: "finished" });
      }
    },
  };
}

const YES = (jobId = "1"): SubmitOutcome => ({ status: "submitted", jobId });

test("what Slurm refuses for good is told, and everything waits for resume", async () => {
  const scene = stage(3, () => ({ status: "refused", message: "Invalid account" }));
  expect(await scene.run(() => {})).toMatchObject({
    code: "SBATCH_REFUSED",
    message: expect.stringContaining("Invalid account"),
  });
  expect(scene.store.open()).toEqual([]);
});

test("a full queue is tried again with smaller arrays until all are in", async () => {
  const scene = stage(8, ({ tasks }, times) =>
    times < 2 || tasks > 2 ? { status: "later", message: "job submit limit reached" } : YES(),
  );
  expect(await scene.run(scene.finishAll)).toBeNull();
  expect(Math.max(...scene.arrays.map(({ tasks }) => tasks))).toBeLessThanOrEqual(2);
  expect(scene.arrays.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(8);
});

test("a queue with room for a few is soon used, and one that has room again gets large arrays", async () => {
  let room = 7;
  let firstAt = Number.POSITIVE_INFINITY;
  const scene = stage(300, ({ tasks }) => {
    if (scene.queue.size + tasks > room)
      return { status: "later", message: "Slurm temporarily unable to accept job" };
    firstAt = Math.min(firstAt, scene.clock.now());
    return YES();
  });
  expect(
    await scene.run(() => {
      if (scene.clock.now() > 60_000) room = 1000;
      scene.finishAll();
    }),
  ).toBeNull();
  const sizes = scene.arrays.map(({ tasks }) => tasks);
  expect(sizes.reduce((sum, tasks) => sum + tasks, 0)).toBe(300);
  expect(firstAt).toBeLessThan(30_000);
  expect(Math.max(...sizes)).toBeGreaterThan(7);
  expect(scene.said.filter((line) => line.includes("takes no jobs now"))).toHaveLength(1);
});

test("an array whose answer was lost on its way is found in the queue, and not submitted twice", async () => {
  const scene = stage(4, () => ({ status: "later", message: "lost: Socket timed out" }));
  let seconds = 0;
  expect(await scene.run(() => void (++seconds > 20 && scene.finishAll()))).toBeNull();
  expect(scene.arrays).toHaveLength(1);
});

test("a task that somebody cancelled while it waited is submitted again", async () => {
  const scene = stage(2, () => YES());
  let cancelled = false;
  expect(
    await scene.run(() => {
      if (!cancelled) {
        cancelled = true;
        const [name] = scene.queue.keys();
        scene.queue.delete(name);
      } else if (scene.arrays.length > 1 || scene.queue.size === 1) scene.finishAll();
    }),
  ).toBeNull();
  expect(scene.arrays.map(({ tasks }) => tasks)).toEqual([2, 1]);
});

test("an orphan that still moves its counter is left alone; one that stands still makes room", async () => {
  const scene = stage(1, () => YES());
  const began = scene.clock.now();
  let resubmittedAt = 0;
  await scene.run(() => {
    if (scene.arrays.length > 1) {
      resubmittedAt ||= scene.clock.now() - began;
      return scene.finishAll();
    }
    const now = scene.clock.now();
    if (scene.queue.size > 0) scene.begun.push("t0");
    scene.queue.clear();
    // It lives for an hour after Slurm has forgotten it.
    scene.sights.set("t0", { status: "held", mark: `${Math.min(now, 3_600_000)}` });
  });
  expect(resubmittedAt).toBeGreaterThan(3_600_000 + 100_000);
});

test("a trial that breaks three times is given up with the reason, and the others are finished", async () => {
  const scene = stage(2, () => YES());
  const outcome = await scene.run(() => {
    for (const [name, { trialId }] of scene.queue) {
      scene.queue.delete(name);
      scene.begun.push(trialId);
      scene.sights.set(
        trialId,
        trialId === "t0"
          ? { status: "left", broken: true, message: "bubblewrap is not installed", host: "n1" }
          : { status: "finished" },
      );
    }
  });
  expect(outcome).toMatchObject({
    code: "GIVEN_UP",
    message: expect.stringContaining("bubblewrap is not installed"),
  });
  expect(scene.arrays).toHaveLength(3);
});

test("a job that Slurm could not launch and holds is cancelled and submitted again", async () => {
  const scene = stage(1, () => YES("77"));
  await scene.run(() => {
    if (scene.arrays.length > 1) return scene.finishAll();
    for (const task of scene.queue.values()) task.reason = "launch failed requeued held";
  });
  expect(scene.cancelled).toContain("0");
  expect(scene.arrays).toHaveLength(2);
});

test("a held job is cancelled by its number even when the answer with the number was lost", async () => {
  const scene = stage(1, (_, times) =>
    times === 0 ? { status: "later", message: "lost: timed out" } : YES(),
  );
  await scene.run(() => {
    if (scene.arrays.length > 1) return scene.finishAll();
    for (const task of scene.queue.values()) task.reason = "launch failed requeued held";
  });
  expect(scene.cancelled).toEqual(["0"]);
  expect(scene.arrays).toHaveLength(2);
});

test("a task that Slurm shows running for ever after its process has ended is cancelled and submitted again", async () => {
  const scene = stage(2, () => YES("77"));
  await scene.run(() => {
    if (scene.arrays.length > 1) return scene.finishAll();
    for (const task of scene.queue.values()) {
      if (task.state === "PENDING") scene.begun.push(task.trialId);
      task.state = "RUNNING";
      const { trialId } = task;
      const left = { status: "left", broken: false, message: "it was cut off", host: "n1" } as const;
      // The other one lives for an hour.
      const mark = `${Math.min(scene.clock.now(), 3_600_000)}`;
      if (trialId === "t1" && scene.clock.now() > 3_600_000)
        scene.sights.set(trialId, { status: "finished" });
      else scene.sights.set(trialId, trialId === "t0" ? left : { status: "held", mark });
    }
  });
  expect(scene.cancelled).toEqual(["0"]);
  expect(scene.arrays.map(({ tasks }) => tasks)).toEqual([2, 1]);
  expect(scene.clock.now()).toBeGreaterThan(270_000);
});

test("a stop cancels what is in the queue, and whoever comes next finds nothing of it", async () => {
  const stop = new AbortController();
  const scene = stage(3, () => YES());
  expect(await scene.run(() => stop.abort(), { stop: stop.signal })).toBeNull();
  expect(scene.cancelled).toEqual([scene.arrays[0].key]);
  expect(scene.store.open()).toEqual([]);
});

test("whoever comes after a killed submitter goes on with its arrays", async () => {
  const scene = stage(3, () => YES());
  await expect(
    scene.run(() => {
      throw new Error("killed");
    }),
  ).rejects.toThrow("killed");
  expect(await scene.run(scene.finishAll)).toBeNull();
  expect(scene.arrays).toHaveLength(1);
});
