import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { extractArchive } from "../../../src/archive/extract.ts";

/** A throwaway folder, removed after the test file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mlebench-formats-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const preparations = fileURLToPath(new URL("../../golden/vectors/prepare", import.meta.url));

/** A golden preparation with its raw data unpacked below `scratch`. `id` may name a variant: `<id>/variants/<name>`. */
export async function goldenCase(id: string, scratch: string) {
  const folder = join(preparations, id);
  const raw = join(scratch, id.replaceAll("/", "_"));
  const outcome = await extractArchive(join(folder, "raw.zip"), raw);
  if (outcome.status === "refused") throw new Error(outcome.message);
  return {
    raw,
    expectedText: (path: string) => readFileSync(join(folder, "expected", path), "utf8"),
    expected: JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Expected,
    files: (path: string) => readdirSync(join(raw, path)).sort(),
  };
}

type Expected = Record<
  "public" | "private",
  Record<string, { md5?: string; members?: Record<string, string> }>
>;
