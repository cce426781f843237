import fs from "node:fs";
import path from "node:path";
import type { RunGroup } from "./schema.ts";

/** What an agent has, or had, as its own: we write nothing into it, and what it makes there is judged elsewhere. */
const OF_THE_AGENT = /^(attempts\/[^/]+\/)?(work|submission|logs|code)$/;

/**
 * What is neither a regular file nor a folder where a group has its own files, in words: mlebench makes no such thing,
 * and whoever appends to a link writes somewhere else, whoever opens a pipe waits for ever. Null where all is well.
 */
export function strangeEntry(
  folder: string,
  { trials }: Pick<RunGroup, "trials">,
  /** Of the trials only those that will be touched; all of them unless told. */
  isTouched: (id: string) => boolean = () => true,
): string | null {
  const planned = new Map(trials.map(({ id }) => [id, isTouched(id)]));
  return firstStrange(folder, "", (inside) => {
    const at = inside.indexOf("/");
    const trial = at === -1 ? inside : inside.slice(0, at);
    if (planned.get(trial) === false) return true;
    return at !== -1 && planned.has(trial) && OF_THE_AGENT.test(inside.slice(at + 1));
  });
}

/** The same for all of a trial that is finished, which holds nothing but what its record names. */
export function strangeInTrial(folder: string): string | null {
  return firstStrange(folder, "", (inside) => inside === "work");
}

function firstStrange(folder: string, inside: string, isLeftOut: (folder: string) => boolean): string | null {
  for (const entry of entriesOf(path.join(folder, inside))) {
    const name = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) {
      const deeper = isLeftOut(name) ? null : firstStrange(folder, name, isLeftOut);
      if (deeper !== null) return deeper;
    } else if (!entry.isFile() && isThere(path.join(folder, name)))
      return `${name} is ${entry.isSymbolicLink() ? "a symbolic link" : "neither a file nor a folder"}`;
  }
  return null;
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Somebody may be working in it. */
function isThere(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
