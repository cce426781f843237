import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import { type Duplex, pipeline } from "node:stream";

/** One attempt of the agent to reach something. */
interface EgressConnection {
  host: string;
  port: number;
  allowed: boolean;
}

export interface EgressProxyOptions {
  /** A unix socket, forwarded into the sandbox. */
  socket: string;
  /** `example.org`, `*.example.org` for everything below it, either with `:port`; ports 80 and 443 otherwise. */
  hosts: readonly string[];
  onConnection(connection: EgressConnection): void;
}

export interface EgressProxy {
  /** Attempts beyond those that were reported one by one. */
  unreported(): number;
  close(): Promise<void>;
}

/** Attempts that are reported one by one; an agent may make millions of them. */
const MOST_REPORTS = 1000;

/**
 * The only way out of a sandbox with an allow-list: an HTTP proxy that connects to the named hosts and refuses all
 * others with 403. What goes through an allowed connection is not looked at.
 */
export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const open = new Set<Duplex>();
  let attempts = 0;

  function permits(host: string, port: number): boolean {
    const allowed = options.hosts.some((entry) => matches(entry, host, port));
    if (++attempts <= MOST_REPORTS) options.onConnection({ host, port, allowed });
    return allowed;
  }

  const server = http.createServer((request, response) => {
    const target = URL.canParse(request.url ?? "") ? new URL(request.url!) : null;
    if (target?.protocol !== "http:") {
      response.writeHead(400).end("This is a proxy: ask for http://host/… or CONNECT host:port.\n");
      return;
    }
    if (!permits(target.hostname, Number(target.port || 80))) {
      response.writeHead(403).end(`${target.hostname} is not on the allow-list of this trial.\n`);
      return;
    }
    const { "proxy-connection": _, ...headers } = request.headers;
    // A client may name another host in its own header; behind a shared address that would be a way around the list.
    const sent = { ...headers, host: target.host };
    const upstream = http.request(target, { method: request.method, headers: sent }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      // A reply that is cut short must not look like a whole one.
      pipeline(reply, response, () => {});
    });
    upstream.on("error", (error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(`${error.message}\n`);
    });
    response.on("close", () => upstream.destroy());
    request.pipe(upstream);
  });

  server.on("connect", (request, client, head) => {
    open.add(client);
    client.on("close", () => open.delete(client)).on("error", () => client.destroy());
    const match = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(request.url ?? "");
    if (match === null || !permits(match[1].toLowerCase(), Number(match[2]))) {
      client.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\nnot on the allow-list of this trial\n");
      return;
    }
    const upstream = net.connect(Number(match[2]), match[1], () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      // What an impatient client sent along.
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    open.add(upstream);
    upstream.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n"));
    upstream.on("close", () => {
      open.delete(upstream);
      client.destroy();
    });
    client.on("close", () => upstream.destroy());
  });
  server.on("clientError", (_, socket) => socket.destroy());

  server.listen(options.socket);
  await once(server, "listening");
  fs.chmodSync(options.socket, 0o666);
  return {
    unreported: () => Math.max(0, attempts - MOST_REPORTS),
    async close() {
      for (const stream of open) stream.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function matches(entry: string, host: string, port: number): boolean {
  const [name, wanted] = entry.toLowerCase().split(":");
  if (wanted === undefined ? port !== 80 && port !== 443 : port !== Number(wanted)) return false;
  return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
}
