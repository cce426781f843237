import { spawn } from "node:child_process";
import fs from "node:fs";
import readline from "node:readline";
import type { Driver, LineFacts } from "./driver.ts";

export interface ProgramRun {
  status: number | null;
  signal: string | null;
  seconds: number;
  facts: Required<Omit<LineFacts, "error">>;
  /** The last error it reported, or the end of what it wrote to standard error. */
  error: string | null;
}

export interface StartedProgram {
  command: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Every line it prints, as it is. */
  transcript: string;
  driver: Driver;
}

const MAX_TRANSCRIPT_BYTES = 256 * 1024 * 1024;
const MAX_LINE = 8 * 1024 * 1024;
const MAX_ERROR = 2000;

/** Runs the program to its end. What it prints is kept and counted; it never decides whether the trial goes on. */
export function runProgram({ command, cwd, env, transcript, driver }: StartedProgram): Promise<ProgramRun> {
  const start = Date.now();
  const facts = { turns: 0, toolCalls: 0, failedCommands: 0, inputTokens: 0, outputTokens: 0 };
  let error: string | null = null;
  let complaint = "";
  const file = fs.createWriteStream(transcript, { flags: "a" });
  // A full disk costs the transcript, not the work.
  file.on("error", () => {});
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let written = 0;
    const lines = readline.createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on("line", (line) => {
      written += line.length + 1;
      if (written <= MAX_TRANSCRIPT_BYTES) file.write(`${line}\n`);
      const said = line.length <= MAX_LINE ? readLine(line, driver) : {};
      for (const name of Object.keys(facts) as (keyof typeof facts)[]) facts[name] += said[name] ?? 0;
      error = said.error ?? error;
    });
    child.stderr.on("data", (piece: Buffer) => {
      complaint = (complaint + piece.toString()).slice(-MAX_ERROR);
      process.stderr.write(piece);
    });
    const end = (status: number | null, signal: string | null) => {
      file.end();
      const failed = status !== 0 ? complaint.trim() || null : null;
      resolve({ status, signal, seconds: (Date.now() - start) / 1000, facts, error: error ?? failed });
    };
    child.on("error", (failure) => {
      error = failure.message;
      end(null, null);
    });
    child.on("close", (status, signal) => end(status, signal));
  });
}

function readLine(line: string, driver: Driver): LineFacts {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? driver.read(value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
