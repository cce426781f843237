import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";

/** Beyond these, `du` counts: its memory does not grow with them, and it keeps nobody else waiting. */
const MAX_WALKED_ENTRIES = 5000;
/** What each entry takes at least, be it empty: a disk holds only so many. */
const ENTRY_BYTES = 512;

/**
 * Bytes the folders take, never following a link, a file with several names once. A sparse file counts as what it
 * takes once it is copied, and files of these disks that the processes have deleted but still hold open count too.
 * Files that vanish meanwhile count for nothing.
 */
export async function bytesOnDisk(
  folders: readonly string[],
  holders: readonly number[] = [],
): Promise<number> {
  const disks = new Set<number>();
  for (const folder of folders) disks.add((await fs.lstat(folder).catch(() => null))?.dev ?? -1);
  const bytes = (await walked(folders, disks, MAX_WALKED_ENTRIES)) ?? (await counted(folders, disks));
  return bytes + (await deletedBytes(holders, disks));
}

/**
 * Null where there are too many entries, or where one lies too deep to be called by its path; where any number is
 * allowed, what can be reached. Paths are bytes: an agent's names need not be text.
 */
async function walked(
  folders: readonly string[],
  disks: Set<number>,
  maxEntries: number,
): Promise<number | null> {
  let bytes = 0;
  let entries = 0;
  const linked = new Set<string>();
  const queue: Buffer[] = [];
  let tooDeep = false;

  async function measure(place: Buffer): Promise<void> {
    const stats = await fs.lstat(place).catch((error: NodeJS.ErrnoException) => error);
    if (stats instanceof Error) {
      tooDeep ||= stats.code === "ENAMETOOLONG";
      return;
    }
    disks.add(stats.dev);
    const identity = `${stats.dev} ${stats.ino}`;
    if (stats.isFile() && stats.nlink > 1) {
      if (linked.has(identity)) return;
      linked.add(identity);
    }
    bytes += Math.max(ENTRY_BYTES, stats.blocks * 512, stats.isFile() ? stats.size : 0);
    if (stats.isDirectory()) queue.push(place);
  }

  for (const folder of folders) await measure(Buffer.from(folder));
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    try {
      // One by one: a list of millions would fill our memory. Node's types know names as texts only.
      for await (const entry of await fs.opendir(current, { encoding: "buffer" as BufferEncoding })) {
        if (++entries > maxEntries) return null;
        await measure(Buffer.concat([current, Buffer.from(path.sep), entry.name as unknown as Buffer]));
      }
    } catch {
      // It is gone, or closed to us.
    }
  }
  return tooDeep && maxEntries < Infinity ? null : bytes;
}

/** What a copy would take, or what they take as they are, whichever is more; and something for each entry. */
async function counted(folders: readonly string[], disks: Set<number>): Promise<number> {
  const [apparent, real, entries] = await Promise.all([
    diskUsage(["--apparent-size"], folders),
    diskUsage([], folders),
    diskUsage(["--inodes"], folders),
  ]);
  const known = Math.max(apparent ?? 0, real ?? 0, (entries ?? 0) * ENTRY_BYTES);
  if (apparent !== null && real !== null && entries !== null) return known;
  // It could not be started, or it is none of GNU's and counts in other units. This is slow, but a limit that nobody watches is none.
  return Math.max(known, (await walked(folders, disks, Infinity)) ?? 0);
}

/** Null unless it said a sum. */
function diskUsage(options: readonly string[], folders: readonly string[]): Promise<number | null> {
  const child = spawn("du", ["-s", "-c", "-B1", ...options, "--", ...folders], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  child.stdout?.on("data", (piece) => {
    text += piece;
  });
  return new Promise((resolve) => {
    child.on("error", () => resolve(null));
    // The last line is the sum. What vanishes meanwhile makes it complain, not stop.
    child.on("close", () => {
      const sum = /^(\d+)\t.*\n$/.exec(text.slice(text.lastIndexOf("\n", text.length - 2) + 1));
      resolve(sum === null ? null : Number(sum[1]));
    });
  });
}

async function deletedBytes(holders: readonly number[], disks: ReadonlySet<number>): Promise<number> {
  const seen = new Map<string, number>();
  for (const pid of holders) {
    for (const file of [...(await openFiles(pid)), ...(await mappedFiles(pid))]) {
      const stats = await fs.stat(file).catch(() => null);
      if (stats?.isFile() && stats.nlink === 0 && disks.has(stats.dev))
        seen.set(`${stats.dev} ${stats.ino}`, stats.blocks * 512);
    }
  }
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
}

async function openFiles(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  return (await fs.readdir(folder).catch(() => [])).map((name) => `${folder}/${name}`);
}

/** A mapping keeps a file alive without a descriptor. Only root may look behind it. */
async function mappedFiles(pid: number): Promise<string[]> {
  // An agent may have a million mappings in a thousand processes, and other trials must not wait for them.
  const maps = await fs.readFile(`/proc/${pid}/maps`, "utf8").catch(() => "");
  const deleted = maps.matchAll(/^0*([0-9a-f]+)-0*([0-9a-f]+) .* \/.* \(deleted\)$/gm);
  return Array.from(deleted, ([, from, to]) => `/proc/${pid}/map_files/${from}-${to}`);
}
