import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Job, JobContext, Needs } from "../../../src/executors/executor.ts";
import { localExecutor } from "../../../src/executors/local/local.ts";

const MACHINE = { cpus: 4, memoryBytes: 100, gpus: ["0", "1"] };
const NEVER = new AbortController().signal;
const QUIET: Omit<JobContext, "runHere"> = {
  stop: NEVER,
  killed: NEVER,
  files: { begun: () => [], isFinished: () => false, look: () => ({ status: "untouched" }), tell: () => {} },
  say: () => {},
};

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
  const jobs: Job[] = needs.map((need, i) => ({
    group: "somewhere",
    trialId: `${i}`,
    attempt: 1,
    needs: { cpus: 1, memoryBytes: 1, gpus: 0, seconds: 1, ...need },
  }));
  const runHere: JobContext["runHere"] = async ({ trialId, needs: { cpus } }, { gpus }) => {
    state.order.push(trialId);
    state.most = Math.max(state.most, ++state.running);
    state.cpus += cpus;
    state.mostCpus = Math.max(state.mostCpus, state.cpus);
    for (const gpu of gpus) {
      state.clash ||= state.gpus.has(gpu);
      state.gpus.add(gpu);
    }
    await wait(5);
    for (const gpu of gpus) state.gpus.delete(gpu);
    state.cpus -= cpus;
    state.running--;
  };
  return { jobs, state, context: { ...QUIET, runHere } };
}

test("no more jobs at a time than workers, in the order given", async () => {
  const { jobs, state, context } = watchedJobs(Array.from({ length: 9 }, () => ({})));
  await localExecutor(MACHINE, 2).runAll(jobs, context);
  expect(state.most).toBe(2);
  expect(state.order).toEqual(jobs.map(({ trialId }) => trialId));
});

test("the machine's processors are never given twice, and a large job is not passed by small ones", async () => {
  const { jobs, state, context } = watchedJobs([{ cpus: 3 }, { cpus: 4 }, { cpus: 1 }, { cpus: 1 }]);
  await localExecutor(MACHINE, 4).runAll(jobs, context);
  expect(state.mostCpus).toBeLessThanOrEqual(4);
  expect(state.order).toEqual(["0", "1", "2", "3"]);
});

test("each job has GPU devices of its own", async () => {
  const { jobs, state, context } = watchedJobs(Array.from({ length: 6 }, () => ({ gpus: 1 })));
  await localExecutor(MACHINE, 4).runAll(jobs, context);
  expect(state.clash).toBe(false);
  expect(state.most).toBe(2);
});

test("after a stop no further job is started", async () => {
  const stop = new AbortController();
  const { jobs, state, context } = watchedJobs(Array.from({ length: 9 }, () => ({})));
  const runHere: JobContext["runHere"] = async (job, share) => {
    stop.abort();
    return context.runHere(job, share);
  };
  await localExecutor(MACHINE, 1).runAll(jobs, { ...QUIET, stop: stop.signal, runHere });
  expect(state.order).toEqual(["0"]);
});

test("what a machine can never give is said beforehand", () => {
  const executor = localExecutor(MACHINE, 1);
  expect(executor.impossible({ cpus: 4, memoryBytes: 100, gpus: 2, seconds: 1 })).toBeNull();
  expect(executor.impossible({ cpus: 1, memoryBytes: 1, gpus: 3, seconds: 1 })).toBe(
    "a trial wants 3 GPUs, there are 2",
  );
});
