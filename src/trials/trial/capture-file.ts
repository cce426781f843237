import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";

export type Capture =
  | {
      status: "captured";
      sha256: string;
      bytes: number;
      kept: boolean;
      state: string;
      /** When the kernel last saw it change, by the file system's clock; an agent cannot choose this one. */
      changedAt: number;
    }
  | { status: "absent" }
  | { status: "refused"; why: string; state: string };

interface CaptureOptions {
  maxBytes: number;
  keep: boolean;
  /** What the first line becomes in the copy, whose hash is that of the copy. */
  header?: ((line: string) => string) | undefined;
}

/** What tells two versions of a file apart without reading them. */
export async function fileState(file: string): Promise<string | null> {
  try {
    const { ino, size, mtimeNs, ctimeNs, mode } = await fs.lstat(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs} ${mode}`;
  } catch (error) {
    if (isOurs(error)) throw error;
    return null;
  }
}

/** Failures of the harness or its machine, too few descriptors among them: never a property of the agent's file. */
function isOurs(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["EMFILE", "ENFILE", "ENOMEM", "EIO", "ENOSPC", "EDQUOT", "EAGAIN"].includes(code);
}

/**
 * Copies an untrusted file into `folder` under the name of its content. Only a regular file is read: a symbolic link
 * would have us read the host's files for the agent, a pipe would have us wait for ever. A file that changes under
 * our hands is copied as we saw it; it is looked at again soon. `keep: false` hashes only. Throws when the copy cannot
 * be written: a full disk of ours must not be mistaken for a bad submission.
 */
export async function captureFile(
  file: string,
  folder: string,
  { maxBytes, keep, header }: CaptureOptions,
): Promise<Capture> {
  const state = await fileState(file);
  if (state === null) return { status: "absent" };
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isOurs(error)) throw error;
    return unopened((error as NodeJS.ErrnoException).code, state);
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { status: "refused", why: "it is not a regular file", state };
    if (stats.size > maxBytes) return { status: "refused", why: tooLarge(stats.size, maxBytes), state };
    return await copy(handle, folder, { maxBytes, keep, header, state });
  } finally {
    await handle.close();
  }
}

function unopened(code: string | undefined, state: string): Capture {
  if (code === "ENOENT" || code === "ENOTDIR") return { status: "absent" };
  const why = code === "ELOOP" ? "it is a symbolic link" : `it cannot be opened (${code})`;
  return { status: "refused", why, state };
}

async function copy(
  source: fs.FileHandle,
  folder: string,
  { maxBytes, keep, header, state }: CaptureOptions & { state: string },
): Promise<Capture> {
  const draft = path.join(folder, `.${randomUUID()}.tmp`);
  const target = keep ? await fs.open(draft, "wx", 0o644) : null;
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(2 ** 18);
  let bytes = 0;
  const write = async (piece: Buffer) => {
    hash.update(piece);
    await target?.writeFile(piece);
  };
  try {
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, bytes);
      if (bytesRead === 0) break;
      bytes += bytesRead;
      if (bytes > maxBytes) return { status: "refused", why: tooLarge(bytes, maxBytes), state };
      const piece = buffer.subarray(0, bytesRead);
      await write(header !== undefined && bytes === bytesRead ? withHeader(piece, header) : piece);
    }
    // Only now: what was read may have been written after the copy began.
    const changedAt = (await source.stat()).ctimeMs;
    await target?.datasync();
    const sha256 = hash.digest("hex");
    if (keep) await fs.rename(draft, path.join(folder, `${sha256}.csv`));
    return { status: "captured", sha256, bytes, kept: keep, state, changedAt };
  } finally {
    await target?.close();
    await fs.rm(draft, { force: true });
  }
}

/** A header is longer than the first piece in no file that could be graded. */
function withHeader(piece: Buffer, header: (line: string) => string): Buffer {
  const end = piece.indexOf(10);
  const line = piece.subarray(0, end === -1 ? piece.length : end);
  return Buffer.concat([Buffer.from(header(line.toString("utf8"))), piece.subarray(line.length)]);
}

function tooLarge(bytes: number, maxBytes: number): string {
  return `it has ${bytes} bytes, more than the ${maxBytes} allowed`;
}
