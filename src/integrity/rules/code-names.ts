import fs from "node:fs";
import path from "node:path";
import { readWindow } from "../../files/window.ts";
import { isForeign } from "../foreign-folders.ts";

/** What could be code and was not looked at, or not wholly. */
export interface Unseen {
  file: string;
  why: string;
}

const MAX_ENTRIES = 50_000;
export const MAX_CODE = 2000;
const MAX_DEPTH = 24;
const MAX_BYTES = 1_900_000;
/** The code cells of a notebook are few of its bytes. */
const MAX_NOTEBOOK = 32_000_000;
/** The plain files below a folder; packages of others, and what made them, are left out, whatever else is called so is not. */
export function filesBelow(folder: string, inside: string): { names: string[]; unseen: Unseen[] } {
  const [names, unseen]: [string[], Unseen[]] = [[], []];
  const waiting = [{ place: inside, depth: 0 }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { place, depth } = next;
    for (const entry of entriesOf(path.join(folder, place))) {
      const name = `${place}/${entry.name}`;
      if (entry.isDirectory()) {
        if (isForeign(path.join(folder, place), entry.name)) {
          if (!/^(\.git|__pycache__)$/.test(entry.name))
            unseen.push({ file: name, why: "packages of others, by what it is called or has in it" });
          continue;
        }
        if (depth < MAX_DEPTH) waiting.push({ place: name, depth: depth + 1 });
        else unseen.push({ file: name, why: "it lies too deep" });
      } else if (entry.isFile()) {
        if (names.length >= MAX_ENTRIES) {
          unseen.push({ file: place, why: `there are more than ${MAX_ENTRIES} files` });
          return { names, unseen };
        }
        names.push(name);
      }
    }
  }
  return { names, unseen };
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** As many programs as are worth parsing. */
export function firstOf(names: readonly string[], unseen: Unseen[]): string[] {
  const left = names.slice(MAX_CODE);
  if (left.length > 0)
    unseen.push({ file: left[0], why: `it and ${left.length - 1} more are beyond ${MAX_CODE} programs` });
  return names.slice(0, MAX_CODE);
}

/** A program's text: of one that is made to be too long to parse, the beginning and the end. */
export function readCode(folder: string, name: string, unseen: Unseen[]): string | null {
  const place = path.join(folder, name);
  const most = name.endsWith(".ipynb") ? MAX_NOTEBOOK : MAX_BYTES;
  const window = readWindow(place, 0, most);
  if (window === null) return null;
  if (window.size <= most) return window.bytes.toString("utf8");
  unseen.push({ file: name, why: `only the beginning and the end of its ${window.size} bytes were read` });
  const end = readWindow(place, "end", most / 2)?.bytes.toString("utf8") ?? "";
  return `${window.bytes.toString("utf8", 0, most / 2)}\n${end.slice(end.indexOf("\n") + 1)}`;
}
