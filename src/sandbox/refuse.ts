import fs from "node:fs";
import { isImageName, isPlainVariableName, startProblem } from "./host-environment.ts";
import type { Refusal, SandboxRequest } from "./sandbox.ts";
import { isIdentity } from "./scratch.ts";

export function badRequest(message: string, nextStep: string): Refusal {
  return { status: "refused", code: "BAD_REQUEST", message, nextStep, blame: "user", retryable: false };
}

export function sandboxMissing(message: string, nextStep: string): Refusal {
  return {
    status: "refused",
    code: "SANDBOX_MISSING",
    message,
    nextStep,
    blame: "host",
    retryable: false,
  };
}

export function startFailed(message: string, nextStep: string): Refusal {
  return { status: "refused", code: "START_FAILED", message, nextStep, blame: "host", retryable: true };
}

export function identityInUse(identity: string): Refusal {
  return badRequest(
    `a sandbox named ${identity} exists already, or was left behind`,
    "choose another identity, or destroy the leftovers first",
  );
}

/** What is wrong with a request whatever the sandbox; null when nothing is. */
export function checkRequest(request: SandboxRequest): Refusal | null {
  if (!isIdentity(request.identity))
    return badRequest(`"${request.identity}" cannot name a sandbox`, "use letters, digits, '.', '_' and '-'");
  if (request.command.length === 0)
    return badRequest("the agent has no command", "give a command in the agent's definition");
  const unstartable = startProblem([...request.command, request.workingFolder], request.env);
  if (unstartable !== null) return badRequest(unstartable, "change the agent's definition");
  const odd = Object.keys(request.env).find((name) => !isPlainVariableName(name));
  if (odd !== undefined)
    return badRequest(
      `${JSON.stringify(odd)} cannot name an environment variable`,
      "use letters, digits and _, not beginning with a digit",
    );
  if (request.image !== undefined && !isImageName(request.image))
    return badRequest(`${JSON.stringify(request.image)} cannot name an image`, "write it as name:tag");
  for (const { host, inside } of request.mounts) {
    if (!inside.startsWith("/"))
      return badRequest(`mount target ${inside} is not absolute`, "start it with /");
    if (!fs.existsSync(host))
      return badRequest(`${host} does not exist and cannot be mounted at ${inside}`, "create it first");
  }
  const ports = request.forwards.map(({ port }) => port);
  if (new Set(ports).size !== ports.length)
    return badRequest("a port is forwarded twice", "forward each port once");
  return null;
}
