import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * A folder of its own, removed when the test run ends: a test process is killed, so it cannot clean up itself. Its
 * parent is made by tests/global-setup.ts; a soak that runs without it has to do with the system's folder.
 */
export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(process.env.MLEBENCH_TEST_FOLDER ?? os.tmpdir(), "mlebench-test-"));
}

/** Writes a file and the folders above it, and returns its path. */
export function writeText(folder: string, name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  return file;
}
