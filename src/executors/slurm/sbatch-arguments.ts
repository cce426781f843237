import type { Needs } from "../executor.ts";
import type { ArrayRequest } from "./scheduler.ts";
import type { SlurmSettings } from "./schema.ts";

/** What the harness itself uses beside the agent. */
export const HARNESS_BYTES = 2 ** 30;
/** For starting the sandbox, collecting what the agent left, and sealing it. */
export const COLLECTION_SECONDS = 15 * 60;

/** Options that say what we say ourselves. */
const OURS =
  /^--(array|wrap|parsable|wait|output|error|open-mode|input|job-name|chdir|export-file|test-only|no-requeue|ntasks|nodes|quiet|help|usage|version)(=|$)/;

/** Why an option of the user's cannot be passed on; null when it can. */
export function argumentProblem(argument: string): string | null {
  if (!/^--[a-z]/.test(argument)) return `"${argument}" is not a long option of sbatch's`;
  return OURS.test(argument) ? `"${argument}" is set by mlebench itself` : null;
}

/** What `sbatch` is asked for one array. The user's own options come last and win. */
export function sbatchArguments(
  array: ArrayRequest,
  settings: SlurmSettings,
  outside: readonly string[],
): string[] {
  const { key, tasks, throttle, needs, script, log } = array;
  const named = (["partition", "account", "qos", "constraint"] as const).flatMap((name) =>
    settings[name] === undefined ? [] : [`--${name}=${settings[name]}`],
  );
  const excluded = [...new Set([...outside, ...array.excluded])];
  return [
    ...["--parsable", `--job-name=${key}`, `--array=0-${tasks - 1}${throttle < tasks ? `%${throttle}` : ""}`],
    // A node that fails or a job of higher rank ends an attempt, not the trial.
    ...["--requeue", "--open-mode=append", `--output=${log}`, "--nodes=1", "--ntasks=1"],
    ...needsArguments(needs),
    ...named,
    ...(excluded.length === 0 ? [] : [`--exclude=${excluded.join(",")}`]),
    ...(settings.args ?? []),
    script,
  ];
}

function needsArguments({ cpus, memoryBytes, gpus, seconds }: Needs): string[] {
  return [
    ...(cpus > 0 ? [`--cpus-per-task=${Math.ceil(cpus)}`] : []),
    ...(memoryBytes > 0 ? [`--mem=${Math.ceil((memoryBytes + HARNESS_BYTES) / 2 ** 20)}M`] : []),
    ...(gpus > 0 ? [`--gres=gpu:${gpus}`] : []),
    `--time=${Math.ceil((seconds + COLLECTION_SECONDS) / 60)}`,
  ];
}
