import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A throwaway folder, removed after the test file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mlebench-archive-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every file below a folder by relative path; folders that are empty end with a slash. */
export function tree(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: string) => {
    const names = readdirSync(join(folder, path)).sort();
    if (names.length === 0 && path !== "") found[`${path}/`] = "";
    for (const name of names) {
      const inner = path === "" ? name : `${path}/${name}`;
      if (statSync(join(folder, inner)).isDirectory()) walk(inner);
      else found[inner] = readFileSync(join(folder, inner), "latin1");
    }
  };
  walk("");
  return found;
}
