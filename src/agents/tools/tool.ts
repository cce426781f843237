import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
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

/**
 * The first bytes of a file, and how large it is. A pipe would be waited for without end, and a device has none, so only
 * regular files are read.
 */
export function readStart(file: string, maxBytes: number): { text: string; bytes: number; size: number } {
  const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const status = fs.fstatSync(handle);
    if (!status.isFile())
      throw new WrongInput(`${file} is ${status.isDirectory() ? "a folder" : "not a regular file"}.`);
    const bytes = Buffer.alloc(Math.min(status.size, maxBytes));
    const read = fs.readSync(handle, bytes);
    return { text: bytes.subarray(0, read).toString("utf8"), bytes: read, size: status.size };
  } finally {
    fs.closeSync(handle);
  }
}

/** All of a text file that is going to be changed. */
export function readWhole(file: string): string {
  const { text, bytes, size } = readStart(file, MAX_EDIT_BYTES);
  if (bytes < size)
    throw new WrongInput(`${file} has ${size} bytes; files up to ${MAX_EDIT_BYTES} can be edited.`);
  return text;
}

const MAX_EDIT_BYTES = 16 * 1024 * 1024;

/** Replaces a file in one step. Something else in its place (a folder, a pipe) stays. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const there = fs.statSync(file, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) throw new WrongInput(`${file} is not a regular file.`);
  makeFolder(path.dirname(file));
  const fresh = `${file}.new`;
  fs.writeFileSync(fresh, content);
  fs.renameSync(fresh, file);
}
