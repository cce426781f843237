import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { makeNamesPlain } from "./plain-names.ts";

interface CollectLimits {
  files: number;
  totalBytes: number;
  depth: number;
}

const COLLECT_LIMITS: CollectLimits = { files: 100_000, totalBytes: 64 * 2 ** 30, depth: 40 };

/** Remarks that are kept one by one. */
const MOST_NOTES = 50;

/**
 * Moves what an agent left in a folder of its own to where it is kept. Only once all of its processes are gone: the
 * folder is moved as a whole, and what is no regular file, or exceeds the limits, is removed from it. Links are never
 * followed. Returns what a reader should know; a folder that the agent destroyed is collected as an empty one.
 */
export async function collectFolder(
  from: string,
  to: string,
  limits: CollectLimits = COLLECT_LIMITS,
): Promise<string[]> {
  const notes: string[] = [];
  const name = path.basename(to);
  const note = (text: string) => {
    if (notes.length < MOST_NOTES) notes.push(`${name}: ${text}`);
  };
  try {
    const stats = await fs.lstat(from).catch(() => null);
    if (stats?.isDirectory()) {
      await fs.chmod(from, 0o755);
      await fs.rename(from, to);
      await clean(to, limits, note);
    } else {
      note("the agent had removed the folder");
      await removeTree(from);
    }
  } catch (error) {
    note(`not everything could be collected (${(error as Error).message})`);
  }
  makeFolder(to);
  return notes;
}

async function clean(root: string, limits: CollectLimits, note: (text: string) => void): Promise<void> {
  let files = 0;
  let bytes = 0;
  let dropped = 0;
  let odd = 0;
  async function walk(inside: string, depth: number): Promise<void> {
    const folder = path.join(root, inside);
    await fs.chmod(folder, 0o755);
    odd += await makeNamesPlain(folder);
    for await (const entry of await fs.opendir(folder)) {
      const name = path.join(inside, entry.name);
      const place = path.join(root, name);
      if (entry.isDirectory()) {
        if (depth < limits.depth && files < limits.files) await walk(name, depth + 1);
        else {
          dropped++;
          await removeTree(place);
        }
      } else if (!entry.isFile()) {
        note(`${name} is ${entry.isSymbolicLink() ? "a symbolic link" : "no regular file"} and was not kept`);
        await fs.rm(place, { force: true });
      } else {
        const { size } = await fs.lstat(place);
        if (files < limits.files && bytes + size <= limits.totalBytes) {
          files++;
          bytes += size;
          // The agent may have taken away its own right to read.
          await fs.chmod(place, 0o644);
        } else {
          dropped++;
          await fs.rm(place, { force: true });
        }
      }
    }
  }
  await walk("", 0);
  const { files: most, totalBytes, depth } = limits;
  if (odd > 0) note(`${odd} names were no plain text and were changed`);
  if (dropped > 0)
    note(`${dropped} entries beyond ${most} files, ${totalBytes} bytes or ${depth} levels were not kept`);
}

/** Removes whatever lies there. `rm` copes with paths beyond the system's limit, which Node's own removal does not. */
export async function removeTree(place: string): Promise<void> {
  try {
    await fs.rm(place, { recursive: true, force: true });
    return;
  } catch {
    // On to `rm`.
  }
  const child = spawn("rm", ["-rf", "--", place], { stdio: "ignore" });
  child.on("error", () => {});
  await Promise.race([once(child, "exit"), once(child, "error")]).catch(() => {});
}
