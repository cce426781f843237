import { lstatSync, readdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";

/**
 * Moves a finished folder to its place by renaming, never copying. Where the place exists, folders are joined and files
 * replaced. Answers the relative path at which a file would meet a folder or a link, having moved nothing; null if done.
 */
export function mergeFolder(from: string, to: string): string | null {
  const conflict = findConflict(from, to, "");
  if (conflict !== null) return conflict;
  makeFolder(dirname(to));
  move(from, to);
  return null;
}

function findConflict(from: string, to: string, path: string): string | null {
  // The target itself may be a link the user made; below it a link could lead anywhere.
  const look = path === "" ? statSync : lstatSync;
  const here = look(join(to, path), { throwIfNoEntry: false });
  if (here === undefined) return null;
  if (!lstatSync(join(from, path)).isDirectory()) return here.isFile() ? null : path;
  if (!here.isDirectory()) return path === "" ? "." : path;
  for (const name of readdirSync(join(from, path))) {
    const conflict = findConflict(from, to, path === "" ? name : `${path}/${name}`);
    if (conflict !== null) return conflict;
  }
  return null;
}

function move(from: string, to: string): void {
  if (lstatSync(to, { throwIfNoEntry: false }) === undefined || !lstatSync(from).isDirectory()) {
    renameSync(from, to);
    return;
  }
  for (const name of readdirSync(from)) move(join(from, name), join(to, name));
}
