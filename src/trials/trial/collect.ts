import { spawn } from "node:child_process";
import type { Dirent } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";

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

/** Starting a program halts everything else for a moment: an agent may leave folders by the million. */
const REMOVED_AT_ONCE = 500;
/** What may be handed to a program is limited, too. */
const REMOVED_PATH_BYTES = 64 * 1024;

/**
 * Moves what an agent left in a folder of its own to where it is kept. Only once all of its processes are gone: what is
 * not a regular file, or exceeds the limits, is removed from the folder, which is then moved as a whole; a kill in between
 * leaves no link of an agent's among what is kept. Links are never followed. Returns what a reader should know; a folder
 * that the agent destroyed is collected as an empty one.
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
      await clean(from, to, limits, note);
      await fs.rename(from, to);
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
async function clean(
  root: string,
  /** Where it will lie: what counts is the length of paths there. */
  target: string,
  limits: CollectLimits,
  note: (text: string) => void,
): Promise<void> {
  let files = 0;
  let bytes = 0;
  let dropped = 0;
  let tooDeep = 0;
  let odd = 0;
  let doomed: string[] = [];
  let doomedBytes = 0;

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
    if (Buffer.byteLength(path.join(target, name)) > MAX_PATH_BYTES) {
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
      await fs.unlink(place);
    } else {
      const { size } = await fs.lstat(place);
      if (files < limits.files && bytes + size <= limits.totalBytes) {
        files++;
        bytes += size;
        // The agent may have taken away its own right to read.
        await fs.chmod(place, 0o644);
      } else {
        dropped++;
        await fs.unlink(place);
      }
    }
  }

  async function drop(place: string): Promise<void> {
    if (await removesSingle(place)) return;
    doomed.push(place);
    doomedBytes += Buffer.byteLength(place);
    if (doomed.length >= REMOVED_AT_ONCE || doomedBytes >= REMOVED_PATH_BYTES) await removeDoomed();
  }

  async function removeDoomed(): Promise<void> {
    const places = doomed;
    doomed = [];
    doomedBytes = 0;
    await removeTrees(places);
    for (const place of places)
      if ((await fs.lstat(place).catch(() => null)) !== null)
        note(`${shortened(path.relative(root, place))} could not be removed`);
  }

  await walk("", 0);
  await removeDoomed();
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

export async function removeTree(place: string): Promise<void> {
  if (!(await removesSingle(place))) await removeTrees([place]);
}

/**
 * Removes whatever lies there. `rm` copes with paths beyond the system's limit and with millions of files: Node's own
 * removal does not with the first, and holds all of the second in memory at once.
 */
async function removeTrees(places: readonly string[]): Promise<void> {
  if (places.length === 0) return;
  if (await succeeds("rm", "-rf", "--", ...places)) return;
  // The agent may have taken away its own right to look into its folders.
  await succeeds("chmod", "-R", "u+rwX", "--", ...places);
  if (await succeeds("rm", "-rf", "--", ...places)) return;
  // Where there is no such program.
  for (const place of places) await fs.rm(place, { recursive: true, force: true }).catch(() => {});
}

/** One thing alone is not worth a program: nothing, a file, a link, an empty folder. */
async function removesSingle(place: string): Promise<boolean> {
  for (const remove of [fs.unlink, fs.rmdir]) {
    try {
      await remove(place);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    }
  }
  return false;
}

async function succeeds(program: string, ...args: string[]): Promise<boolean> {
  const child = spawn(program, args, { stdio: "ignore" });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

/** A name is at most 255 bytes; three for each odd one, and room for what makes it unique. */
const LONGEST = 200;

/**
 * Renames what an agent gave a name that is not UTF-8 or has control characters: Node could not open the first and a
 * terminal must not print the second. Each odd byte becomes `%` and two digits. Returns how many there were.
 */
async function makeNamesPlain(folder: string): Promise<number> {
  let renamed = 0;
  // One by one: a list of millions would fill our memory. Node's types know names as texts only.
  const listing = await fs.opendir(folder, { encoding: "buffer" as BufferEncoding });
  for await (const entry of listing) {
    const name = entry.name as unknown as Buffer;
    if (isPlain(name)) continue;
    const from = Buffer.concat([Buffer.from(`${folder}${path.sep}`), name]);
    await fs.rename(from, await freePlace(folder, escaped(name)));
    renamed++;
  }
  return renamed;
}

function isPlain(name: Buffer): boolean {
  const text = name.toString();
  return Buffer.from(text).equals(name) && !/\p{Cc}/u.test(text);
}

function escaped(name: Buffer): string {
  const parts = Array.from(name, (byte) =>
    byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`,
  );
  return parts.join("").slice(0, LONGEST);
}

async function freePlace(folder: string, name: string): Promise<string> {
  for (let count = 1; ; count++) {
    const place = path.join(folder, count === 1 ? name : `${name}~${count}`);
    if ((await fs.lstat(place).catch(() => null)) === null) return place;
  }
}
