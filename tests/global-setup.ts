import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { FULL } from "./full.ts";
import { notTestedLines } from "./tools.ts";

/**
 * One folder for everything the tests write, removed at the end; the last lines say what could not be tested here and
 * how it could. Read-only folders and files inside do not stop that.
 */
export function setup(): () => void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-tests-"));
  // Sandboxes drop to another user, who must be able to pass through.
  fs.chmodSync(folder, 0o755);
  process.env.MLEBENCH_TEST_FOLDER = folder;
  // What an installation remembers of its own groups must not end up in the tester's home.
  process.env.XDG_STATE_HOME = path.join(folder, "state");
  return () => {
    for (const line of notTestedLines(folder)) console.log(line);
    if (!FULL) console.log("The long tests were left out; all of them: npm run test:full");
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
