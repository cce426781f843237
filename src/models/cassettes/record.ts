import { isUtf8 } from "node:buffer";
import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import type { Problem } from "../../wording/problem.ts";
import { NORMALISERS_VERSION } from "./normalise.ts";
import type { CassetteEntry, CassetteHeader } from "./schema.ts";

/** A cassette is replayed from one text, which cannot be longer than twice this. */
const MAX_BYTES = 2 ** 28;

export interface CassetteRecorder {
  /** Nothing is added any more: what an agent asks without end must not fill a disk, and could not be replayed. */
  isFull(): boolean;
  add(entry: Omit<CassetteEntry, "body" | "encoding">, body: Uint8Array): void;
}

/** Starts a cassette, or goes on with one. Every entry is one write at the end of the file: several processes may record. */
export function openCassette(
  file: string,
  roles: Record<string, string>,
  mlebenchVersion: string,
  maxBytes = MAX_BYTES,
): CassetteRecorder | Problem {
  const header: CassetteHeader = {
    schema: "mlebench/cassette",
    version: 1,
    createdAt: new Date().toISOString(),
    mlebenchVersion,
    normalisers: NORMALISERS_VERSION,
    roles,
  };
  try {
    makeFolder(path.dirname(file));
    if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0)
      fs.writeFileSync(file, `${JSON.stringify(header)}\n`);
  } catch (error) {
    return problem(file, (error as Error).message);
  }
  // Others may be writing, too.
  const isFull = () => (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= maxBytes;
  return {
    isFull,
    add(entry, body) {
      if (isFull()) return;
      const encoding = isUtf8(body) ? "utf8" : "base64";
      const line: CassetteEntry = { ...entry, encoding, body: Buffer.from(body).toString(encoding) };
      fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
    },
  };
}

/** Why a new recording cannot be made there. Two runs in one cassette would take each other's replies. */
export function recordProblem(file: string): Problem | null {
  try {
    const there = fs.statSync(file, { throwIfNoEntry: false });
    if (there === undefined) tryFolder(path.dirname(file));
    else if (!there.isFile())
      return problem(file, there.isDirectory() ? "it is a folder" : "it is not a file");
    else if (there.size > 0)
      return problem(file, "it exists already, and a new recording does not overwrite or extend another");
    else fs.closeSync(fs.openSync(file, "a"));
    return null;
  } catch (error) {
    return problem(file, (error as Error).message);
  }
}

/** Makes a folder in the nearest one that is there and removes it again: permissions alone do not tell. */
function tryFolder(folder: string): void {
  let nearest = folder;
  while (!fs.existsSync(nearest) && path.dirname(nearest) !== nearest) nearest = path.dirname(nearest);
  fs.rmdirSync(fs.mkdtempSync(path.join(nearest, ".mlebench-")));
}

function problem(file: string, cause: string): Problem {
  return {
    code: "NO_CASSETTE",
    message: `${file} cannot be recorded to: ${cause}`,
    nextStep: "give another one: --record <cassette>",
  };
}
