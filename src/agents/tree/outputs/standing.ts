import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../../files/make-folder.ts";
import type { Guarded } from "../execution/attempt.ts";
import { lookOfFile } from "../execution/look.ts";

/** The submission that is in place. Programs share the agent's user: what they write over it does not last. */
export interface Standing extends Guarded {
  /** By renaming: at every moment a whole file stands there. False where the disk refuses, and the one before stays. */
  place(file: string): boolean;
}

export function standingSubmission(folder: string, scratch: string): Standing {
  const target = path.join(folder, "submission.csv");
  let seen = "";
  /** A copy without a name, which nobody else finds. */
  let copy: number | null = null;
  const place = (file: string): boolean => {
    try {
      const fresh = hiddenCopy(file, path.join(scratch, "standing"));
      put(fresh, folder, target);
      if (copy !== null) fs.closeSync(copy);
      copy = fresh;
      seen = lookOfFile(target);
      return true;
    } catch {
      return false;
    }
  };
  if (fs.existsSync(target)) place(target);
  return {
    what: "the submission",
    place,
    mend() {
      if (copy === null || lookOfFile(target) === seen) return false;
      try {
        fs.rmSync(target, { recursive: true, force: true });
        put(copy, folder, target);
        seen = lookOfFile(target);
      } catch {
        // The next look tries again.
      }
      return true;
    },
  };
}

function hiddenCopy(file: string, name: string): number {
  makeFolder(path.dirname(name));
  try {
    fs.copyFileSync(file, name);
    fs.chmodSync(name, 0o600);
    return fs.openSync(name, "r");
  } finally {
    fs.rmSync(name, { force: true });
  }
}

function put(from: number, folder: string, target: string): void {
  makeFolder(folder);
  const fresh = path.join(folder, ".submission.csv.new");
  fs.rmSync(fresh, { recursive: true, force: true });
  const to = fs.openSync(fresh, "wx");
  try {
    const piece = Buffer.alloc(1 << 20);
    for (let at = 0; ; ) {
      const read = fs.readSync(from, piece, 0, piece.length, at);
      if (read === 0) break;
      fs.writeFileSync(to, piece.subarray(0, read));
      at += read;
    }
  } finally {
    fs.closeSync(to);
  }
  fs.renameSync(fresh, target);
}
