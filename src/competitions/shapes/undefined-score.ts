import type { Problem } from "../problems.ts";

/** For a metric that has no value for this submission against these answers. */
export function undefinedScore(message: string): Problem {
  return { code: "UNDEFINED_SCORE", message };
}
