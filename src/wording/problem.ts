import { z } from "zod";

/** Whose fault a failure is: that decides whether a result counts, and who has to act. */
export const Blame = z.enum(["agent", "task", "harness", "host", "user", "provider", "budget"]);
export type Blame = z.infer<typeof Blame>;

/** What stands in the way of something, in a sentence, and what to do about it. */
export interface Problem {
  code: string;
  message: string;
  nextStep: string;
}
