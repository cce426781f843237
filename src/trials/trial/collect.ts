import { spawn } from "node:child_process";
import type { Dirent } from "node:fs";
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
const MAX_NOTES = 50;
/** Of what lies too deep so many are named. */
const NAMED_DEEP = 5;

/**
 * The system takes paths of up to 4,096 bytes. What is kept stays well below, so that it can still be read when the
 * group is moved or an attempt is set aside.
 */
const MAX_PATH_BYTES = 3000;

/**
 * Moves what an agent left in a folder of its own to where it is kept. Only once all of its processes are gone: the
 * folder is moved as a whole, and what is not a regular file, or exceeds the limits, is removed from it. Links are never
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
    if (notes.length < MAX_NOTES) notes.push(`${name}: ${text}`);
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

/**
 * Leaves regular files within the limits and nothing else. Each entry is judged by itself: what cannot be kept is
 * removed and named, what cannot be removed either is named, and neither keeps the rest from being looked at.
 */
async function clean(root: string, limits: CollectLimits, note: (text: string) => void): Promise<void> {
  let files = 0;
  let bytes = 0;
  let dropped = 0;
  let tooDeep = 0;
  let odd = 0;

  async function walk(inside: string, depth: number): Promise<void> {
    const folder = path.join(root, inside);
    await fs.chmod(folder, 0o755);
    odd += await makeNamesPlain(folder);
    for await (const entry of await fs.opendir(folder)) {
      const name = path.join(inside, entry.name);
      try {
        await look(entry, name, depth);
      } catch (error) {
        note(`${shortened(name)} could not be kept (${(error as NodeJS.ErrnoException).code ?? error})`);
        await drop(path.join(root, name));
      }
    }
  }

  async function look(entry: Dirent, name: string, depth: number): Promise<void> {
    const place = path.join(root, name);
    if (Buffer.byteLength(place) > MAX_PATH_BYTES) {
      if (++tooDeep <= NAMED_DEEP) note(`${shortened(name)} lies too deep and was not kept`);
      await drop(place);
    } else if (entry.isDirectory()) {
      if (depth < limits.depth && files < limits.files) await walk(name, depth + 1);
      else {
        dropped++;
        await drop(place);
      }
    } else if (!entry.isFile()) {
      const what = entry.isSymbolicLink() ? "a symbolic link" : "not a regular file";
      note(`${shortened(name)} is ${what} and was not kept`);
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

  async function drop(place: string): Promise<void> {
    await removeTree(place);
    if ((await fs.lstat(place).catch(() => null)) !== null)
      note(`${shortened(path.relative(root, place))} could not be removed`);
  }

  await walk("", 0);
  const { files: most, totalBytes, depth } = limits;
  if (odd > 0) note(`${odd} names were not plain text and were changed`);
  if (tooDeep > NAMED_DEEP) note(`${tooDeep} entries lay too deep and were not kept`);
  if (dropped > 0)
    note(`${dropped} entries beyond ${most} files, ${totalBytes} bytes or ${depth} levels were not kept`);
}

/** A path of the agent's may have thousands of bytes. */
function shortened(name: string): string {
  return name.length <= 120 ? name : `${name.slice(0, 80)}…${name.slice(-30)}`;
}

/** Removes whatever lies there. `rm` copes with paths beyond the system's limit, which Node's own removal does not. */
export async function removeTree(place: string): Promise<void> {
  try {
    await fs.rm(place, { recursive: true, force: true });
    return;
  } catch {
    // On to `rm`.
  }
  if (await succeeds("rm", "-rf", "--", place)) return;
  // The agent may have taken away its own right to look into its folders.
  await succeeds("chmod", "-R", "u+rwX", "--", place);
  await succeeds("rm", "-rf", "--", place);
}

async function succeeds(program: string, ...args: string[]): Promise<boolean> {
  const child = spawn(program, args, { stdio: "ignore" });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}
