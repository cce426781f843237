import { spawn } from "node:child_process";
import { harnessIsRoot } from "../agent-user.ts";
import { findProgram } from "../find-program.ts";
import { type Companion, saysSomething } from "./forwarder.ts";

/** The name server as seen from a sandbox with an open network. */
export const SLIRP_NAMESERVER = "10.0.2.3";

export function hasSlirp(): boolean {
  return findProgram("slirp4netns") !== null;
}

/**
 * Gives another process's network namespace a way out, without giving it the host's own: services that listen on the
 * host's loopback stay out of reach. Ends by itself when the harness does.
 */
export async function openNetwork(pid: number): Promise<Companion | null> {
  const options = ["--configure", "--mtu=65520", "--disable-host-loopback", "--ready-fd=3", "--exit-fd=4"];
  // Root enters the namespace by its path: by process it would first enter the user namespace and lose its rights.
  const target = harnessIsRoot() ? ["--netns-type=path", `/proc/${pid}/ns/net`] : [`${pid}`];
  const child = spawn("slirp4netns", [...options, ...target, "tap0"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    detached: true,
  });
  const ready = child.stdio[3] as NodeJS.ReadableStream;
  return (await saysSomething(child, ready)) ? { stop: () => child.kill("SIGKILL") } : null;
}
