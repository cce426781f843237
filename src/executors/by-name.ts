import type { Problem } from "../wording/problem.ts";
import type { Executor } from "./executor.ts";
import { localExecutor } from "./local/local.ts";
import { thisMachine } from "./machine.ts";
import type { SlurmSettings } from "./slurm/schema.ts";
import { slurmExecutor } from "./slurm/slurm.ts";

/** What an executor may be told. */
export interface ExecutorSettings {
  workers: number;
  slurm?: SlurmSettings | undefined;
}

/** Every executor there is; a group's settings name one of them, so that `resume` uses the same. */
const executors = {
  local: async ({ workers }: ExecutorSettings): Promise<Executor | Problem> =>
    localExecutor(thisMachine(), workers),
  slurm: ({ workers, slurm = {} }: ExecutorSettings): Promise<Executor | Problem> =>
    slurmExecutor(slurm, workers),
} as const;

export type ExecutorName = keyof typeof executors;

export const EXECUTOR_NAMES = Object.keys(executors) as ExecutorName[];

/** Null for a name that this version does not know; a problem where the scheduler cannot be had. */
export async function executorCalled(
  name: string,
  settings: ExecutorSettings,
): Promise<Executor | Problem | null> {
  return Object.hasOwn(executors, name) ? executors[name as ExecutorName](settings) : null;
}
