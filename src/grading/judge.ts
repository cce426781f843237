import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import type { Socket } from "node:net";
import os from "node:os";
import { fileURLToPath } from "node:url";
import type { Blame } from "../wording/problem.ts";
import { sizeText } from "../wording/sizes.ts";
import type { Grade } from "./grade-schema.ts";
import { checkSubmission, type FormatCheck, type GradeOptions, gradeSubmission } from "./grade-submission.ts";

export interface JudgeRequest {
  kind: "grade" | "check";
  options: GradeOptions;
  /** How large the file is. */
  bytes: number;
}

/** What a process sends back: a grade or the outcome of a check, and whether the answers were read from disk for it. */
export interface Judged {
  outcome: Grade | FormatCheck;
  readAnswers: boolean;
}

export interface Judge {
  grade(options: GradeOptions, onWork?: (work: JudgeWork) => void): Promise<Grade>;
  check(options: GradeOptions): Promise<FormatCheck>;
  /** Ends what is under way; those who wait for it get a failed outcome. Resolves when no process is left. */
  close(): Promise<void>;
}

/** Who judged a file, and whether it had to read the answers for that. */
export interface JudgeWork {
  process: number;
  readAnswers: boolean;
}

/** Large files take minutes; what takes longer than this was made to. */
const MAX_SECONDS = 1800;
const LOOK_EVERY_MS = 100;
/** A process that has judged a file is kept this long for the next one. */
const IDLE_MS = 10_000;
/** What every file may cost, and for each byte of its own. */
const MEMORY_BYTES = 4 * 2 ** 30;
const MEMORY_PER_BYTE = 30;
const PAGE_BYTES = 4096;

declare const __COMPETITIONS_FOLDER__: string | undefined;

/**
 * Judges files of others in processes of their own, `width` at a time: whatever a file does to its reader (memory
 * without end, time without end, a crash) is an outcome of that one file, and the thread that keeps everybody's time
 * never parses any. From source there is no file that a process could run; there it is done in place.
 */
