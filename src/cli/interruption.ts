import fs from "node:fs";
import os from "node:os";
import { printNote } from "./print.ts";

/** What is under way and wants to end well; the one that began last is told first. */
const underWay: (() => void)[] = [];
let isUnread = false;

function whenNobodyReads(stop: () => void): { end(): void } {
  underWay.push(stop);
  return { end: () => void underWay.splice(underWay.indexOf(stop), 1) };
}

/**
 * A reader that has seen enough (`mlebench list | head`) closes the pipe, which is not an error of ours. But what is
 * under way is stopped like by Ctrl-C: to leave at once would take the harness from agents that are still running, and
 * what is frozen at that moment cannot even be killed.
 */
export function endWhenNobodyReads(): void {
  const onError = (stream: NodeJS.WriteStream) => (error: NodeJS.ErrnoException) => {
    const stop = underWay.at(-1);
    if (stop !== undefined) {
      isUnread = true;
      stop();
      // With nothing under way a command is at its end; notes that nobody reads are no reason to leave with another code.
    } else if (stream === process.stdout && !isUnread) process.exit(error.code === "EPIPE" ? 0 : 3);
  };
  for (const stream of [process.stdout, process.stderr]) stream.on("error", onError(stream));
}

/** The first Ctrl-C stops cleanly; the second one ends the process, which the next run cleans up after. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    printNote("Stopping; press Ctrl-C again to stop at once.");
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  whenNobodyReads(() => controller.abort());
  return controller.signal;
}

/** For what writes file after file: Ctrl-C ends it between two of them, and never within one. */
export function leaveWhenInterrupted(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
}

/** The first Ctrl-C stops gently, the second one kills. */
export function gentleInterruption(say: (line: string) => void): {
  interrupted: AbortSignal;
  killed: AbortSignal;
  end(): void;
} {
  const gentle = new AbortController();
  const hard = new AbortController();
  const stop = () => {
    if (gentle.signal.aborted) hard.abort();
    else {
      say("Stopping and collecting; press Ctrl-C again to kill.");
      gentle.abort();
    }
  };
  // A terminal that is closed is a wish to end, unless `nohup` said otherwise: to listen would undo that.
  const signals = ["SIGINT", "SIGTERM", ...(isIgnored("SIGHUP") ? [] : ["SIGHUP"])];
  for (const signal of signals) process.on(signal, stop);
  const unread = whenNobodyReads(() => gentle.abort());
  return {
    interrupted: gentle.signal,
    killed: hard.signal,
    end() {
      for (const signal of signals) process.off(signal, stop);
      unread.end();
    },
  };
}

/** Whether whoever started us told the system to keep a signal from us; where nobody can tell, it did not. */
function isIgnored(signal: NodeJS.Signals): boolean {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)/m.exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
    return ((BigInt(`0x${mask}`) >> BigInt(os.constants.signals[signal] - 1)) & 1n) === 1n;
  } catch {
    return false;
  }
}
