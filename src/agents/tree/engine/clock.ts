import type { AgentContract } from "../../kit/contract.ts";
import type { TreeSettings } from "../settings/schema.ts";

export interface SearchClock {
  secondsLeft(): number;
  /** What the search may still use: what is kept for the end is not its own. Below 0 once it is over. */
  searchSeconds(): number;
  /** For one program, of so many seconds at most; `exec.timeout` unless told. */
  executionSeconds(most?: number): number;
  /** For the baseline agent: a tenth of the time at most, so that the search keeps the rest. */
  baselineSeconds(): number;
  /** Share of the time that is used; 0 where there is no limit. */
  progress(): number;
  /** What is left is kept for the end. */
  isSearchOver(): boolean;
  /** The longest a good script took: learning again from all rows takes about as long. */
  noteExecution(seconds: number): void;
  /** From now on nothing is kept back but the last seconds. */
  enterEndgame(): void;
  memoryBytes: number;
}

/** Kept before the deadline for the last files and the report. */
const LAST_SECONDS = 5;
const SHORTEST_EXECUTION = 2;
const BASELINE_SHARE = 0.1;
const MIN_BASELINE_SECONDS = 30;
const OWN_MEMORY = 512 * 1024 * 1024;

export function searchClock(
  contract: AgentContract,
  settings: TreeSettings,
  workers: number,
  now: () => number = Date.now,
): SearchClock {
  const start = now() / 1000;
  const limit = contract.timeLimitSeconds > 0 ? contract.timeLimitSeconds : Number.POSITIVE_INFINITY;
  const deadline = Number.isFinite(contract.deadlineEpoch) ? contract.deadlineEpoch : start + limit;
  const margin = Number.isFinite(limit) ? Math.max(LAST_SECONDS, Math.min(30, 0.02 * limit)) : 0;
  let longest = 0;
  let inEndgame = false;
  const secondsLeft = () => deadline - margin - now() / 1000;
  /** The original keeps nothing back. */
  const reserve = () => {
    if (inEndgame || settings.compat || !Number.isFinite(limit)) return 0;
    const share = settings["parts.endgame"] ? settings["parts.endgame_share"] * limit : 0;
    return Math.max(share, settings["parts.refit"] ? Math.min(0.25 * limit, 1.5 * longest) : 0);
  };
  const searchSeconds = () => secondsLeft() - reserve();
  const executionSeconds = (most = settings["exec.timeout"]) =>
    Math.max(SHORTEST_EXECUTION, Math.min(most, searchSeconds()));
  const memory = contract.memoryLimitBytes;
  return {
    secondsLeft,
    searchSeconds,
    executionSeconds,
    baselineSeconds: () =>
      executionSeconds(
        Math.min(settings["parts.baseline_seconds"], Math.max(MIN_BASELINE_SECONDS, BASELINE_SHARE * limit)),
      ),
    progress: () => (Number.isFinite(limit) ? Math.min(1, Math.max(0, 1 - secondsLeft() / limit)) : 0),
    isSearchOver: () => searchSeconds() < SHORTEST_EXECUTION,
    noteExecution: (seconds) => {
      longest = Math.max(longest, seconds);
    },
    enterEndgame: () => {
      inEndgame = true;
    },
    memoryBytes: memory > 0 ? Math.max(2 ** 28, (memory - OWN_MEMORY) / workers) : Number.POSITIVE_INFINITY,
  };
}

/** What comes of it in time; `late` where nothing does. Whoever is waited for is not told. */
export async function within<T>(work: Promise<T>, seconds: number, late: T): Promise<T> {
  if (!Number.isFinite(seconds)) return work;
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), Math.min(2 ** 31 - 1, Math.max(0, seconds * 1000)));
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
