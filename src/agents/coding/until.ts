export interface Progress {
  /** `first-stop`, or `used:<share>` of the time. */
  until: string;
  start: number;
  deadline: number;
  runs: readonly { status: number | null; seconds: number; facts: { toolCalls: number } }[];
  maxContinuations: number;
}

/** Continuations in a row without a tool call: the program has nothing more to say. */
const MAX_IDLE = 2;
/** One that ends at once and without a call of the model would be started a thousand times. */
const SHORTEST_SECONDS = 2;
const RESERVE_SECONDS = 10;

/** Whether a program that stopped by itself is to be started again. */
export function wantsMore({ until, start, deadline, runs, maxContinuations }: Progress): boolean {
  const share = /^used:(0(?:\.\d+)?|1(?:\.0+)?)$/.exec(until);
  if (!share || !Number.isFinite(deadline) || runs.length > maxContinuations) return false;
  const idle = runs
    .slice(-MAX_IDLE)
    .filter(({ facts, seconds }) => facts.toolCalls === 0 || seconds < SHORTEST_SECONDS);
  if (idle.length === MAX_IDLE || runs.every(({ status }) => status !== 0)) return false;
  const now = Date.now() / 1000;
  return now < start + Number(share[1]) * (deadline - start) && deadline - now > RESERVE_SECONDS;
}
