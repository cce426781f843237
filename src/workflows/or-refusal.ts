import { systemRefusal } from "../files/system-error.ts";
import { isBadCompetition } from "../wording/bad-competition.ts";
import type { Problem } from "../wording/problem.ts";

export interface Refusal extends Problem {
  /** `host`: the machine lacks something; `user`: what was named cannot be used. */
  blame: "host" | "user";
}

/** An error that a person can act on: a file system that says no, a competition of the user's own that cannot be used. */
export function refusalOf(error: unknown): Refusal | null {
  if (!isBadCompetition(error)) return systemRefusal(error);
  return {
    code: "BAD_COMPETITION",
    message: error.message,
    nextStep: "how to write one: docs/add-a-competition.md",
    blame: "user",
  };
}

/** What a person can mend is an outcome, wherever on the way it surfaces; only a bug throws. */
export async function orRefusal<T>(work: () => Promise<T>, refuse: (problem: Refusal) => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return refuse(refusal);
  }
}
