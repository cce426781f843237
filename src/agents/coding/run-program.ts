import { spawn } from "node:child_process";
import fs from "node:fs";
import type { Readable } from "node:stream";
import { type Driver, type LineFacts, type OwnTokens, streamStart } from "./driver.ts";

export interface ProgramFacts {
  turns: number;
  toolCalls: number;
  failedCommands: number;
  inputTokens: number;
  outputTokens: number;
}

export interface ProgramRun {
  status: number | null;
  signal: string | null;
  seconds: number;
  facts: ProgramFacts;
  /** The last error it reported, or the end of what it wrote to standard error. */
  error: string | null;
}

export interface StartedProgram {
  command: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Every line it prints, as it is. */
  transcript: string;
  /** What a line says, in our own form, and what all of them have come to. */
  onFacts(said: LineFacts, facts: ProgramFacts): void;
  driver: Driver;
  /** What the conversation had come to before; carried over to the next run. */
  before: OwnTokens;
}

const MAX_TRANSCRIPT_BYTES = 256 * 1024 * 1024;
const MAX_LINE = 8 * 1024 * 1024;
const MAX_ERROR = 2000;
/** How long its output is waited for after its end: something that it left running may hold it for ever. */
const AFTER_END_MS = 2000;

/** Runs the program to its end. What it prints is kept and counted; it never decides whether the trial goes on. */
export function runProgram({
  command,
  cwd,
  env,
  transcript,
  onFacts,
  driver,
  before,
}: StartedProgram): Promise<ProgramRun> {
  const start = Date.now();
  const read = lineReader(driver);
  const facts = { turns: 0, toolCalls: 0, failedCommands: 0, inputTokens: 0, outputTokens: 0 };
  let error: string | null = null;
  let complaint = "";
  const file = fs.createWriteStream(transcript, { flags: "a" });
  // A full disk costs the transcript, not the work.
  file.on("error", () => {});
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let written = 0;
    eachLine(child.stdout, (line, isWhole) => {
      written += line.length + 1;
      if (written <= MAX_TRANSCRIPT_BYTES) file.write(`${line}\n`);
      const said = isWhole ? sinceBefore(read(line), before) : {};
      if (said.error !== undefined) said.error = said.error.slice(0, MAX_ERROR);
      for (const name of ["turns", "failedCommands", "inputTokens", "outputTokens"] as const)
        facts[name] += said[name] ?? 0;
      facts.toolCalls += said.tools?.length ?? 0;
      error = said.error ?? error;
      if (Object.keys(said).length > 0) onFacts(said, facts);
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      complaint = (complaint + piece).slice(-MAX_ERROR);
      process.stderr.write(piece);
    });
    const end = (status: number | null, signal: string | null) => {
      const failed = status !== 0 ? complaint.trim() || null : null;
      const run = { status, signal, seconds: (Date.now() - start) / 1000, facts, error: error ?? failed };
      // It is over when all that it printed is on disk, too.
      if (file.closed) resolve(run);
      else file.once("close", () => resolve(run)).end();
    };
    child.on("error", (failure) => {
      error = failure.message;
      end(null, null);
    });
    child.on("exit", () => {
      const timer = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, AFTER_END_MS);
      child.on("close", () => clearTimeout(timer));
    });
    child.on("close", (status, signal) => end(status, signal));
  });
}

/** A line that is longer than anything a program says on purpose is cut, so that it cannot fill our memory. */
function eachLine(stream: Readable, onLine: (line: string, isWhole: boolean) => void): void {
  let pieces: string[] = [];
  let length = 0;
  const end = () => {
    onLine(pieces.join("").replace(/\r$/, ""), length <= MAX_LINE);
    pieces = [];
    length = 0;
  };
  stream.setEncoding("utf8").on("data", (piece: string) => {
    for (let from = 0; from < piece.length; ) {
      const newline = piece.indexOf("\n", from);
      const part = piece.slice(from, newline < 0 ? piece.length : newline);
      if (length < MAX_LINE) pieces.push(part.slice(0, MAX_LINE - length));
      length += part.length;
      from += part.length;
      if (newline < 0) break;
      end();
      from += 1;
    }
  });
  stream.on("end", () => length > 0 && end());
}

/** A sum of the whole conversation as what has been added to it; a smaller one is of a new conversation. */
function sinceBefore({ conversation, ...said }: LineFacts, before: OwnTokens): LineFacts {
  if (conversation === undefined) return said;
  const isNew = conversation.input < before.input || conversation.output < before.output;
  const { input, output } = isNew ? { input: 0, output: 0 } : before;
  Object.assign(before, conversation);
  return {
    ...said,
    inputTokens: conversation.input - input,
    outputTokens: conversation.output - output,
  };
}

function lineReader(driver: Driver): (line: string) => LineFacts {
  const soFar = streamStart();
  return (line) => {
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value !== "object" || value === null) return {};
      const facts = driver.read(value as Record<string, unknown>, soFar);
      soFar.previous = value as Record<string, unknown>;
      return facts;
    } catch {
      return {};
    }
  };
}
