import fs from "node:fs";
import path from "node:path";
import { harnessIsRoot } from "./agent-user.ts";
import type { SandboxRequest } from "./sandbox.ts";

/** A file of the scratch folder that nobody but the agent's user can read. */
export function writeForAgent(file: string, content: string, owner: number): string {
  fs.writeFileSync(file, content, { mode: 0o400, flag: "wx" });
  if (harnessIsRoot()) fs.chownSync(file, owner, owner);
  return file;
}

/** Writes the request's secret files and mounts them. `owner`: who the agent is on the host. */
export function withSecretFiles(request: SandboxRequest, scratch: string, owner: number): SandboxRequest {
  const mounts = (request.secretFiles ?? []).map(({ inside, content }, index) => ({
    host: writeForAgent(path.join(scratch, `secret-${index}`), content, owner),
    inside,
    mode: "read-only" as const,
  }));
  return mounts.length === 0 ? request : { ...request, mounts: [...request.mounts, ...mounts] };
}
