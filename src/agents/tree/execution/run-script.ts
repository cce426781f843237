import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import { diskWatch } from "./disk-watch.ts";
import { endStragglers, groupMemory, processIds, streamsOf } from "./processes.ts";

export interface ScriptRun {
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  timeoutSeconds: number;
  /** Bytes for the script and all it starts; Infinity: no limit. */
  memoryBytes: number;
  /** No other script of this machine has it: what left the script's group is found by it. */
  mark: string;
}

export type ScriptEnd = "exited" | "timeout" | "memory" | "disk" | "output" | "not started";

export interface ScriptOutcome {
  end: ScriptEnd;
  exitCode: number | null;
  signal: string | null;
  /** Both streams as they came. */
  output: string;
  seconds: number;
  /** Null where the system does not tell. */
  peakMemory: number | null;
}

const KEPT_OUTPUT = 1024 * 1024;
/** Who prints more has lost its way, and would do so until its time is over. */
const MAX_OUTPUT = 256 * 1024 * 1024;
/** A longer one would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const LOOK_EVERY_MS = 500;
/** A look at all processes of a busy machine takes a while: it may take this share of the time, and no more. */
const LOOK_SHARE = 0.005;
/** Between asking a script to end and ending it. */
const GRACE_MS = 3000;

/** The variable that carries the mark. */
const MARK_VARIABLE = "MLEBENCH_ATTEMPT";

/**
 * Runs a script in a process group of its own. What it printed is kept, whatever its end; nothing that it started
 * survives it, unless it left the group, cleared its environment, went elsewhere and closed its streams.
 */
export function runScript(run: ScriptRun): Promise<ScriptOutcome> {
  const started = performance.now();
  const [program, ...args] = behindShell(run.command);
  const text = boundedText();
  const before = processIds();
  const isDiskFilling = diskWatch(run.cwd);
  return new Promise((resolve) => {
    let end: ScriptEnd = "exited";
    let peak: number | null = null;
    const child = spawn(program, args, {
      cwd: run.cwd,
      env: { ...run.env, [MARK_VARIABLE]: run.mark },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const marks = {
      before,
      variable: `${MARK_VARIABLE}=${run.mark}`,
      folder: resolved(run.cwd),
      streams: streamsOf(child.pid),
    };
    let settled = false;
    let printed = 0;
    const stop = (why: ScriptEnd, signal: NodeJS.Signals) => {
      if (end === "exited") end = why;
      kill(child, signal);
      // Once it has ended, its number may be another group's.
      if (signal !== "SIGKILL") setTimeout(() => settled || kill(child, "SIGKILL"), GRACE_MS).unref();
    };
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (piece: Buffer) => {
        text.add(piece);
        printed += piece.length;
        if (printed > MAX_OUTPUT) stop("output", "SIGKILL");
      });
    const timer = setTimeout(
      () => stop("timeout", "SIGINT"),
      Math.min(LONGEST_TIMER_MS, run.timeoutSeconds * 1000),
    );
    let look: NodeJS.Timeout;
    const lookAgain = (pause: number) => {
      look = setTimeout(() => {
        const began = performance.now();
        const now = child.pid === undefined ? null : groupMemory(child.pid, marks);
        if (now !== null) peak = Math.max(peak ?? 0, now);
        if (now !== null && now > run.memoryBytes) stop("memory", "SIGKILL");
        else if (isDiskFilling()) stop("disk", "SIGKILL");
        else lookAgain(Math.max(LOOK_EVERY_MS, (performance.now() - began) / LOOK_SHARE));
      }, pause);
    };
    lookAgain(LOOK_EVERY_MS);
    const settle = (status: number | null, killedBy: string | null) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearTimeout(look);
      kill(child, "SIGKILL");
      void endStragglers(marks).then(() => {
        // Whoever still holds them would keep us from ending long after the search.
        for (const stream of [child.stdout, child.stderr]) stream?.destroy();
        const seconds = (performance.now() - started) / 1000;
        const signal = killedBy ?? signalOf(status);
        const exitCode = signal === null ? status : null;
        resolve({ end, exitCode, signal, output: text.whole(), seconds, peakMemory: peak });
      });
    };
    child.on("error", (error) => {
      end = "not started";
      text.add(Buffer.from(error.message));
      settle(null, null);
    });
    // A grandchild may hold the streams open: its parent's end is what counts, after a moment for the last words.
    child.on("exit", (code, signal) => setTimeout(() => settle(code, signal), 2000).unref());
    child.on("close", (code, signal) => settle(code, signal));
  });
}

function resolved(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    // Another worker's program has removed it already.
    return folder;
  }
}

const SHELL = "/bin/sh";

/** The parent that a program sees, and may end, is not us. */
const behindShell = (command: readonly string[]) =>
  fs.existsSync(SHELL) ? [SHELL, "-c", '"$0" "$@"; exit $?', ...command] : command;

/** A shell tells of a signal by its number above 128. */
function signalOf(status: number | null): string | null {
  const signals = Object.entries(os.constants.signals);
  return signals.find(([, number]) => status === 128 + number)?.[0] ?? null;
}

/** The whole group: a script may have started others. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody is left.
  }
}

/** Beginning and end of what is written; the middle of too much is dropped, with a note. */
function boundedText() {
  let head = "";
  let tail = "";
  let dropped = 0;
  const decoder = new TextDecoder();
  return {
    add(piece: Buffer) {
      const words = decoder.decode(piece, { stream: true });
      const room = KEPT_OUTPUT / 2 - head.length;
      head += words.slice(0, Math.max(0, room));
      tail += words.slice(Math.max(0, room));
      if (tail.length > KEPT_OUTPUT) {
        dropped += tail.length - KEPT_OUTPUT / 2;
        tail = tail.slice(-KEPT_OUTPUT / 2);
      }
    },
    whole: () => (dropped === 0 ? head + tail : `${head}\n[… ${dropped} characters left out …]\n${tail}`),
  };
}
