import type { Problem } from "../wording/problem.ts";

/**
 * The order in which reasons not to start are judged, the same wherever trials are started: what the user typed, then
 * what it names, then what must lie ready, then what this machine can do. So the same mistake gives the same sentence
 * on every machine, whatever else is missing there.
 */
export const REFUSAL_ORDER = ["usage", "competition", "data", "materials", "machine", "sandbox"] as const;
export type RefusalStage = (typeof REFUSAL_ORDER)[number];

export type Refusal = Problem & { stage: RefusalStage };

export type Judges = Partial<Record<RefusalStage, () => Problem | null | Promise<Problem | null>>>;

/** The first reason not to start, in the fixed order however the judges are listed. Later ones are not asked. */
export async function firstRefusal(judges: Judges): Promise<Refusal | null> {
  for (const stage of REFUSAL_ORDER) {
    const problem = (await judges[stage]?.()) ?? null;
    if (problem !== null) return { ...problem, stage };
  }
  return null;
}
