import type { GitStore } from "./git-store.ts";

/** How often a file was changed, and when last (seconds since 1970). */
export interface FileHistory {
  commits: number;
  last: number;
}

export interface History {
  files: Map<string, FileHistory>;
  /** The newest commit: recency is measured from it, so that a map does not change with the day it is made on. */
  newest: number;
}

const MAX_COMMITS = 2000;

/** The newest two thousand commits, by file. Null where git gives nothing. */
export function readHistory(store: GitStore): History | null {
  const args = [
    "log",
    `--max-count=${MAX_COMMITS}`,
    "--format=%x01%ct",
    "--name-only",
    "--no-renames",
    "-z",
    store.commit,
  ];
  const output = store.git(args)?.toString("utf8");
  if (!output) return null;
  const files = new Map<string, FileHistory>();
  let newest = 0;
  for (const entry of output.split("\x01").slice(1)) {
    const [time, ...names] = entry.split(/[\0\n]+/);
    const at = Number(time);
    if (!Number.isFinite(at)) continue;
    newest = Math.max(newest, at);
    for (const name of names) {
      if (name === "") continue;
      const known = files.get(name);
      if (!known) files.set(name, { commits: 1, last: at });
      else {
        known.commits++;
        known.last = Math.max(known.last, at);
      }
    }
  }
  return files.size === 0 ? null : { files, newest };
}
