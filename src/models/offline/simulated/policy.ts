import { FAULTS, type Fault, MAX_LEVEL, type SolutionSettings, settingsOf } from "./settings.ts";

/**
 * How the simulated model goes about a task.
 * - `steady` writes scripts that work, each better than the one before.
 * - `clumsy` puts a fault of each kind into every other script, and repairs it when it is shown what happened.
 * - `stubborn` repeats one failing script for ever: what a loop detector is for.
 */
export const POLICIES = ["steady", "clumsy", "stubborn"] as const;
export type Policy = (typeof POLICIES)[number];

/** How many scripts `clumsy` and `steady` write before they call the work done. */
const ENOUGH: Record<Policy, number> = { steady: 4, clumsy: 8, stubborn: Number.POSITIVE_INFINITY };

/** Where nothing works (no data, no interpreter), repairing has an end too. */
const MAX_ATTEMPTS = 20;

export type Decision = { do: "write"; settings: SolutionSettings } | { do: "finish" };

export interface Situation {
  policy: Policy;
  seed: number;
  solutions: readonly SolutionSettings[];
  /** Whether the last script is known to have failed. */
  failed: boolean;
}

export function decide({ policy, seed, solutions, failed }: Situation): Decision {
  const last = solutions.at(-1);
  if (last === undefined) return write(1, firstLevel(seed), faultOf(policy, 1), seed);
  const attempt = last.attempt + 1;
  if (policy === "stubborn") return write(attempt, last.level, "exception", seed);
  if (attempt > MAX_ATTEMPTS) return { do: "finish" };
  if (failed) return write(attempt, last.level, null, last.seed);
  if (attempt > ENOUGH[policy]) return { do: "finish" };
  return write(attempt, last.level + 1, faultOf(policy, attempt), last.seed);
}

/** A draft for a search agent, which asks for many: levels and seeds differ, faults come in turn. */
export function draft(policy: Policy, number: number, seed: number): SolutionSettings {
  return settingsOf(1, (number + firstLevel(seed)) % 3, faultOf(policy, number + 1), seed + number);
}

/** What becomes of a script that a search agent shows: repaired if it failed, improved otherwise. */
export function revise(policy: Policy, shown: SolutionSettings, failed: boolean): SolutionSettings {
  if (policy === "stubborn") return settingsOf(shown.attempt + 1, shown.level, "exception", shown.seed);
  if (failed) return settingsOf(shown.attempt + 1, shown.level, null, shown.seed);
  const level = shown.level < MAX_LEVEL ? shown.level + 1 : MAX_LEVEL;
  return settingsOf(
    shown.attempt + 1,
    level,
    faultOf(policy, shown.attempt + 1),
    shown.seed + (level === shown.level ? 1 : 0),
  );
}

/** One script from two: the better design of both with the other one's random numbers, and one step more. */
function combine(policy: Policy, one: SolutionSettings, other: SolutionSettings): SolutionSettings {
  const better = one.level >= other.level ? one : other;
  const joined = { ...better, seed: better.seed + 13 * (1 + Math.min(one.level, other.level)) };
  return revise(policy, joined, false);
}

const firstLevel = (seed: number) => seed % 2;

function faultOf(policy: Policy, attempt: number): Fault | null {
  if (policy === "stubborn") return "exception";
  if (policy === "steady" || attempt % 2 === 0) return null;
  return FAULTS[((attempt - 1) / 2) % FAULTS.length];
}

function write(attempt: number, level: number, fault: Fault | null, seed: number): Decision {
  return { do: "write", settings: settingsOf(attempt, level, fault, seed) };
}

/** What a search agent asks for: its prompts begin with the operation's name. */
interface Operation {
  name: "draft" | "improve" | "debug" | "refine" | "evolve" | "crossover" | "aggregate" | "ablation";
  /** Of a draft: how many there were before, and one. */
  number: number;
}

export function operationIn(told: string): Operation | null {
  const found =
    /^# Operation: (draft|improve|debug|refine|evolve|crossover|aggregate|ablation)\b([^\n]*\n[^\n]*)/m.exec(
      told,
    );
  if (found === null) return null;
  const number = Number(/\(number (\d{1,6})\)/.exec(found[2])?.[1] ?? 1);
  return { name: found[1] as Operation["name"], number };
}

/** The script that answers an operation; what it is made from is quoted in the prompt. */
export function answerToOperation(
  { name, number }: Operation,
  solutions: readonly SolutionSettings[],
  policy: Policy,
  seed: number,
  told: string,
): SolutionSettings {
  const shown = solutions.at(-1);
  if (name === "draft" || shown === undefined) return draft(policy, number - 1, seed);
  if (name === "ablation")
    return { ...settingsOf(shown.attempt, shown.level - 1, null, shown.seed), without: "features" };
  if (name === "crossover" || name === "aggregate") return combine(policy, solutions.at(-2) ?? shown, shown);
  // A constant that equals the sample cannot be repaired by writing it again.
  const isCopy = /it is a copy of the sample submission/.test(told);
  return revise(policy, shown, name === "debug" && !isCopy);
}
