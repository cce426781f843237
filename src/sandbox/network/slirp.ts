import { spawn } from "node:child_process";
import fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
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
  await ownLoopback(pid);
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

const LOOPBACK_WAIT_MS = 10_000;

/**
 * Waits until the sandbox has given its loopback an address. slirp4netns brings the loopback up as well, which makes the
 * kernel give it that address, and bubblewrap gives up when it finds it there ("Failed RTM_NEWADDR").
 */
async function ownLoopback(pid: number): Promise<void> {
  const until = performance.now() + LOOPBACK_WAIT_MS;
  while (performance.now() < until) {
    try {
      if (fs.readFileSync(`/proc/${pid}/net/fib_trie`, "latin1").includes("127.0.0.1")) return;
    } catch {
      // It ended, or this system does not tell: then there is nothing to wait for.
      return;
    }
    await delay(1);
  }
}
