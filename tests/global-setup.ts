import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** One folder for everything the tests write, removed at the end. Read-only folders and files inside do not stop that. */
export function setup(): () => void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-tests-"));
  // Sandboxes drop to another user, who must be able to pass through.
  fs.chmodSync(folder, 0o755);
  process.env.MLEBENCH_TEST_FOLDER = folder;
  return () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
