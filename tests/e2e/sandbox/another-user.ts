import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { writeText } from "../temporary-folder.ts";

/** An id that Debian gives to nobody. */
export const USER = 64_998;
const AS_USER = ["setpriv", "--reuid", `${USER}`, "--regid", `${USER}`, "--clear-groups", "--"];
const RANGE = "mlebench-test:600000:65536\n";

/**
 * What keeps this machine from running something as another user with a view of its own, or null. Only root can lay
 * such a view out.
 */
export function whyNot(needed: string): string | null {
  if (process.getuid?.() !== 0) return "only root can run something as another user";
  const tried = spawnSync("unshare", ["--mount", ...AS_USER, "test", "-r", needed], { encoding: "utf8" });
  if (tried.error !== undefined) return tried.error.message;
  return tried.status === 0 ? null : `another user cannot read ${needed}: ${tried.stderr.trim()}`;
}

export interface AnotherUser {
  home: string;
  /** Runs a command as that user, in its home. */
  run(...command: string[]): { code: number | null; stdout: string; stderr: string };
}

/**
 * Somebody without any right on this machine, as its own mount namespace shows it: known by name, with a range of
 * user ids as `useradd` gives one, and without the programs that are hidden. Nothing of the host changes.
 */
export function anotherUser(
  folder: string,
  { hidden = [] }: { hidden?: readonly string[] } = {},
): AnotherUser {
  const home = path.join(folder, "home");
  fs.mkdirSync(path.join(home, "runtime"), { recursive: true, mode: 0o700 });
  for (const place of [home, path.join(home, "runtime")]) fs.chownSync(place, USER, USER);
  const entry = `mlebench-test:x:${USER}:${USER}::${home}:/bin/sh\n`;
  const files = {
    "/etc/passwd": fs.readFileSync("/etc/passwd", "utf8") + entry,
    "/etc/group": `${fs.readFileSync("/etc/group", "utf8")}mlebench-test:x:${USER}:\n`,
    "/etc/subuid": RANGE,
    "/etc/subgid": RANGE,
  };
  const mounts = Object.entries(files).map(
    ([target, text]) => `mount --bind ${writeText(folder, `view${target}`, text)} ${target}`,
  );
  const masks = hidden.map((name) => `for f in $(type -ap ${name}); do mount --bind /dev/null $f; done`);
  const prelude = ["set -e", ...mounts, ...masks, `cd ${home}`, 'exec "$@"'].join("\n");
  return {
    home,
    run: (...command) => {
      const { status, stdout, stderr } = spawnSync(
        "unshare",
        ["--mount", "bash", "-c", prelude, "bash", ...AS_USER, ...command],
        {
          encoding: "utf8",
          timeout: 170_000,
          env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: path.join(home, "runtime") },
        },
      );
      return { code: status, stdout, stderr };
    },
  };
}
