import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";

const NAMESPACES = ["--pid", "--fork", "--kill-child", "--mount-proc", "--uts", "--net", "--mount", "--time"];

export interface Host {
  name: string;
  /** By how much its clocks of uptime are ahead of ours. */
  aheadSeconds: number;
}

/** Whether this machine can play two: it takes root, and a kernel with namespaces of clocks. */
export function canPlayHosts(): boolean {
  return spawnSync("unshare", [...NAMESPACES, "--monotonic", "1", "true"]).status === 0;
}

/**
 * Starts a program as on a machine of that name, with process ids, a network, mounts and clocks of uptime of its own,
 * that shares our folders. The clock on the wall is the same for all: the kernel has only one.
 */
export function startOn({ name, aheadSeconds }: Host, command: readonly string[]) {
  const clocks = ["--monotonic", `${aheadSeconds}`, "--boottime", `${aheadSeconds}`];
  // The host lives on when its program does not: its namespace's number would be given to the next one.
  const script = ["sh", "-c", 'hostname "$0"; "$@"; sleep 600', name, ...command];
  const child = spawn("unshare", [...NAMESPACES, ...clocks, ...script], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece) => {
      said += piece;
    });
  return { child, said: () => said };
}

/** To the program that a host runs. */
export function signalOn({ pid }: ChildProcess, signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void {
  const childOf = (parent: number | undefined) =>
    Number(fs.readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim());
  process.kill(childOf(childOf(pid)), signal);
}

export async function until(condition: () => boolean, seconds: number): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  return condition();
}
