import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { isShortage } from "../files/system-error.ts";

const IDENTITY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export function isIdentity(text: string): boolean {
  return IDENTITY.test(text);
}

/** The folder of the host that holds what belongs to one sandbox; others may pass through it, not look around. */
export function scratchFolder(identity: string): string {
  return path.join(temporaryFolder(), `mlebench-sandboxes-${process.getuid?.() ?? 0}`, identity);
}

/**
 * The system's, unless only its owner can pass through it: a root harness, whose sandboxes belong to an unprivileged
 * user, would make what nobody could reach.
 */
function temporaryFolder(): string {
  const usual = os.tmpdir();
  return process.getuid?.() === 0 && !isPassable(usual) ? "/tmp" : usual;
}

function isPassable(folder: string): boolean {
  const above = path.dirname(folder);
  try {
    return (fs.statSync(folder).mode & 0o001) !== 0 && (above === folder || isPassable(above));
  } catch {
    return true;
  }
}

/** Null when the identity is in use, or was left behind by a killed harness. Throws where nothing can be made. */
export function createScratch(identity: string): string | null {
  const folder = scratchFolder(identity);
  for (;;) {
    makeFolder(path.dirname(folder), 0o711);
    try {
      // A shared temporary folder is anybody's: one that another user prepared for us is not ours to trust.
      if (fs.lstatSync(path.dirname(folder)).uid !== (process.getuid?.() ?? 0)) return null;
      fs.mkdirSync(folder, { mode: 0o711 });
      return folder;
    } catch (error) {
      if (isShortage(error)) throw error;
      // A sandbox that ended this very moment may have taken the empty parent away.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return null;
    }
  }
}

/**
 * Removes the folder whatever the agent did to it: `rm` copes with millions of files and with paths longer than the
 * system's limit, where Node's own removal does not.
 */
export async function removeScratch(identity: string): Promise<void> {
  const folder = scratchFolder(identity);
  if (fs.existsSync(folder) && !removeIfSmall(folder)) {
    if ((await run("rm", ["-rf", "--one-file-system", "--", folder])) !== 0) {
      await run("chmod", ["-R", "u+rwx", "--", folder]);
      await run("rm", ["-rf", "--one-file-system", "--", folder]);
    }
  }
  try {
    fs.rmdirSync(path.dirname(folder));
  } catch {
    // Another sandbox still has its folder there.
  }
}

/** Most agents leave nothing in /tmp; that is not worth starting a program. */
function removeIfSmall(folder: string): boolean {
  try {
    fs.rmdirSync(path.join(folder, "tmp"));
    fs.rmSync(folder, { recursive: true });
    return true;
  } catch {
    return false;
  }
}

function run(program: string, args: string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "ignore" });
    child.on("error", () => resolve(null));
    child.on("exit", resolve);
  });
}
