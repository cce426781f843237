import { execFile } from "node:child_process";
import fs from "node:fs";
import { promisify } from "node:util";
import { allForwards } from "./network/network.ts";
import { badRequest } from "./refuse.ts";
import type { Refusal, SandboxRequest } from "./sandbox.ts";

/**
 * Whom the agent is on the host when the harness is root, in a bubblewrap sandbox: an id that Debian gives to nobody.
 * Never root itself, not even without capabilities: the owner of /proc/sys/kernel/core_pattern could have the kernel
 * run a program of its choice outside.
 */
export const UNPRIVILEGED_USER = 64_999;

export function harnessIsRoot(): boolean {
  return process.getuid?.() === 0;
}

/** A root harness's folders belong to root: what the agent may write to becomes its own. */
export async function handOver(request: SandboxRequest, owner: number): Promise<void> {
  if (!harnessIsRoot()) return;
  const folders = request.mounts.filter(({ mode }) => mode === "read-write").map(({ host }) => host);
  if (folders.length > 0) await promisify(execFile)("chown", ["-hR", `${owner}:${owner}`, "--", ...folders]);
  for (const { socket } of allForwards(request)) fs.chownSync(socket, owner, owner);
}

/** A read-only mount that only root may enter would be empty for the agent: better said before it starts. */
export function checkReadable(request: SandboxRequest): Refusal | null {
  if (!harnessIsRoot() || request.asRoot) return null;
  for (const { host, mode } of request.mounts) {
    const stats = fs.statSync(host);
    const needed = stats.isDirectory() ? 0o005 : 0o004;
    if (mode === "read-only" && (stats.mode & needed) !== needed)
      return badRequest(`the agent's user may not read ${host}`, `allow it: chmod -R a+rX ${host}`);
  }
  return null;
}
