import fs from "node:fs";
import { z } from "zod";
import { writeFileAtomically } from "../../files/write-file.ts";

/** What must be known of a remote file to go on with a part of it. */
const RemoteFile = z.object({
  schema: z.literal("mlebench/partial-download"),
  version: z.literal(1),
  /** A strong ETag or a Last-Modified date: what If-Range accepts. */
  validator: z.string().min(1),
  size: z.int().min(0),
  /** Of the whole file, in hexadecimal, where the server told it. */
  md5: z.string().nullable(),
});
export type RemoteFile = Pick<z.infer<typeof RemoteFile>, "validator" | "size" | "md5">;

export type PartialFile = RemoteFile & { bytes: number };

/** Where a download grows until it is complete. */
export function partialPath(target: string): string {
  return `${target}.partial`;
}

/** The part of a download that an earlier attempt left, or null when it cannot be gone on with. */
export function readPartial(target: string): PartialFile | null {
  try {
    const bytes = fs.statSync(partialPath(target)).size;
    const remote = RemoteFile.parse(JSON.parse(fs.readFileSync(notePath(target), "utf8")));
    return bytes > 0 && bytes <= remote.size ? { ...remote, bytes } : null;
  } catch {
    return null;
  }
}

/** Notes what is being downloaded, before its first byte is written. Null: it could not be recognised later. */
export function notePartial(target: string, remote: RemoteFile | null): void {
  if (remote === null) {
    fs.rmSync(notePath(target), { force: true });
    return;
  }
  const note = { schema: "mlebench/partial-download", version: 1, ...remote };
  writeFileAtomically(notePath(target), `${JSON.stringify(note)}\n`);
}

/** Removes the part and its note. A link in the part's place is removed, not followed. */
export function forgetPartial(target: string): void {
  fs.rmSync(partialPath(target), { force: true });
  fs.rmSync(notePath(target), { force: true });
}

/** Gives a complete, flushed partial file its name. The folder is flushed too, so that the name survives a power cut. */
export function finishPartial(target: string, folder: string): void {
  fs.renameSync(partialPath(target), target);
  fs.rmSync(notePath(target), { force: true });
  if (process.platform === "win32") return;
  const handle = fs.openSync(folder, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function notePath(target: string): string {
  return `${partialPath(target)}.json`;
}
