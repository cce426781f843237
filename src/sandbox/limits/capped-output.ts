import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import { type SecretMasker, secretMasker } from "../../wording/secrets.ts";
import type { SandboxRequest } from "../sandbox.ts";

const DEFAULT_OUTPUT_BYTES = 64 * 2 ** 20;

/** One output stream of a sandbox: the agent's end, and the file it is copied to. */
export interface CappedOutput {
  /** For the child's stdio; to be closed with `closeWriter` once the child has it. */
  writer: number;
  closeWriter(): void;
  /** Settles when every writer is gone, or `seconds` after the call: a lost daemon may hold its end for ever. */
  finish(seconds: number): Promise<void>;
}

/**
 * Copies what is written into a pipe to a file, up to a size; the rest is read and dropped, so that an agent that
 * prints gigabytes is neither blocked nor fills the disk; secrets are masked on the way. Real pipes, because Node's own are sockets, and a script
 * that writes to /dev/stderr cannot open a socket; open to all, because it opens them as another user.
 */
export function openCappedOutputs(
  outputs: readonly { file: string; fifo: string }[],
  { outputBytes = DEFAULT_OUTPUT_BYTES, secrets = [] }: Pick<SandboxRequest, "outputBytes" | "secrets">,
): CappedOutput[] {
  const made = spawnSync("mkfifo", ["-m", "666", "--", ...outputs.map(({ fifo }) => fifo)]);
  if (made.status !== 0) throw new Error(`mkfifo: ${made.error?.message ?? made.stderr}`);
  return outputs.map(({ file, fifo }) => openCappedOutput(file, fifo, outputBytes, secretMasker(secrets)));
}

function openCappedOutput(file: string, fifo: string, limit: number, masker: SecretMasker): CappedOutput {
  const { O_CREAT, O_WRONLY, O_TRUNC, O_NOFOLLOW, O_RDONLY, O_NONBLOCK } = fs.constants;
  const target = fs.openSync(file, O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW, 0o644);
  const reader = fs.openSync(fifo, O_RDONLY | O_NONBLOCK);
  const writer = fs.openSync(fifo, O_WRONLY);
  const stream = new net.Socket({ fd: reader, readable: true, writable: false });
  let kept = 0;
  let dropped = 0;
  const keep = (chunk: Buffer) => {
    const part = chunk.subarray(0, Math.max(0, limit - kept));
    try {
      if (part.length > 0) fs.writeSync(target, part);
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
    closeWriter: () => fs.closeSync(writer),
    finish: async (seconds) => {
      const timer = setTimeout(() => stream.destroy(), seconds * 1000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function appendMarker(target: number, dropped: number): void {
  try {
    fs.writeSync(target, `\n[mlebench] output limit reached, ${dropped} more bytes were dropped\n`);
  } catch {
    // The file is as good as a full disk allows.
  }
}
