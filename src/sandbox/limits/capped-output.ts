import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { type SecretMasker, secretMasker } from "../../wording/secrets.ts";
import type { SandboxRequest, StartOutcome } from "../sandbox.ts";

const DEFAULT_OUTPUT_BYTES = 64 * 2 ** 20;

/** One output stream of a sandbox: the agent's end, and the file it is copied to. */
export interface CappedOutput {
  /** For the child's stdio; to be closed with `closeWriter` once the child has it. */
  writer: number;
  closeWriter(): void;
  /** Nobody was started who would write. */
  abandon(): void;
  /** Settles when every writer is gone, or `seconds` after the call: a lost daemon may hold its end for ever. */
  finish(seconds: number): Promise<void>;
}

/**
 * Copies what is written into two pipes to files, up to a size; the rest is read and dropped, so that an agent that
 * prints gigabytes is neither blocked nor fills the disk; secrets are masked on the way. Real pipes, because Node's own are sockets, and a script
 * that writes to /dev/stderr cannot open a socket; open to all, because it opens them as another user.
 */
export async function withCappedOutputs(
  scratch: string,
  {
    stdout,
    stderr,
    outputBytes = DEFAULT_OUTPUT_BYTES,
    secrets = [],
  }: Pick<SandboxRequest, "stdout" | "stderr" | "outputBytes" | "secrets">,
  start: (outputs: readonly [CappedOutput, CappedOutput]) => StartOutcome | Promise<StartOutcome>,
): Promise<StartOutcome> {
  const fifos = [path.join(scratch, "stdout"), path.join(scratch, "stderr")];
  const made = spawnSync("mkfifo", ["-m", "666", "--", ...fifos]);
  if (made.status !== 0) throw new Error(`mkfifo: ${made.error?.message ?? made.stderr}`);
  const opened: CappedOutput[] = [];
  const open = (file: string, fifo: string) => {
    const output = openCappedOutput(file, fifo, outputBytes, secretMasker(secrets));
    opened.push(output);
    return output;
  };
  let started = false;
  try {
    const outcome = await start([open(stdout, fifos[0]), open(stderr, fifos[1])]);
    started = outcome.status === "started";
    return outcome;
  } finally {
    // A pipe that nobody reads to its end would keep the harness from ever ending.
    if (!started) for (const output of opened) output.abandon();
  }
}

function openCappedOutput(file: string, fifo: string, limit: number, masker: SecretMasker): CappedOutput {
  const { target, reader, writer } = openAll(file, fifo);
  const stream = new net.Socket({ fd: reader, readable: true, writable: false });
  let isWriterOpen = true;
  const closeWriter = () => {
    if (isWriterOpen) fs.closeSync(writer);
    isWriterOpen = false;
  };
  let kept = 0;
  let dropped = 0;
  const keep = (chunk: Buffer) => {
    const part = chunk.subarray(0, Math.max(0, limit - kept));
    try {
      if (part.length > 0) fs.writeFileSync(target, part);
      kept += part.length;
      dropped += chunk.length - part.length;
    } catch {
      // The host's disk is full: the log ends here, the trial goes on.
      dropped += chunk.length;
    }
  };
  // What is dropped need not be masked, and there may be gigabytes of it.
  stream.on("data", (chunk: Buffer) => keep(kept < limit ? masker.push(chunk) : chunk));
  const ended = new Promise<void>((resolve) => {
    stream.on("error", () => stream.destroy());
    stream.on("close", () => {
      keep(masker.end());
      if (dropped > 0) appendMarker(target, dropped);
      fs.closeSync(target);
      resolve();
    });
  });
  return {
    writer,
    closeWriter,
    abandon() {
      closeWriter();
      stream.destroy();
    },
    finish: async (seconds) => {
      const timer = setTimeout(() => stream.destroy(), seconds * 1000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** All three or none. */
function openAll(file: string, fifo: string): { target: number; reader: number; writer: number } {
  const { O_CREAT, O_WRONLY, O_TRUNC, O_NOFOLLOW, O_RDONLY, O_NONBLOCK } = fs.constants;
  const opened: number[] = [];
  const open = (place: string, flags: number) => {
    opened.push(fs.openSync(place, flags, 0o644));
    return opened.at(-1)!;
  };
  try {
    const target = open(file, O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW);
    return { target, reader: open(fifo, O_RDONLY | O_NONBLOCK), writer: open(fifo, O_WRONLY) };
  } catch (error) {
    for (const descriptor of opened) fs.closeSync(descriptor);
    throw error;
  }
}

function appendMarker(target: number, dropped: number): void {
  try {
    fs.writeSync(target, `\n[mlebench] output limit reached, ${dropped} more bytes were dropped\n`);
  } catch {
    // The file is as good as a full disk allows.
  }
}
