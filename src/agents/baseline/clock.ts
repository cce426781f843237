import type { AgentContract } from "../kit/contract.ts";

/** How long the agent may work. The plan is made from `plannedSeconds`, which no clock has a part in. */
export interface Clock {
  readonly plannedSeconds: number;
  /** Whether it is time to stop; once true, it stays true. */
  isOver(): boolean;
  /** Whether `isOver` has ever been true: the plan was cut. */
  wasCut(): boolean;
  elapsedSeconds(): number;
  /** Until whoever is still busy is stopped, whatever it does. */
  secondsToTheEnd(): number;
}

/** Beyond this more time hardly helps these learners. */
const MAX_PLANNED_SECONDS = 240;
/** Estimates hold within a third on a quiet machine; the rest is for reading, writing and neighbours. */
const PLANNED_SHARE = 0.4;
const LIMIT_IF_NONE_IS_GIVEN = 300;

/**
 * There are two ends before the deadline: at the first the work stops by itself, and the last file is still written and
 * validated; at the second it is stopped, and only the report is written.
 */
export function startClock(
  contract: Pick<AgentContract, "timeLimitSeconds" | "deadlineEpoch">,
  now: () => number = Date.now,
): Clock {
  const start = now() / 1000;
  const limit = contract.timeLimitSeconds > 0 ? contract.timeLimitSeconds : LIMIT_IF_NONE_IS_GIVEN;
  const deadline = Number.isFinite(contract.deadlineEpoch) ? contract.deadlineEpoch : start + limit;
  const end = deadline - Math.max(2, Math.min(20, 0.2 * limit));
  const lastEnd = deadline - Math.max(1, Math.min(10, 0.1 * limit));
  let cut = false;
  return {
    plannedSeconds: Math.min(MAX_PLANNED_SECONDS, PLANNED_SHARE * limit),
    isOver() {
      cut ||= now() / 1000 >= end;
      return cut;
    },
    wasCut: () => cut,
    elapsedSeconds: () => now() / 1000 - start,
    secondsToTheEnd: () => lastEnd - now() / 1000,
  };
}
