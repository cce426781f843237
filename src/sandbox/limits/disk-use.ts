import fs from "node:fs/promises";
import path from "node:path";

/** Bytes the folders occupy on disk, never following a link. Files that vanish meanwhile count for nothing. */
export async function bytesOnDisk(folders: readonly string[]): Promise<number> {
  let bytes = 0;
  const queue = [...folders];
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    const stats = await fs.lstat(current).catch(() => null);
    if (stats === null) continue;
    // Sparse files count by what they really take.
    bytes += stats.blocks * 512;
    if (!stats.isDirectory()) continue;
    for (const name of await fs.readdir(current).catch(() => [])) queue.push(path.join(current, name));
  }
  return bytes;
}
