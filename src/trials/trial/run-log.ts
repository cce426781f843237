import fs from "node:fs";
import { openAppending } from "../../files/plain-file.ts";
import { maskText } from "../../wording/secrets.ts";

/** What of the agent's output goes into run.log; all that the sandbox keeps is in stdout.log and stderr.log. */
const MAX_AGENT_BYTES = 16 * 2 ** 20;
const EVERY_MS = 500;
const PIECE = 64 * 1024;
const PIECES_AT_ONCE = 16;

export interface RunLog {
  write(message: string): void;
  /** The last line the agent has printed, for people who watch. */
  lastLine(): string;
  close(): void;
}

/**
 * `run.log` as the original writes it: what the harness does, and among it the agent's output, marked `[Container]`.
 * The agent may print gigabytes of anything; only the first part is taken over.
 */
export function openRunLog(
  file: string,
  outputs: readonly string[],
  secrets: readonly string[] = [],
): RunLog {
  const handle = openAppending(file);
  const buffer = Buffer.allocUnsafe(PIECE);
  const positions = outputs.map(() => 0);
  const rests = outputs.map(() => "");
  let taken = 0;
  let last = "";

  const put = (text: string) => {
    try {
      fs.writeSync(handle, text);
    } catch {
      // The host's disk is full: people read on elsewhere, and nothing depends on this file.
    }
  };
  const write = (message: string) => put(`[${stamp()}] [mlebench] ${maskText(message, secrets)}\n`);

  /** Takes over what is new, in the end with the unfinished last line; in between a little at a time. */
  function follow(everything: boolean): void {
    for (const [index, output] of outputs.entries()) {
      for (let pieces = 0; everything ? taken < MAX_AGENT_BYTES : pieces < PIECES_AT_ONCE; pieces++) {
        const piece = read(output, index);
        if (piece === "") break;
        const lines = (rests[index] + piece).split("\n");
        rests[index] = lines.pop()!.slice(-PIECE);
        take(lines);
      }
      if (everything && rests[index] !== "") take([rests[index]]);
    }
  }

  function read(output: string, index: number): string {
    let source: number;
    try {
      source = fs.openSync(output, "r");
    } catch {
      return "";
    }
    try {
      const count = fs.readSync(source, buffer, 0, PIECE, positions[index]);
      positions[index] += count;
      return buffer.toString("utf8", 0, count);
    } catch {
      return "";
    } finally {
      fs.closeSync(source);
    }
  }

  function take(lines: readonly string[]): void {
    for (const line of lines) {
      if (line.trim() !== "") last = line.slice(0, 500);
      if (taken >= MAX_AGENT_BYTES) continue;
      taken += line.length + 1;
      put(`[Container] ${line}\n`);
      if (taken >= MAX_AGENT_BYTES) write("the agent's output goes on in stdout.log and stderr.log");
    }
  }

  const timer = setInterval(() => follow(false), EVERY_MS);
  return {
    write,
    lastLine: () => last,
    close() {
      clearInterval(timer);
      follow(true);
      fs.closeSync(handle);
    },
  };
}

/** The original's time format. */
function stamp(): string {
  return new Date().toISOString().replace("T", " ").replace(".", ",").replace("Z", "");
}