export function openJudge(width = Math.max(1, os.availableParallelism())): Judge {
  if (typeof __COMPETITIONS_FOLDER__ === "undefined")
    return { grade: (options) => gradeSubmission(options), check: checkSubmission, close: async () => {} };
  const children = new Set<ChildProcess>();
  const idle: { child: ChildProcess; wake(): void }[] = [];
  const waiting: (() => void)[] = [];
  let active = 0;
  let closed = false;

  async function judge(
    kind: JudgeRequest["kind"],
    options: GradeOptions,
    onWork?: (work: JudgeWork) => void,
  ): Promise<Judged["outcome"]> {
    const request = { kind, options, bytes: sizeOf(options.submissionPath) };
    if (active >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    active++;
    try {
      if (closed) return failed(request.options, STOPPED, "user");
      const rested = idle.pop();
      rested?.wake();
      const child = rested?.child ?? startChild();
      children.add(child);
      const judged = await ask(child, request);
      if (judged.status === "alive") {
        onWork?.({ process: child.pid!, readAnswers: judged.readAnswers });
        keep(child);
      } else children.delete(child);
      if (closed && judged.status !== "alive") return failed(request.options, STOPPED, "user");
      return judged.outcome;
    } finally {
      active--;
      waiting.shift()?.();
    }
  }

  /** Lets a process wait for the next file, for a while. */
  function keep(child: ChildProcess): void {
    const drop = () => {
      entry.wake();
      const at = idle.indexOf(entry);
      if (at >= 0) idle.splice(at, 1);
      children.delete(child);
      child.kill("SIGKILL");
    };
    const timer = setTimeout(drop, IDLE_MS).unref();
    const entry = {
      child,
      wake() {
        clearTimeout(timer);
        child.off("exit", drop);
      },
    };
    if (closed) drop();
    else {
      child.once("exit", drop);
      idle.push(entry);
    }
  }

  return {
    grade: (options, onWork) => judge("grade", options, onWork) as Promise<Grade>,
    check: (options) => judge("check", options) as Promise<FormatCheck>,
    async close() {
      closed = true;
      for (const { wake } of idle.splice(0)) wake();
      await Promise.all([...children].map(ended));
      children.clear();
    },
  };
}

let shared: Judge | null = null;

/** One for the whole program, so that many trials together do not judge more files at once than there are cores. */
export function sharedJudge(): Judge {
  shared ??= openJudge();
  return shared;
}

const STOPPED = "It was stopped before this file was judged.";

/** Kills a process and waits until it has gone, so that what it cost is counted and nothing is left behind. */
function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
    return Promise.resolve();
  return new Promise((resolve) => {
    child.ref();
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

type Answer = { status: "alive" | "gone" } & Judged;

function ask(child: ChildProcess, request: JudgeRequest): Promise<Answer> {
  const { options } = request;
  const memoryBytes = memoryFor(request.bytes);
  return new Promise((resolve) => {
    let said = "";
    const hear = (piece: Buffer) => {
      said = `${said}${piece}`.slice(-4000);
    };
    const end = (answer: Answer) => {
      clearInterval(look);
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      child.stderr?.off("data", hear);
      resolve(answer);
    };
    const giveUp = (why: string, blame: Blame) => {
      child.kill("SIGKILL");
      end({ status: "gone", outcome: failed(options, why, blame), readAnswers: false });
    };
    const onMessage = (judged: Judged) => end({ status: "alive", ...judged });
    const onError = (error: Error) =>
      giveUp(`No process could be started to judge it: ${error.message}`, "host");
    const onExit = (code: number | null, signal: string | null) => {
      const ofMemory = /out of memory|heap limit|allocation failed/i.test(said) || signal === "SIGABRT";
      if (ofMemory) giveUp(tooMuch(memoryBytes), "agent");
      else giveUp(`The process that judged it ended (${signal ?? `status ${code}`}).`, "host");
    };
    const startedAt = performance.now();
    // V8 limits its heap; what a process holds beside it has no other limit. The interval also keeps us waiting.
    const look = setInterval(() => {
      if (residentBytes(child.pid) > memoryBytes) giveUp(tooMuch(memoryBytes), "agent");
      else if (performance.now() - startedAt > MAX_SECONDS * 1000)
        giveUp(`Judging this file took longer than ${MAX_SECONDS} s.`, "agent");
    }, LOOK_EVERY_MS);
    child.on("message", onMessage).on("exit", onExit).on("error", onError);
    child.stderr?.on("data", hear);
    // Where none could be started there is not even a channel; the error says so in a moment.
    child.send?.(request, (error) => {
      if (error !== null) giveUp(`The process that judges cannot be asked: ${error.message}`, "host");
    });
  });
}

function startChild(): ChildProcess {
  const file = fileURLToPath(new URL("../grading/judge-child.js", import.meta.url));
  const heap = Math.floor(Math.min(os.totalmem() / 2, 8 * 2 ** 30) / 2 ** 20);
  const child = spawn(process.execPath, [`--max-old-space-size=${heap}`, file], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // Scores may be NaN or infinite, which JSON cannot say.
    serialization: "advanced",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  child.on("error", () => {});
  // A process that waits for work keeps nobody from ending; it ends itself when its parent has gone.
  child.unref();
  child.channel?.unref();
  (child.stderr as Socket | null)?.unref();
  try {
    // Those who keep time come first.
    if (child.pid !== undefined) os.setPriority(child.pid, 5);
  } catch {
    // Already gone.
  }
  return child;
}

/** Enough for any honest file, as large as it is, and never all that the machine has. */
function memoryFor(bytes: number): number {
  const wanted = Math.max(MEMORY_BYTES, MEMORY_PER_BYTE * bytes);
  return Math.min(wanted, Math.floor(os.totalmem() * 0.6));
}

/** Nothing for a file that cannot be looked at, which is for grading to report. */
export function sizeOf(file: string): number {
  try {
    return fs.statSync(file).size;
  } catch {
    return 0;
  }
}

function residentBytes(pid: number | undefined): number {
  try {
    return Number(fs.readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

function tooMuch(bytes: number): string {
  return `Judging this file took more than ${sizeText(bytes)} of memory.`;
}

function failed(options: GradeOptions, message: string, blame: Blame): Extract<Grade, { status: "failed" }> {
  const { competitionId, competitionVersion = "v1", submissionPath } = options;
  const nextStep =
    blame === "agent" ? "look at the file; a machine with more memory may be able to grade it" : "try again";
  const common = { competitionId, competitionVersion, submissionPath };
  return { ...common, status: "failed", board: null, message, nextStep, blame, retryable: true };
}
