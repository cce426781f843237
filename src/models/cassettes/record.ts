import { isUtf8 } from "node:buffer";
import fs from "node:fs";
import path from "node:path";
import type { Problem } from "../../wording/problem.ts";
import { NORMALISERS_VERSION } from "./normalise.ts";
import type { CassetteEntry, CassetteHeader } from "./schema.ts";

export interface CassetteRecorder {
  add(entry: Omit<CassetteEntry, "body" | "encoding">, body: Uint8Array): void;
  close(): void;
}

/** Starts a cassette, or goes on with one of the same roles. One writer for all trials of a group. */
export function openCassette(
  file: string,
  roles: Record<string, string>,
  mlebenchVersion: string,
): CassetteRecorder | Problem {
  let handle: number;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    handle = fs.openSync(file, "a", 0o644);
  } catch (error) {
    return {
      code: "NO_CASSETTE",
      message: `${file} cannot be written: ${(error as Error).message}`,
      nextStep: "give another one: --record <cassette>",
    };
  }
  if (fs.fstatSync(handle).size === 0) {
    const header: CassetteHeader = {
      schema: "mlebench/cassette",
      version: 1,
      createdAt: new Date().toISOString(),
      mlebenchVersion,
      normalisers: NORMALISERS_VERSION,
      roles,
    };
    fs.writeSync(handle, `${JSON.stringify(header)}\n`);
  }
  let open = true;
  return {
    add(entry, body) {
      if (!open) return;
      const encoding = isUtf8(body) ? "utf8" : "base64";
      const line: CassetteEntry = { ...entry, encoding, body: Buffer.from(body).toString(encoding) };
      fs.writeSync(handle, `${JSON.stringify(line)}\n`);
    },
    close() {
      if (open) fs.closeSync(handle);
      open = false;
    },
  };
}
