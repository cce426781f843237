import path from "node:path";
import type { AgentContract } from "../kit/contract.ts";
import type { AskModel, ChatTool } from "../kit/model-client.ts";
import type { SubmissionKeeper } from "../kit/submission-keeper.ts";
import type { Session } from "./session.ts";

/** What the tools work with. */
export interface Workshop {
  contract: AgentContract;
  /** Where the agent's own files lie; relative paths start here. */
  folder: string;
  keeper: SubmissionKeeper;
  shell: Session;
  /** Null where the sandbox has no Python. */
  python: Session | null;
  ask: AskModel;
  /** Seconds one command may take now: never beyond the deadline. */
  commandSeconds(): number;
}

/** `finished`: the model says that it is done. */
export type ToolOutcome = { text: string; finished?: boolean };

export interface WorkTool extends ChatTool {
  run(input: Record<string, unknown>, workshop: Workshop): Promise<ToolOutcome> | ToolOutcome;
}

/** The schema of a tool whose arguments are all strings. */
export function stringArguments(
  descriptions: Record<string, string>,
  optional: readonly string[] = [],
): object {
  const properties = Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { type: "string", description }]),
  );
  return {
    type: "object",
    properties,
    required: Object.keys(descriptions).filter((name) => !optional.includes(name)),
  };
}

export class WrongInput extends Error {}

export function stringInput(input: Record<string, unknown>, name: string): string {
  const value = input[name];
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(String).join(" ");
  throw new WrongInput(`The argument "${name}" is missing or is not a string.`);
}

/** A path of the model's: relative ones start in the agent's folder. The sandbox decides what may be touched. */
export function placeOf(name: string, { folder }: Workshop): string {
  return path.resolve(folder, name);
}
