import type { AgentContract } from "../contract.ts";

/** How long the agent may work. The plan is made from `plannedSeconds`, which no clock has a part in. */
export interface Clock {
  readonly plannedSeconds: number;
  /** Whether it is time to stop; once true, it stays true. */
  isOver(): boolean;
  /** Whether `isOver` has ever been true: the plan was cut. */
  wasCut(): boolean;
  elapsedSeconds(): number;
}

/** Beyond this more time hardly helps these learners. */
const MOST_PLANNED_SECONDS = 240;
/** Estimates hold within a third on a quiet machine; the rest is for reading, writing and neighbours. */
const PLANNED_SHARE = 0.4;
const LIMIT_IF_NONE_IS_GIVEN = 300;

/** The end is a little before the deadline: the last file has to be written and validated. */
export function startClock(contract: AgentContract, now: () => number = Date.now): Clock {
  const start = now() / 1000;
  const limit = contract.timeLimitSeconds > 0 ? contract.timeLimitSeconds : LIMIT_IF_NONE_IS_GIVEN;
  const deadline = Number.isFinite(contract.deadlineEpoch) ? contract.deadlineEpoch : start + limit;
  const end = Math.min(deadline, start + limit) - Math.max(2, Math.min(20, 0.2 * limit));
  let cut = false;
  return {
    plannedSeconds: Math.min(MOST_PLANNED_SECONDS, PLANNED_SHARE * limit),
    isOver() {
      cut ||= now() / 1000 >= end;
      return cut;
    },
    wasCut: () => cut,
    elapsedSeconds: () => now() / 1000 - start,
  };
}
