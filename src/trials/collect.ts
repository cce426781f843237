import fs from "node:fs";
import path from "node:path";

export interface CollectLimits {
  files: number;
  totalBytes: number;
}

export const COLLECT_LIMITS: CollectLimits = { files: 100_000, totalBytes: 64 * 2 ** 30 };

/** Remarks that are kept one by one. */
const MOST_NOTES = 50;

/**
 * Moves what an agent left in a folder of its own to where it is kept. Only once all of its processes are gone: the
 * folder is moved as a whole, and what is no regular file, or exceeds the limits, is removed from it. Links are never
 * followed. Returns what a reader should know; a folder that the agent destroyed is collected as an empty one.
 */
export function collectFolder(from: string, to: string, limits: CollectLimits = COLLECT_LIMITS): string[] {
  const notes: string[] = [];
  const name = path.basename(to);
  const note = (text: string) => {
    if (notes.length < MOST_NOTES) notes.push(`${name}: ${text}`);
  };
  try {
    if (fs.lstatSync(from, { throwIfNoEntry: false })?.isDirectory()) {
      openUp(from);
      fs.renameSync(from, to);
      clean(to, limits, note);
    } else {
      note("the agent had removed the folder");
      fs.rmSync(from, { force: true });
    }
  } catch (error) {
    note(`not everything could be collected (${(error as Error).message})`);
  }
  if (!fs.existsSync(to)) fs.mkdirSync(to, { recursive: true });
  fs.chmodSync(to, 0o755);
  return notes;
}

function clean(root: string, limits: CollectLimits, note: (text: string) => void): void {
  let files = 0;
  let bytes = 0;
  let dropped = 0;
  const walk = (inside: string) => {
    const folder = path.join(root, inside);
    openUp(folder);
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const name = path.join(inside, entry.name);
      const place = path.join(root, name);
      if (entry.isDirectory()) walk(name);
      else if (!entry.isFile()) {
        note(`${name} is ${entry.isSymbolicLink() ? "a symbolic link" : "no regular file"} and was not kept`);
        fs.rmSync(place, { force: true });
      } else {
        const { size } = fs.lstatSync(place);
        if (files + 1 > limits.files || bytes + size > limits.totalBytes) {
          dropped++;
          fs.rmSync(place, { force: true });
        } else {
          files++;
          bytes += size;
          // The agent may have taken away its own right to read.
          fs.chmodSync(place, 0o644);
        }
      }
    }
  };
  walk("");
  if (dropped > 0)
    note(`${dropped} files beyond ${limits.files} files or ${limits.totalBytes} bytes were not kept`);
}

function openUp(folder: string): void {
  fs.chmodSync(folder, 0o755);
}
