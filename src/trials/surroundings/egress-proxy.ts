import dns from "node:dns";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { leadsHome } from "./addresses.ts";
import { type Permission, permission } from "./allow-list.ts";

/** One attempt of the agent to reach something. */
interface EgressConnection {
  host: string;
  port: number;
  allowed: boolean;
}

export interface EgressProxyOptions {
  /** A unix socket, forwarded into the sandbox. */
  socket: string;
  /** See allow-list.ts. */
  hosts: readonly string[];
  onConnection(connection: EgressConnection): void;
}

export interface EgressProxy {
  /** Attempts beyond those that were reported one by one. */
  unreported(): number;
  /** Rejects when something of ours failed meanwhile: the record may then lack attempts. */
  close(): Promise<void>;
}

/** Attempts that are reported one by one; an agent may make millions of them. */
const MAX_REPORTS = 1000;
/** Each connection of an agent costs two descriptors of the harness, which all trials share. */
const MAX_CLIENTS = 128;
const MAX_UPSTREAM = 48;
const MAX_CLIENTS_OF_ALL_TRIALS = 1024;
const MAX_HOST_LENGTH = 253;
let clientsOfAllTrials = 0;

/**
 * The only way out of a sandbox with an allow-list: an HTTP proxy that connects to the named hosts and refuses all
 * others with 403, and with them addresses of the machine itself and of its own network unless the list names them.
 * What goes through an allowed connection is not looked at. Whatever the agent or an allowed host sends ends that one
 * exchange at most.
 */
export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const open = new Set<Duplex>();
  let attempts = 0;
  let upstreams = 0;
  let fault: Error | null = null;

  function judge(host: string, port: number): Permission {
    const judged = permission(options.hosts, host, port);
    const shown = host.slice(0, MAX_HOST_LENGTH);
    if (++attempts <= MAX_REPORTS)
      options.onConnection({ host: shown, port, allowed: judged.allowed && mayReach(host, judged) });
    return judged;
  }

  /** Runs a handler; what it throws is a failure of ours and ends neither the harness nor other exchanges. */
  function guarded(client: Duplex, handle: () => unknown): void {
    try {
      handle();
    } catch (error) {
      fault ??= error as Error;
      client.destroy();
    }
  }

  const server = http.createServer((request, response) => {
    request.on("error", () => {});
    response.on("error", () => {});
    guarded(request.socket, () => passOn(request, response));
  });

  function passOn(request: http.IncomingMessage, response: http.ServerResponse): unknown {
    const target = URL.canParse(request.url ?? "") ? new URL(request.url!) : null;
    if (target?.protocol !== "http:")
      return refuse(response, 400, "This is a proxy: ask for http://host/… or CONNECT host:port.");
    const judged = judge(target.hostname, Number(target.port || 80));
    if (!judged.allowed)
      return refuse(response, 403, `${target.hostname} is not on the allow-list of this trial.`);
    if (!mayReach(target.hostname, judged)) return refuse(response, 403, ownAddress(target.hostname));
    if (upstreams >= MAX_UPSTREAM)
      return refuse(response, 503, `More than ${MAX_UPSTREAM} connections at once; close some.`);
    const { "proxy-connection": _, ...headers } = request.headers;
    // A client may name another host in its own header; behind a shared address that would be a way around the list.
    const sent = { ...headers, host: target.host };
    let upstream: http.ClientRequest;
    try {
      upstream = http.request(target, {
        method: request.method,
        headers: sent,
        agent: false,
        lookup: lookupFor(judged),
      });
    } catch (error) {
      return refuse(response, 400, (error as Error).message);
    }
    upstreams++;
    const fail = (message: string) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, message);
    };
    upstream.on("response", (reply) => {
      try {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
      } catch (error) {
        // A status or a header that is not one, from a host that may be anybody's.
        reply.destroy();
        fail(`The host's answer cannot be passed on: ${(error as Error).message}`);
        return;
      }
      // A reply that is cut short must not look like a whole one.
      pipeline(reply, response, () => {});
    });
    // Answers that we did not ask for, such as a change of protocol.
    for (const event of ["upgrade", "connect"] as const)
      upstream.on(event, (_: http.IncomingMessage, socket: Duplex) => {
        socket.destroy();
        fail("The host asked for another protocol.");
      });
    upstream.on("error", (error) => fail(error.message));
    upstream.on("close", () => {
      upstreams--;
      if (!response.headersSent) fail("The host closed the connection.");
    });
    response.on("close", () => upstream.destroy());
    return request.pipe(upstream);
  }

  server.on("connect", (request, client, head) => {
    open.add(client);
    client.on("close", () => open.delete(client)).on("error", () => client.destroy());
    guarded(client, () => tunnel(request, client, head));
  });

  function tunnel(request: http.IncomingMessage, client: Duplex, head: Buffer): unknown {
    const end = (status: string, why: string) =>
      client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n${why}\n`);
    const match = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(request.url ?? "");
    const port = Number(match?.[2]);
    if (match === null || port < 1 || port > 65_535) return end("400 Bad Request", "ask for host:port");
    const host = match[1]!.toLowerCase();
    const judged = judge(host, port);
    if (!judged.allowed) return end("403 Forbidden", "not on the allow-list of this trial");
    if (!mayReach(host, judged)) return end("403 Forbidden", ownAddress(host));
    if (upstreams >= MAX_UPSTREAM) return end("503 Service Unavailable", "too many connections at once");
    const upstream = net.connect({ port, host, lookup: lookupFor(judged) }, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      // What an impatient client sent along.
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    upstreams++;
    open.add(upstream);
    upstream.on("error", () => end("502 Bad Gateway", ""));
    upstream.on("close", () => {
      upstreams--;
      open.delete(upstream);
      client.destroy();
    });
    return client.on("close", () => upstream.destroy());
  }

  server.on("connection", (socket) => {
    if (clientsOfAllTrials >= MAX_CLIENTS_OF_ALL_TRIALS) {
      socket.destroy();
      return;
    }
    clientsOfAllTrials++;
    socket.on("close", () => clientsOfAllTrials--);
    socket.on("error", () => socket.destroy());
  });
  server.on("clientError", (_, socket) => socket.destroy());
  server.maxConnections = MAX_CLIENTS;
  server.listen(options.socket);
  await once(server, "listening");
  // From now on, such as when there are no descriptors left: ours, never the agent's.
  server.on("error", (error) => {
    fault ??= error;
  });
  fs.chmodSync(options.socket, 0o666);
  return {
    unreported: () => Math.max(0, attempts - MAX_REPORTS),
    async close() {
      for (const stream of open) stream.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (fault !== null) throw fault;
    },
  };
}

/** False for an address of ours that the list does not name; names are judged when they are looked up. */
function mayReach(host: string, { byAddress }: Permission): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return byAddress || net.isIP(bare) === 0 || !leadsHome(bare);
}

/** Looks a name up and takes only addresses of the world: what was judged is then what is connected to. */
function lookupFor({ byAddress }: Permission): net.LookupFunction {
  return (host, options, callback) => {
    dns.lookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "");
      const good = byAddress ? found : found.filter(({ address }) => !leadsHome(address));
      const [first] = good;
      if (first === undefined)
        return callback(Object.assign(new Error(ownAddress(host)), { code: "EACCES" }), "");
      if (options.all) callback(null, good);
      else callback(null, first.address, first.family);
    });
  };
}

function ownAddress(host: string): string {
  return `${host} is an address of the machine or of its own network; only the address itself can be on an allow-list.`;
}

function refuse(response: http.ServerResponse, code: number, message: string): unknown {
  return response.writeHead(code).end(`${message}\n`);
}
