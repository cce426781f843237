import fs from "node:fs/promises";
import path from "node:path";

/**
 * Bytes the folders take, never following a link, a file with several names once. A sparse file counts as what it
 * takes once it is copied, and files of these disks that the processes have deleted but still hold open count too.
 * Files that vanish meanwhile count for nothing.
 */
export async function bytesOnDisk(
  folders: readonly string[],
  holders: readonly number[] = [],
): Promise<number> {
  let bytes = 0;
  const linked = new Set<string>();
  const disks = new Set<number>();
  const queue = [...folders];
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    const stats = await fs.lstat(current).catch(() => null);
    if (stats === null) continue;
    disks.add(stats.dev);
    const identity = `${stats.dev} ${stats.ino}`;
    if (stats.isFile() && stats.nlink > 1) {
      if (linked.has(identity)) continue;
      linked.add(identity);
    }
    bytes += Math.max(stats.blocks * 512, stats.isFile() ? stats.size : 0);
    if (!stats.isDirectory()) continue;
    for (const name of await fs.readdir(current).catch(() => [])) queue.push(path.join(current, name));
  }
  return bytes + (await deletedBytes(holders, disks));
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
