import fs from "node:fs";
import path from "node:path";
import { languageOf } from "../../repositories/parse/languages.ts";
import { isForeign } from "../foreign-folders.ts";

export interface SourceFile {
  /** As a report names it: relative to what was asked for, with `/`. */
  name: string;
  path: string;
}

export interface SourceFiles {
  files: SourceFile[];
  /** What was left out, in sentences. */
  notes: string[];
}

const MAX_FILES = 2000;
const MAX_BYTES = 2_000_000;
/** Its code cells are few of its bytes; most are pictures. */
const MAX_NOTEBOOK = 32_000_000;
const MAX_DEPTH = 20;
/** Copies and downloads: what is looked at last, should there be too much. */
const LAST = /^\.(cache|ipynb_checkpoints)$/;
/** The source files of a folder, or the one file that was named. Links are not followed: an agent may have made them. */
export function sourceFiles(place: string): SourceFiles {
  const stats = fs.lstatSync(place, { throwIfNoEntry: false });
  if (stats?.isFile()) {
    const name = path.basename(place);
    return languageOf(name) === null
      ? { files: [], notes: [] }
      : { files: [{ name, path: place }], notes: [] };
  }
  if (!stats?.isDirectory()) return { files: [], notes: [] };
  const files: SourceFile[] = [];
  let left = 0;
  const last: { inside: string; depth: number }[] = [];
  const walk = (inside: string, depth: number) => {
    const entries = entriesOf(path.join(place, inside));
    // A folder's own files come before those of its folders: of thousands, they are what somebody wrote.
    const isFolder = (entry: fs.Dirent) => Number(entry.isDirectory());
    for (const entry of entries.sort((a, b) => isFolder(a) - isFolder(b))) {
      const name = inside === "" ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth >= MAX_DEPTH || isForeign(path.join(place, inside), entry.name)) continue;
        if (LAST.test(entry.name)) last.push({ inside: name, depth: depth + 1 });
        else walk(name, depth + 1);
      } else if (entry.isFile() && languageOf(name) !== null) {
        const file = path.join(place, name);
        const most = name.toLowerCase().endsWith(".ipynb") ? MAX_NOTEBOOK : MAX_BYTES;
        if (files.length >= MAX_FILES || fs.statSync(file).size > most) left++;
        else files.push({ name, path: file });
      }
    }
  };
  walk("", 0);
  for (let next = last.shift(); next !== undefined; next = last.shift()) walk(next.inside, next.depth);
  const notes =
    left === 0
      ? []
      : [`${left} files were left out: beyond ${MAX_FILES} files, or larger than 2 MB (notebooks: 32 MB)`];
  return { files, notes };
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch {
    return [];
  }
}

/** Somebody else's text; bytes that are not UTF-8 become replacement characters. */
export function readSource({ path: file }: SourceFile): string {
  return fs.readFileSync(file, "utf8");
}
