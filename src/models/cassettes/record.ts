import { isUtf8 } from "node:buffer";
import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import type { Problem } from "../../wording/problem.ts";
import { NORMALISERS_VERSION } from "./normalise.ts";
import type { CassetteEntry, CassetteHeader } from "./schema.ts";

export interface CassetteRecorder {
  add(entry: Omit<CassetteEntry, "body" | "encoding">, body: Uint8Array): void;
}

/** Starts a cassette, or goes on with one. Every entry is one write at the end of the file: several processes may record. */
export function openCassette(
  file: string,
  roles: Record<string, string>,
  mlebenchVersion: string,
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
    return {
      code: "NO_CASSETTE",
      message: `${file} cannot be written: ${(error as Error).message}`,
      nextStep: "give another one: --record <cassette>",
    };
  }
  return {
    add(entry, body) {
      const encoding = isUtf8(body) ? "utf8" : "base64";
      const line: CassetteEntry = { ...entry, encoding, body: Buffer.from(body).toString(encoding) };
      fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
    },
  };
}
