import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import type { Forward } from "../sandbox.ts";
import { NODE_FORWARDER, PERL_FORWARDER } from "./forwarder-script.ts";

/** Something that runs beside a sandbox for as long as it lives. */
export interface Companion {
  stop(): void;
}

/**
 * Opens the ports in another process's network namespace, from outside: the agent's root needs no program for it,
 * and the agent can neither see nor kill it. Only root can: the namespace belongs to a user namespace that bubblewrap
 * itself leaves again. Null when it could not be started.
 */
export async function forwardInto(pid: number, forwards: readonly Forward[]): Promise<Companion | null> {
  const targets = forwards.map(({ port, socket }) => `${port}=${socket}`);
  const forwarder = fs.existsSync("/usr/bin/perl")
    ? ["/usr/bin/perl", "-e", PERL_FORWARDER, ...targets]
    : [process.execPath, "-e", NODE_FORWARDER, ...targets];
  const child = spawn("nsenter", [`--net=/proc/${pid}/ns/net`, "--", ...forwarder], {
    stdio: ["pipe", "pipe", "ignore"],
    // A group of its own, so that the connections' processes can be ended with it.
    detached: true,
    env: { PATH: "/usr/bin:/bin" },
  });
  return (await saysSomething(child, child.stdout)) ? { stop: () => stopGroup(child) } : null;
}

/**
 * Opens the ports from inside instead: the command starts behind a forwarder, which needs Perl in there and the
 * sockets mounted at the given places.
 */
export function forwardInside(
  forwards: readonly Forward[],
  command: readonly string[],
): { sockets: { host: string; inside: string }[]; command: readonly string[] } {
  if (forwards.length === 0) return { sockets: [], command };
  const inside = (port: number) => `/run/mlebench/${port}.sock`;
  const targets = forwards.map(({ port }) => `${port}=${inside(port)}`);
  return {
    sockets: forwards.map(({ port, socket }) => ({ host: socket, inside: inside(port) })),
    command: ["perl", "-e", PERL_FORWARDER, ...targets, "--", ...command],
  };
}

/** Settles with true at a companion's first word, with false when it ends without one. */
export async function saysSomething(child: ChildProcess, stream: NodeJS.ReadableStream): Promise<boolean> {
  const spoke = once(stream, "data").then(() => true);
  const ended = new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", () => resolve(false));
  });
  return Promise.race([spoke.catch(() => false), ended]);
}

function stopGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // It ended with the sandbox.
  }
}

export type LocalForwarder = Companion & { ports: ReadonlyMap<number, number> };

/**
 * For a sandbox without a network of its own: each forward gets a free port of the host, since two trials cannot
 * both have 5000. Returns which port stands for which.
 */
export async function forwardLocally(forwards: readonly Forward[]): Promise<LocalForwarder> {
  const ports = new Map<number, number>();
  const servers: net.Server[] = [];
  const open = new Set<net.Socket>();
  for (const { port, socket } of forwards) {
    const server = net.createServer({ allowHalfOpen: true }, (client) => {
      const upstream = net.connect({ path: socket, allowHalfOpen: true });
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ]) {
        open.add(from);
        from.on("close", () => open.delete(from));
        from.on("error", () => to.destroy()).pipe(to);
      }
    });
    servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.set(port, (server.address() as net.AddressInfo).port);
  }
  return {
    ports,
    stop: () => {
      for (const server of servers) server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
