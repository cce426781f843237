import http from "node:http";
import net from "node:net";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { startEgressProxy } from "../../../src/trials/surroundings/egress-proxy.ts";
import { temporaryFolder } from "../temporary-folder.ts";

type Connection = Parameters<Parameters<typeof startEgressProxy>[0]["onConnection"]>[0];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** An origin on the host's loopback that answers with the Host header it got. */
async function origin(): Promise<number> {
  const server = http.createServer((request, response) => response.end(`host ${request.headers.host}`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return (server.address() as net.AddressInfo).port;
}

async function proxy(hosts: string[]) {
  const socket = path.join(temporaryFolder(), "proxy.sock");
  const seen: Connection[] = [];
  const started = await startEgressProxy({ socket, hosts, onConnection: (one) => seen.push(one) });
  closers.push(started.close);
  return { socket, seen, unreported: started.unreported };
}

/** Sends text and returns everything that comes back until the proxy closes. */
function talk(socket: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const client = net.connect(socket, () => client.write(text));
    let answer = "";
    client.on("data", (piece) => {
      answer += piece;
    });
    client.on("error", reject);
    client.on("close", () => resolve(answer));
  });
}

const GET = (port: number, host = `127.0.0.1:${port}`) =>
  `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

describe("the proxy of an allow-list", () => {
  test("opens a tunnel to a named host and says so, bytes sent along included", async () => {
    const port = await origin();
    const { socket, seen } = await proxy([`127.0.0.1:${port}`]);
    const answer = await talk(socket, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n${GET(port)}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(answer).toContain(`host 127.0.0.1:${port}`);
    expect(seen).toEqual([{ host: "127.0.0.1", port, allowed: true }]);
  });

  test("refuses every other host and port with 403, and records the attempt", async () => {
    const port = await origin();
    const { socket, seen } = await proxy(["example.org", "*.example.com"]);
    for (const target of [`127.0.0.1:${port}`, "example.org:22", "example.com:443", "notexample.org:443"])
      expect(await talk(socket, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403/);
    expect(seen.map(({ allowed }) => allowed)).toEqual([false, false, false, false]);
    expect(seen[0]).toEqual({ host: "127.0.0.1", port, allowed: false });
  });

  test("passes plain HTTP on, with the host that was allowed and not the one the header claims", async () => {
    const port = await origin();
    const { socket } = await proxy([`127.0.0.1:${port}`]);
    const text = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: forbidden.example\r\nConnection: close\r\n\r\n`;
    expect(await talk(socket, text)).toContain(`host 127.0.0.1:${port}`);
    const refused = "GET http://forbidden.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    expect(await talk(socket, refused)).toMatch(/^HTTP\/1\.1 403/);
  });

  test("answers 502 when an allowed host cannot be reached", async () => {
    const { socket } = await proxy(["127.0.0.1:9"]);
    expect(await talk(socket, "CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 502/);
  });

  test.each([
    "CONNECT HTTP/1.1\r\n\r\n",
    "CONNECT example.org HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "\0\0\0 nonsense\r\n\r\n",
  ])("survives %j", async (text) => {
    const port = await origin();
    const { socket } = await proxy([`127.0.0.1:${port}`]);
    expect(await talk(socket, text)).not.toMatch(/^HTTP\/1\.1 2/);
    const answer = await talk(socket, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n${GET(port)}`);
    expect(answer).toContain(" 200 OK");
  });

  test("a port that is none is refused, and nothing ends", async () => {
    const { socket } = await proxy(["example.org:99999", "127.0.0.1:99999", "127.0.0.1:0"]);
    for (const target of ["example.org:99999", "127.0.0.1:99999", "127.0.0.1:0", "127.0.0.1:-1"])
      expect(await talk(socket, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 40/);
    const get = "GET http://127.0.0.1:99999/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    expect(await talk(socket, get)).toMatch(/^HTTP\/1\.1 400/);
  });

  test.each([
    ["a status that is none", "HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n"],
    ["a change of protocol", "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"],
    ["nothing at all", ""],
    ["no HTTP", "\0\0\0\r\n\r\n"],
    ["a header that is none", "HTTP/1.1 200 OK\r\nBad\u0001Name: \u0000\r\n\r\n"],
  ])("an allowed host that answers %s ends that exchange alone", async (_, reply) => {
    const odd = net.createServer((client) => client.on("error", () => {}).end(reply));
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    closers.push(() => odd.close());
    const { port } = odd.address() as net.AddressInfo;
    const good = await origin();
    const { socket } = await proxy([`127.0.0.1:${port}`, `127.0.0.1:${good}`]);
    const get = (to: number) =>
      talk(socket, `GET http://127.0.0.1:${to}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await get(port)).toMatch(/^(HTTP\/1\.1 502|$)/);
    expect(await get(good)).toContain(" 200 OK");
  });

  test("a name that leads to the machine itself is refused; its address must be on the list", async () => {
    const port = await origin();
    const { socket, seen } = await proxy([`localhost:${port}`]);
    expect(await talk(socket, `CONNECT localhost:${port} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 502/,
    );
    const get = `GET http://localhost:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await talk(socket, get)).toContain("only the address itself can be on an allow-list");
    for (const host of ["127.0.0.1", "[::ffff:127.0.0.1]", "2130706433"])
      expect(await talk(socket, `CONNECT ${host}:${port} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 403/,
      );
    expect(seen).toHaveLength(5);
  });

  test("an agent has so many connections at once and no more, and the next trial's proxy has its own", async () => {
    const silent = net.createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    closers.push(() => silent.close());
    const { port } = silent.address() as net.AddressInfo;
    const good = await origin();
    const [greedy, other] = [await proxy([`127.0.0.1:${port}`]), await proxy([`127.0.0.1:${good}`])];
    const held = Array.from({ length: 300 }, () => net.connect(greedy.socket));
    closers.push(() => held.map((client) => client.destroy()));
    for (const client of held)
      client.on("error", () => {}).write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const taken = await new Promise<number>((resolve) => silent.getConnections((_, n) => resolve(n)));
    expect(taken).toBeLessThanOrEqual(48);
    const answer = await talk(
      other.socket,
      `CONNECT 127.0.0.1:${good} HTTP/1.1\r\nHost: x\r\n\r\n${GET(good)}`,
    );
    expect(answer).toContain(" 200 OK");
  });

  test("reports the first thousand attempts one by one, and how many there were beyond", async () => {
    const { socket, seen, unreported } = await proxy(["example.org"]);
    for (let batch = 0; batch < 11; batch++)
      await Promise.all(
        Array.from({ length: 100 }, () => talk(socket, "CONNECT x.y:1 HTTP/1.1\r\nHost: x\r\n\r\n")),
      );
    expect(seen).toHaveLength(1000);
    expect(unreported()).toBe(100);
  });
});
