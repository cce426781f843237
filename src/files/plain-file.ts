import fs from "node:fs";

/** Larger than any file of ours that is read whole: somebody else's must not fill our memory, and JSON takes many times its size. */
const MAX_BYTES = 2 ** 26;

/** What describes one group or trial is smaller still; a folder may hold thousands of them. */
export const MAX_RECORD_BYTES = 2 ** 25;

/** A certificate lists every file that is kept of a trial: hundreds of thousands, at some 230 bytes each. */
export const MAX_CERTIFICATE_BYTES = 2 ** 28;

/** The code of the error for what is not a regular file, or far too large for one of ours. */
export const NOT_PLAIN = "ENOTPLAIN";

export interface PlainLimits {
  maxBytes?: number;
  /** What is shown as a group's own must lie in it: the file that a link names is the reader's. */
  links?: "follow" | "refuse";
}

/**
 * A whole file that somebody else may have put there. Throws what the system says, and an error with the code `ENOTPLAIN`
 * for what is not a regular file: a pipe would be waited for without end, and a device has none.
 */
export function readPlainBytes(file: string, limits: PlainLimits = {}): Buffer {
  const handle = openPlain(file, limits);
  try {
    return fs.readFileSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

export function readPlainText(file: string, limits: PlainLimits = {}): string {
  return readPlainBytes(file, limits).toString("utf8");
}

/** The same for reading in pieces; whoever opens it closes it. */
export function openPlain(
  file: string,
  { maxBytes = MAX_BYTES, links = "follow" }: PlainLimits = {},
): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  if (links === "refuse") refuseLink(file);
  const handle = fs.openSync(file, O_RDONLY | O_NONBLOCK | (links === "refuse" ? O_NOFOLLOW : 0));
  try {
    const stats = fs.fstatSync(handle);
    if (!stats.isFile()) throw notPlain(file, "it is not a regular file");
    if (stats.size > maxBytes) throw notPlain(file, `it has ${stats.size} bytes`);
    return handle;
  } catch (error) {
    fs.closeSync(handle);
    throw error;
  }
}

/** For writing at its end, made where it is missing; never through a link, and never into a pipe. */
export function openAppending(file: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  refuseLink(file);
  const handle = fs.openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644);
  if (fs.fstatSync(handle).isFile()) return handle;
  fs.closeSync(handle);
  throw notPlain(file, "it is not a regular file");
}

export function isNotPlain(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === NOT_PLAIN;
}

/** So that it is said in words; what comes in between, the flag refuses. */
function refuseLink(file: string): void {
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw notPlain(file, "it is a symbolic link");
}

function notPlain(file: string, why: string): Error {
  return Object.assign(new Error(why), { code: NOT_PLAIN, syscall: "read", path: file });
}
