import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** A folder of this process alone, removed when it ends. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-test-"));
  process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file and the folders above it, and returns its path. */
export function writeText(folder: string, name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  return file;
}
