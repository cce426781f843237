import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../../files/make-folder.ts";
import type { Preparation } from "../../preparer.ts";
import { missingFile } from "../stop-preparing.ts";

const AT_ONCE = 16;
const REPORT_EVERY = 256;

/** A file and where it goes. */
export type Copy = readonly [from: string, to: string];

/**
 * Copies files, making folders as needed. Never a hard link: an agent that changes its copy in place would change the raw data and every
 * other trial's. Where the file system can share blocks until one side changes, it does, so that the copy costs nothing.
 * A source that is not there ends the preparation; an existing target is replaced.
 */
export async function copyFiles(
  preparation: Preparation,
  what: string,
  copies: Iterable<Copy>,
): Promise<number> {
  return transfer(preparation, what, copies, (from, to) =>
    fs.promises.copyFile(from, to, fs.constants.COPYFILE_FICLONE),
  );
}

/** Copies the files of these names from one folder to another. */
export async function copyNamed(
  preparation: Preparation,
  from: string,
  to: string,
  names: readonly string[],
): Promise<number> {
  const what = `copying ${path.basename(to)}`;
  return copyFiles(
    preparation,
    what,
    names.map((name) => [path.join(from, name), path.join(to, name)]),
  );
}

/** Moves files out of the scratch folder, where nested archives were unpacked. */
export async function moveFiles(
  preparation: Preparation,
  what: string,
  moves: Iterable<Copy>,
): Promise<number> {
  return transfer(preparation, what, moves, fs.promises.rename);
}

/** Copies a folder with everything in it; `keep` sees paths relative to it, with slashes. */
export async function copyTree(
  preparation: Preparation,
  from: string,
  to: string,
  keep: (file: string) => boolean = () => true,
): Promise<number> {
  makeFolder(to);
  return copyFiles(preparation, `copying ${path.basename(from)}`, treeCopies(from, to, "", keep));
}

function* treeCopies(
  from: string,
  to: string,
  inside: string,
  keep: (file: string) => boolean,
): Generator<Copy> {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(path.join(from, inside), { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      missingFile(path.basename(from));
    throw error;
  }
  for (const entry of entries) {
    const file = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) {
      makeFolder(path.join(to, file));
      yield* treeCopies(from, to, file, keep);
    } else if (keep(file)) yield [path.join(from, file), path.join(to, file)];
  }
}

async function transfer(
  preparation: Preparation,
  what: string,
  pairs: Iterable<Copy>,
  one: (from: string, to: string) => Promise<void>,
): Promise<number> {
  const total = Array.isArray(pairs) ? { total: pairs.length } : {};
  const folders = new Set<string>();
  const queue = pairs[Symbol.iterator]();
  let done = 0;
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      preparation.signal.throwIfAborted();
      const [from, to] = next.value;
      const folder = path.dirname(to);
      if (!folders.has(folder)) {
        makeFolder(folder);
        folders.add(folder);
      }
      try {
        await one(from, to);
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") {
          missingFile(relativeName(preparation, from));
        }
        throw error;
      }
      if (++done % REPORT_EVERY === 0) preparation.progress({ what, done, ...total });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const result of results) if (result.status === "rejected") throw result.reason;
  preparation.progress({ what, done, total: done });
  return done;
}

function relativeName({ raw, scratch }: Preparation, file: string): string {
  const inRaw = path.relative(raw, file);
  return inRaw.startsWith("..") ? path.relative(scratch, file) : inRaw;
}
