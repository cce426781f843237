import fs from "node:fs";

/** Kept free for the journal and the submission; on a small disk a tenth of it. */
const KEPT_FREE = 512 * 1024 * 1024;
const KEPT_SHARE = 0.1;

/**
 * Whether a program is about to fill the disk that its folder lies on: a trial whose disk is full is ended by the
 * harness, and with it the search. A disk that was full before is nobody's fault.
 */
export function diskWatch(folder: string): () => boolean {
  const before = diskOf(folder);
  if (before === null) return () => false;
  const kept = Math.min(KEPT_FREE, KEPT_SHARE * before.bytes);
  if (before.free < 2 * kept) return () => false;
  return () => (diskOf(folder)?.free ?? before.free) < kept;
}

function diskOf(folder: string): { bytes: number; free: number } | null {
  try {
    const { blocks, bavail, bsize } = fs.statfsSync(folder);
    return { bytes: blocks * bsize, free: bavail * bsize };
  } catch {
    return null;
  }
}
