import fs from "node:fs";
import path from "node:path";

/** Larger files are data or generated. */
export const MAX_SOURCE_BYTES = 2_000_000;

/**
 * A text file below a repository's root, or null if it is none. Opened without following a link at its end, and only
 * if no folder on the way is one: between the walk and the reading a hostile program may have put a link there.
 */
export function readSource(root: string, file: string, maxBytes = MAX_SOURCE_BYTES): string | null {
  let handle: number | null = null;
  try {
    const whole = path.join(root, file);
    const realRoot = fs.realpathSync(root);
    if (fs.realpathSync(path.dirname(whole)) !== path.join(realRoot, path.dirname(file))) return null;
    handle = fs.openSync(whole, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
    const stat = fs.fstatSync(handle);
    if (!stat.isFile() || stat.size > maxBytes) return null;
    const bytes = Buffer.alloc(stat.size);
    const read = fs.readSync(handle, bytes, 0, bytes.length, 0);
    const content = bytes.subarray(0, read);
    if (content.subarray(0, 8192).includes(0)) return null;
    return content.toString("utf8").replace(/^\uFEFF/, "");
  } catch {
    return null;
  } finally {
    if (handle !== null) fs.closeSync(handle);
  }
}
