import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** What could not be tested on this machine, and the command that would change that. */
export interface NotTested {
  what: string;
  why: string;
  command: string;
  /** It depends on who runs the tests and where they lie, not on a tool: not a failure even where all is required. */
  ofThisPlace?: boolean;
}

const LIST = "not-tested.jsonl";
const INSTALL = "sudo bash scripts/install-test-tools.sh";

/**
 * Says that something cannot be tested here; the run's last lines list it. With MLEBENCH_REQUIRE_ALL=1, as in CI,
 * nothing may be missing and this is a failure.
 */
export function notTested(missing: NotTested): void {
  if (process.env.MLEBENCH_REQUIRE_ALL === "1" && !missing.ofThisPlace)
    throw new Error(`${missing.what} cannot be tested: ${missing.why}; ${missing.command}`);
  const folder = process.env.MLEBENCH_TEST_FOLDER;
  if (folder === undefined) console.warn(`skipped: ${missing.what}: ${missing.why}; ${missing.command}`);
  else fs.appendFileSync(path.join(folder, LIST), `${JSON.stringify(missing)}\n`);
}

/** Whether a program starts at all: one that is there but lacks its libraries counts as missing. */
export function hasProgram(name: string, what: string, command = INSTALL): boolean {
  const tried = spawnSync(name, ["--help"], { timeout: 20_000 });
  if (tried.error === undefined && tried.status !== 126 && tried.status !== 127) return true;
  notTested({ what, why: `${name} does not run here`, command });
  return false;
}

/** Everything that was not tested, each thing once, as lines to end a run with. */
export function notTestedLines(folder: string): string[] {
  const file = path.join(folder, LIST);
  if (!fs.existsSync(file)) return [];
  const all = fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as NotTested);
  const lines = new Set(all.map(({ what, why, command }) => `  ${what}: ${why}\n    to test it: ${command}`));
  return lines.size === 0 ? [] : ["Not tested on this machine:", ...[...lines].sort()];
}
