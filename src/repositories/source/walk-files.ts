import fs from "node:fs";
import path from "node:path";

/** One plain file of a repository; `path` is relative to its root, with slashes. */
export interface RepositoryFile {
  path: string;
  bytes: number;
}

/** What was left out of a walk, and why: a reader of a map must know that it is not whole. */
export interface LeftOut {
  path: string;
  why:
    | "symbolic link"
    | "not a plain file"
    | "too deep"
    | "too many files"
    | "unreadable"
    | "too large"
    | "odd name";
}

export interface RepositoryFiles {
  files: RepositoryFile[];
  leftOut: LeftOut[];
}

const IGNORED = new Set(["__pycache__", "node_modules", "site-packages", "venv"]);
/** What was made of the sources, unless it is a package of that name. */
const MADE = new Set(["build", "dist", "logs"]);
const MAX_DEPTH = 24;
const MAX_FILES = 50_000;
const MAX_LEFT_OUT = 200;

/** What is left out of a map and yet stands there to be read: all but the stores of version control. */
const STORES = new Set([".git", ".hg", ".svn"]);

/**
 * The files below a folder in a fixed order; with `everything`, those of caches and packages, too. Links are never followed, wherever they lead: a repository that was not
 * written by us could otherwise show any file of the machine. Nothing of it is run.
 */
export function walkFiles(root: string, { everything = false } = {}): RepositoryFiles {
  const files: RepositoryFile[] = [];
  const leftOut: LeftOut[] = [];
  const told = new Set<LeftOut["why"]>();
  const leave = (file: string, why: LeftOut["why"]) => {
    // Of each reason the first is always told: many of one must not hide another.
    if (leftOut.length >= MAX_LEFT_OUT && told.has(why)) return;
    told.add(why);
    leftOut.push({ path: file, why });
  };
  const waiting: { folder: string; depth: number }[] = [{ folder: "", depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { folder, depth } = next;
    const entries = listFolder(path.join(root, folder));
    if (entries === null) {
      leave(folder || ".", "unreadable");
      continue;
    }
    const below: string[] = [];
    for (const entry of entries) {
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      // A line break in a name would write lines of its own into a map.
      if (/\p{Cc}/u.test(entry.name)) leave(file, "odd name");
      else if (entry.isSymbolicLink()) leave(file, "symbolic link");
      else if (entry.isDirectory()) {
        if (STORES.has(entry.name)) continue;
        if (!everything && isIgnored(path.join(root, file))) continue;
        if (depth >= MAX_DEPTH) leave(file, "too deep");
        else below.push(file);
      } else if (!entry.isFile()) leave(file, "not a plain file");
      else if (files.length >= MAX_FILES) leave(file, "too many files");
      else {
        const bytes = sizeOf(path.join(root, file));
        if (bytes === null) leave(file, "unreadable");
        else files.push({ path: file, bytes });
      }
    }
    for (const file of below.reverse()) waiting.push({ folder: file, depth: depth + 1 });
  }
  files.sort((a, b) => compareText(a.path, b.path));
  return { files, leftOut };
}

/** Settings, caches, packages of others and what was made of the sources. */
function isIgnored(folder: string): boolean {
  const name = path.basename(folder);
  if (IGNORED.has(name) || name.startsWith(".") || name.endsWith(".egg-info")) return true;
  return MADE.has(name) && !fs.existsSync(path.join(folder, "__init__.py"));
}

/** By code unit, so that the order is the same under every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function listFolder(folder: string): fs.Dirent[] | null {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  } catch {
    return null;
  }
}

function sizeOf(file: string): number | null {
  try {
    const stat = fs.lstatSync(file);
    return stat.isFile() ? stat.size : null;
  } catch {
    return null;
  }
}
