import { setTimeout as wait } from "node:timers/promises";
import type { Problem } from "../../wording/problem.ts";
import type { Executor } from "../executor.ts";
import { arrayStore } from "./arrays.ts";
import { impossibleOn, readCluster, smallestNode } from "./cluster.ts";
import { slurmCommand } from "./commands.ts";
import { drive } from "./drive.ts";
import { sbatchArguments } from "./sbatch-arguments.ts";
import type { Clock, QueuedTask, Scheduler } from "./scheduler.ts";
import type { SlurmSettings } from "./schema.ts";

const realTime: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }).catch(() => {}),
};

/**
 * Has jobs run by Slurm, on nodes that see the group's folder, the data and this installation at the same paths. Once
 * submitted they need nobody: whoever submitted may be killed, and `resume` goes on from any host.
 */
export async function slurmExecutor(settings: SlurmSettings, workers: number): Promise<Executor | Problem> {
  const cluster = await readCluster(settings);
  if ("code" in cluster) return cluster;
  return {
    machine: smallestNode(cluster),
    elsewhere: true,
    impossible: (needs) => impossibleOn(cluster, needs),
    async runAll(jobs, context) {
      if (jobs.length === 0) return null;
      return drive(jobs, context, {
        scheduler: slurmScheduler(settings, cluster.outside),
        store: arrayStore(jobs[0].group),
        clock: realTime,
        workers,
        maxTasks: cluster.maxTasks,
        nodes: cluster.nodes.map(({ name }) => name),
      });
    },
  };
}

/** Slurm as its own programs show it. `outside` are the nodes that the settings leave out. */
function slurmScheduler(settings: SlurmSettings, outside: readonly string[]): Scheduler {
  return {
    async submit(array) {
      const outcome = await slurmCommand("sbatch", sbatchArguments(array, settings, outside));
      if (outcome.status === "missing") return { status: "refused", message: outcome.message };
      if (outcome.status !== "ran") return outcome;
      // With a federation the cluster's name stands behind it.
      const jobId = /^(\d+)(;.*)?$/m.exec(outcome.output)?.[1];
      return jobId === undefined
        ? { status: "refused", message: `sbatch answered "${outcome.output.trim().slice(0, 100)}"` }
        : { status: "submitted", jobId };
    },
    async queue(keys) {
      const format = "%j|%F|%K|%T|%N|%r";
      const outcome = await slurmCommand("squeue", ["-h", "-r", "-n", keys.join(","), "-o", format]);
      if (outcome.status === "missing") return { status: "refused", message: outcome.message };
      if (outcome.status !== "ran") return outcome;
      return { status: "answered", tasks: outcome.output.split("\n").flatMap(parseTask) };
    },
    async cancel(keys, how) {
      const hard = how === "at once" ? ["--signal=KILL", "--full"] : [];
      // Told once by its name, an array is cancelled with what of it waits and what runs.
      for (const key of keys) await slurmCommand("scancel", [...hard, `--name=${key}`]);
    },
    async cancelTasks(tasks) {
      if (tasks.length > 0)
        await slurmCommand(
          "scancel",
          tasks.map(({ jobId, index }) => `${jobId}_${index}`),
        );
    },
  };
}

function parseTask(line: string): QueuedTask[] {
  const [, key, jobId, index, state, node, reason] =
    /^(.*)\|(\d+)\|(\d+)\|(\w+)\|([^|]*)\|(.*)$/.exec(line) ?? [];
  return key === undefined ? [] : [{ key, jobId, index: Number(index), state, node, reason }];
}
