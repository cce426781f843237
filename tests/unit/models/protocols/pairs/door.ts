import http from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonValue, ProtocolName } from "../../../../../src/models/call.ts";
import { matchRequest, protocols } from "../../../../../src/models/protocols/protocols.ts";
import { eventsOfReply } from "../../../../../src/models/reply-events.ts";
import type { Provider } from "./providers.ts";

/** The smallest possible gateway between a client and a provider of another protocol: what the protocols do, and nothing else. */
export interface Running {
  url: string;
  requests: { path: string; body: JsonValue }[];
  close(): Promise<void>;
}

export async function startProvider(provider: Provider, chunk: number): Promise<Running> {
  const requests: Running["requests"] = [];
  const server = http.createServer(async (request, response) => {
    const text = (await bytesOf(request)).toString();
    requests.push({ path: request.url!, body: JSON.parse(text) });
    if (!provider.path.test(request.url!)) response.writeHead(404).end("no such path");
    else if (text.includes("please fail")) {
      response
        .writeHead(provider.error.status, { "content-type": "application/json" })
        .end(JSON.stringify(provider.error.body));
    } else {
      const turn = text.includes("a.csv") ? 2 : 1;
      const stream = text.includes('"stream":true') || request.url!.includes("streamGenerate");
      if (!stream) {
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify(provider.whole(turn)));
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      const whole = Buffer.from(provider.stream(turn));
      const bytes = text.includes("please break") ? whole.subarray(0, whole.length / 2) : whole;
      for (let at = 0; at < bytes.length; at += chunk) {
        response.write(bytes.subarray(at, at + chunk));
        await new Promise(setImmediate);
      }
      response.end();
    }
  });
  return listen(server, requests);
}

export async function startDoor(upstream: string, name: ProtocolName): Promise<Running> {
  const requests: Running["requests"] = [];
  const provider = protocols[name];
  const server = http.createServer(async (request, response) => {
    const bytes = await bytesOf(request);
    const found = matchRequest(request.method!, request.url!, request.headers);
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const { protocol: client, endpoint } = found;
    const body = JSON.parse(bytes.toString());
    const fail = (written: ReturnType<typeof client.writeError>) =>
      response.writeHead(written.status, written.headers).end(JSON.stringify(written.body));
    requests.push({ path: request.url!, body });
    if (client === provider) {
      const reply = await fetch(`${upstream}${request.url}`, { method: "POST", body: new Uint8Array(bytes) });
      response.writeHead(reply.status, { "content-type": reply.headers.get("content-type")! });
      response.end(Buffer.from(await reply.arrayBuffer()));
      return;
    }
    const call = client.readRequest({ body, endpoint });
    if (!call.ok) return void fail(client.writeError(call.problem));
    const written = provider.writeRequest(call.value);
    if (!written.ok) return void fail(client.writeError(written.problem));
    const { path, headers } = written.value;
    const reply = await fetch(`${upstream}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(written.value.body),
    });
    if (!reply.ok) {
      const problem = provider.readError(
        reply.status,
        Object.fromEntries(reply.headers),
        new Uint8Array(await reply.arrayBuffer()),
      );
      return void fail(client.writeError(problem));
    }
    if (!call.value.stream) {
      const read = provider.readReply((await reply.json()) as JsonValue);
      return void fail(read.ok ? client.writeReply(read.value, call.value) : client.writeError(read.problem));
    }
    const writer = client.streamWriter(call.value);
    response.writeHead(200, writer.headers);
    if (!(reply.headers.get("content-type") ?? "").includes("event-stream")) {
      const read = provider.readReply((await reply.json()) as JsonValue);
      if (read.ok) for (const event of eventsOfReply(read.value)) response.write(writer.write(event));
      response.end();
      return;
    }
    const reader = provider.streamReader();
    for await (const chunk of reply.body!) {
      for (const event of reader.push(chunk as Uint8Array)) response.write(writer.write(event));
      if (client.keepAlive) response.write(client.keepAlive);
    }
    for (const event of reader.end()) response.write(writer.write(event));
    response.end();
  });
  return listen(server, requests);
}

async function bytesOf(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function listen(server: http.Server, requests: Running["requests"]): Promise<Running> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
