export interface Progress {
  /** `first-stop`, or `used:<share>` of the time or of what the model may cost, whichever is used first. */
  until: string;
  start: number;
  deadline: number;
  runs: readonly { status: number | null; seconds: number; facts: { toolCalls: number } }[];
  maxContinuations: number;
  /** The share of a limit on cost, tokens or calls that is spent; 0 where there is none. */
  budgetUsed: number;
}

export const UNTIL_HINT = "used:<share of the time or the budget>, such as used:0.9, or first-stop";

/** The share of time or budget to use; 0 for `first-stop`; null for anything else. */
export function readUntil(until: string): number | null {
  if (until === "first-stop") return 0;
  const share = /^used:(0(?:\.\d+)?|1(?:\.0+)?)$/.exec(until);
  return share === null ? null : Number(share[1]);
}

/** Continuations in a row without a tool call: the program has nothing more to say. */
const MAX_IDLE = 2;
/** One that ends at once and without a call of the model would be started a thousand times. */
const SHORTEST_SECONDS = 2;
const RESERVE_SECONDS = 10;
/** Failures in a row that did nothing, such as a provider that is out of reach: each is waited for longer. */
const WAITS_SECONDS = [5, 20, 80, 320];
/** Of a program that never did anything: what is wrong with it will hardly pass. */
const WAITS_OF_A_STRANGER = 2;

/**
 * In how many seconds a program that stopped by itself is to be started again; null: it is not. Work that ends in a
 * failure is continued like any other: the error of a minute must not cost the hours that are left.
 */
export function nextStart(progress: Progress): number | null {
  const { until, start, deadline, runs, maxContinuations, budgetUsed } = progress;
  const share = readUntil(until);
  if (!share || budgetUsed >= share || !Number.isFinite(deadline) || runs.length > maxContinuations)
    return null;
  const isIdle = ({ facts, seconds }: Progress["runs"][number]) =>
    facts.toolCalls === 0 || seconds < SHORTEST_SECONDS;
  const idle = runs.slice(runs.findLastIndex((run) => !isIdle(run)) + 1);
  const failures = idle.filter(({ status }) => status !== 0).length;
  if (idle.length - failures >= MAX_IDLE) return null;
  const mayWait = idle.length === runs.length ? WAITS_OF_A_STRANGER : WAITS_SECONDS.length;
  if (failures > mayWait) return null;
  const wait = idle.at(-1)?.status === 0 || failures === 0 ? 0 : WAITS_SECONDS[failures - 1];
  const then = Date.now() / 1000 + wait;
  return then < start + share * (deadline - start) && deadline - then > RESERVE_SECONDS ? wait : null;
}
