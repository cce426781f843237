import type { Answer, Ask } from "../routes/route.ts";

/** What reads whole groups, trial by trial, or whole conversations: up to seconds each. */
const SLOW = new Set(["standings", "report", "agent", "commands"]);

export function isSlow(name: string): boolean {
  return SLOW.has(name);
}

export interface SlowOrder {
  number: number;
  name: string;
  ask: Ask;
}

export interface SlowReply {
  number: number;
  answer: Answer;
}

/** Where the runs lie, as the thread is told when it starts. */
export interface SlowPlace {
  runsDir: string;
  competitionsDir: string | undefined;
}
