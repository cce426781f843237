import { once, setMaxListeners } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { plural } from "../../wording/counts.ts";
import type { ModelTotals } from "../ledger/schema.ts";
import { callWithin } from "./call.ts";
import { laneOf } from "./exchange.ts";
import type { GatewayOptions } from "./options.ts";
import { answerRoute, routeOf } from "./routes.ts";
import { noteUnreadable } from "./unreadable.ts";

export interface Gateway {
  /** Of a gateway that listens on a port. */
  url: string | null;
  totals(): ModelTotals;
  /** The agent was told that there is nothing left to spend. */
  budgetSpent(): boolean;
  /** What was left over: scripted replies nobody asked for, recordings nobody used. */
  leftovers(): string[];
  /** Ends all calls and settles when each of them stands in the ledger. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 512;
/** Requests of one connection that wait for their replies; no client sends a second one before it has had the first. */
const MAX_UNANSWERED = 8;
/** Longer than any client keeps a connection it does not use. */
const KEEP_ALIVE_MS = 120_000;

/**
 * The only door from a sandbox to models: meters, limits and records. It has no time limit of its own; the trial's deadline
 * closes it. Listens on a unix socket, which is forwarded into the sandbox, or on a port of this machine.
 */
export async function startGateway(
  options: GatewayOptions,
  listen: { socket: string } | { port: number; host: string },
): Promise<Gateway> {
  const closing = new AbortController();
  // Each call under way listens.
  setMaxListeners(0, closing.signal);
  const active = new Set<Promise<void>>();
  let closed: Promise<void> | null = null;
  const sockets = new Set<Socket>();
  /** How many requests of a connection are not answered yet. */
  const answering = new WeakMap<Duplex, number>();
  const count = (socket: Duplex, by: 1 | -1) => answering.set(socket, (answering.get(socket) ?? 0) + by);
  const unreadable = new WeakSet<Duplex>();
  /** Once for each connection, whatever else comes over it. */
  const refuse = (socket: Duplex, problem: string) => {
    if (!unreadable.has(socket)) noteUnreadable(options, problem);
    unreadable.add(socket);
  };
  const server = http.createServer((request, response) => {
    const route = routeOf(request);
    const { socket } = request;
    // Those that are under way end with it.
    if (unreadable.has(socket) || (answering.get(socket) ?? 0) >= MAX_UNANSWERED) {
      refuse(
        socket,
        `More than ${MAX_UNANSWERED} requests came over one connection before the first had its reply.`,
      );
      socket.destroy();
      return;
    }
    count(socket, 1);
    response.once("close", () => count(socket, -1));
    const work =
      route.status === "call"
        ? callWithin(options, { ...route, request, response, closing: closing.signal })
        : answerRoute(options, route, request, response);
    const done = work
      .catch(() => response.destroy())
      .then(() => {
        active.delete(done);
      });
    active.add(done);
  });
  server.requestTimeout = 0;
  server.headersTimeout = 30_000;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connection", (socket: Socket) => {
    socket.setNoDelay(true);
    // Each unanswered request listens for its end, beside Node itself.
    socket.setMaxListeners(MAX_UNANSWERED + 10);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  // Nobody listens for `upgrade`: a wish for WebSockets or HTTP/2 is then an ordinary request, as the standard has it.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A request that is under way on the same connection ends with it, and has a line of its own.
    if ((answering.get(socket) ?? 0) > 0 || !error.code?.startsWith("HPE_")) {
      socket.destroy();
      return;
    }
    if (unreadable.has(socket)) return;
    refuse(socket, `What came is not a request of HTTP (${error.code}).`);
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  if ("socket" in listen) server.listen(listen.socket);
  else server.listen(listen.port, listen.host);
  await once(server, "listening");
  // The agent may be another user; who can reach the socket is decided by the folder and the sandbox.
  if ("socket" in listen) fs.chmodSync(listen.socket, 0o666);
  const url = "socket" in listen ? null : `http://${listen.host}:${(server.address() as AddressInfo).port}`;
  return {
    url,
    totals: () => options.ledger.totals(),
    budgetSpent: () => options.budgets.some((budget) => budget.exhausted()),
    leftovers: () => leftoversOf(options),
    close() {
      closed ??= close();
      return closed;
    },
  };

  async function close(): Promise<void> {
    closing.abort(new Error("the trial has ended"));
    server.close();
    await Promise.allSettled([...active]);
    for (const socket of sockets) socket.destroy();
    options.ledger.close();
    options.transcripts.close();
  }
}

function leftoversOf({ models, lane }: GatewayOptions): string[] {
  const notes: string[] = [];
  for (const { role, answers } of models) {
    const scripted = answers.by === "us" ? answers.offline.leftover?.() : null;
    if (scripted != null) notes.push(`${role}: ${scripted}`);
    if (answers.by !== "recording") continue;
    const { left, of } = answers.cassette.unused(laneOf(lane, role));
    if (left > 0)
      notes.push(
        `${role}: ${left} of ${plural(of, "recorded reply", "recorded replies")} were not asked for`,
      );
  }
  return notes;
}
