import type { Executor } from "./executor.ts";
import { localExecutor } from "./local/local.ts";
import { thisMachine } from "./machine.ts";

/** Every executor there is; a group's settings name one of them, so that `resume` uses the same. */
const executors = {
  local: (workers: number): Executor => localExecutor(thisMachine(), workers),
} as const;

export type ExecutorName = keyof typeof executors;

export const EXECUTOR_NAMES = Object.keys(executors) as ExecutorName[];

/** Null for a name that this version does not know. */
export function executorCalled(name: string, workers: number): Executor | null {
  return Object.hasOwn(executors, name) ? executors[name as ExecutorName](workers) : null;
}
