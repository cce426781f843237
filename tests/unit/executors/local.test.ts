import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Job, Needs } from "../../../src/executors/executor.ts";
import { localExecutor } from "../../../src/executors/local.ts";

const MACHINE = { cpus: 4, memoryBytes: 100, gpus: ["0", "1"] };
const NEVER = new AbortController().signal;

function watchedJobs(needs: readonly Partial<Needs>[]) {
  const state = {
    running: 0,
    most: 0,
    cpus: 0,
    mostCpus: 0,
    order: [] as string[],
    gpus: new Set<string>(),
    clash: false,
  };
  const jobs: Job[] = needs.map((need, i) => {
    const full = { cpus: 1, memoryBytes: 1, gpus: 0, ...need };
    return {
      id: `${i}`,
      needs: full,
      async run({ gpus }) {
        state.order.push(`${i}`);
        state.most = Math.max(state.most, ++state.running);
        state.cpus += full.cpus;
        state.mostCpus = Math.max(state.mostCpus, state.cpus);
        for (const gpu of gpus) {
          state.clash ||= state.gpus.has(gpu);
          state.gpus.add(gpu);
        }
        await wait(5);
        for (const gpu of gpus) state.gpus.delete(gpu);
        state.cpus -= full.cpus;
        state.running--;
      },
    };
  });
  return { jobs, state };
}

test("no more jobs at a time than workers, in the order given", async () => {
  const { jobs, state } = watchedJobs(Array.from({ length: 9 }, () => ({})));
  await localExecutor(MACHINE, 2).runAll(jobs, NEVER);
  expect(state.most).toBe(2);
  expect(state.order).toEqual(jobs.map(({ id }) => id));
});

test("the machine's processors are never given twice, and a large job is not passed by small ones", async () => {
  const { jobs, state } = watchedJobs([{ cpus: 3 }, { cpus: 4 }, { cpus: 1 }, { cpus: 1 }]);
  await localExecutor(MACHINE, 4).runAll(jobs, NEVER);
  expect(state.mostCpus).toBeLessThanOrEqual(4);
  expect(state.order).toEqual(["0", "1", "2", "3"]);
});

test("each job has GPU devices of its own", async () => {
  const { jobs, state } = watchedJobs(Array.from({ length: 6 }, () => ({ gpus: 1 })));
  await localExecutor(MACHINE, 4).runAll(jobs, NEVER);
  expect(state.clash).toBe(false);
  expect(state.most).toBe(2);
});

test("after a stop no further job is started", async () => {
  const stop = new AbortController();
  const { jobs, state } = watchedJobs(Array.from({ length: 9 }, () => ({})));
  const first = jobs[0].run;
  jobs[0].run = async (share) => {
    stop.abort();
    return first(share);
  };
  await localExecutor(MACHINE, 1).runAll(jobs, stop.signal);
  expect(state.order).toEqual(["0"]);
});

test("what a machine can never give is said beforehand", () => {
  const executor = localExecutor(MACHINE, 1);
  expect(executor.impossible({ cpus: 4, memoryBytes: 100, gpus: 2 })).toBeNull();
  expect(executor.impossible({ cpus: 1, memoryBytes: 1, gpus: 3 })).toBe("a trial wants 3 GPUs, there are 2");
});
