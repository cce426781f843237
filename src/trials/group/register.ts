import fs from "node:fs";
import path from "node:path";
import { homeFolder } from "../../files/home-folder.ts";
import { readPlainText } from "../../files/plain-file.ts";
import { isShortage } from "../../files/system-error.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { valueDigest } from "../certificate/canonical-json.ts";
import { groupPaths } from "./folder.ts";

/**
 * Which plans this user's own installation wrote, by the digest of the whole `group.json`. A plan that came from somebody
 * else, or was changed since, is not among them: what it names on this machine is then not used. Moving a group is fine.
 */
function registerFolder(): string {
  const base = process.env.XDG_STATE_HOME || path.join(homeFolder(), ".local", "state");
  return path.join(base, "mle-bench", "groups");
}

/** Remembers a plan that was just written. Where a home cannot be written to, its paths have to be given again later. */
export function registerGroup(folder: string, name: string): void {
  const digest = digestOf(folder);
  if (digest === null) return;
  try {
    const entry = { schema: "mlebench/registered-group", version: 1, name };
    writeFileAtomically(path.join(registerFolder(), digest), `${JSON.stringify(entry)}\n`);
  } catch (error) {
    if (isShortage(error)) throw error;
  }
}

/** Whether this user's installation wrote exactly this plan. */
export function isOwnGroup(folder: string): boolean {
  const digest = digestOf(folder);
  return digest !== null && fs.existsSync(path.join(registerFolder(), digest));
}

/** Over everything in it, fields of later versions included. */
function digestOf(folder: string): string | null {
  try {
    return valueDigest(JSON.parse(readPlainText(groupPaths(folder).group)));
  } catch {
    return null;
  }
}
