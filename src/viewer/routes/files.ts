import fs from "node:fs";
import path from "node:path";
import { readWindow } from "../../files/window.ts";
import { safeBlock } from "../../wording/safe-text.ts";
import { answer, gone, type Route } from "./route.ts";

export interface FileList {
  files: { path: string; bytes: number }[];
  /** There are more than are listed. */
  cut: boolean;
}

export interface FileText {
  path: string;
  bytes: number;
  /** Null for what is not text. */
  text: string | null;
  cut: boolean;
}

const MAX_FILES = 2000;
const MAX_DEPTH = 8;
const MAX_BYTES = 512 * 1024;

/** Every regular file of a trial's folder; links are neither listed nor followed. */
export const files: Route = (store, { group = "", trial = "" }) => {
  const folder = store.trialFolder(group, trial);
  if (folder === null || !fs.existsSync(folder)) return gone(`The trial ${trial}`);
  const found: FileList["files"] = [];
  let cut = false;
  const walk = (inside: string, depth: number) => {
    let entries: fs.Dirent[];
    try {
      entries = fs.readdirSync(path.join(folder, inside), { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = path.join(inside, entry.name);
      if (found.length >= MAX_FILES) {
        cut = true;
        return;
      }
      if (entry.isDirectory() && depth < MAX_DEPTH) walk(name, depth + 1);
      else if (entry.isFile()) {
        const stats = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false });
        if (stats !== undefined) found.push({ path: name, bytes: stats.size });
      }
    }
  };
  walk("", 0);
  return answer({ files: found, cut } satisfies FileList);
};

/** The beginning of one file, where it is text. */
export const file: Route = (store, { group = "", trial = "", path: asked = "" }) => {
  const folder = store.trialFolder(group, trial);
  const inside = folder === null ? null : regularFileIn(folder, asked);
  const window = inside === null ? null : readWindow(inside, 0, MAX_BYTES);
  if (window === null) return gone(`The file ${asked}`);
  const isText = !window.bytes.subarray(0, 8192).includes(0);
  const text: FileText = {
    path: asked,
    bytes: window.size,
    text: isText ? safeBlock(window.bytes.toString("utf8")) : null,
    cut: window.to < window.size,
  };
  return answer(text);
};

/** A folder on the way may be a link that an agent made: where it really lies decides. */
function regularFileIn(folder: string, asked: string): string | null {
  if (asked.includes("\0")) return null;
  try {
    const real = fs.realpathSync(path.join(folder, asked));
    const root = fs.realpathSync(folder);
    if (!real.startsWith(root + path.sep) || path.relative(root, real) !== path.normalize(asked)) return null;
    return fs.lstatSync(real).isFile() ? real : null;
  } catch {
    return null;
  }
}
