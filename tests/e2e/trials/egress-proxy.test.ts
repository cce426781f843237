import http from "node:http";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEgressProxy } from "../../../src/trials/egress-proxy.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const socketPath = path.join(temporaryFolder(), "proxy.sock");
const seen: unknown[] = [];
const target = http.createServer((_, response) => response.end("hello"));
let port: number;
let proxy: Awaited<ReturnType<typeof startEgressProxy>>;

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  port = (target.address() as AddressInfo).port;
  proxy = await startEgressProxy({
    socket: socketPath,
    hosts: [`127.0.0.1:${port}`, "*.example.org"],
    onConnection: (connection) => void seen.push(connection),
  });
});
afterAll(async () => {
  await proxy.close();
  target.close();
});

function get(address: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request({ socketPath, path: address }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    request.on("error", reject).end();
  });
}

function tunnel(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const client = net.connect(socketPath);
    let text = "";
    client.on("data", (chunk) => {
      text += chunk;
      if (/^HTTP\/1.1 200/.test(text) && !text.includes("hello"))
        client.write(`GET / HTTP/1.0\r\nHost: ${address}\r\n\r\n`);
    });
    client.on("end", () => resolve(text)).on("error", reject);
    client.write(`CONNECT ${address} HTTP/1.1\r\nHost: ${address}\r\n\r\n`);
  });
}

test("a host on the list is reached, plainly and through a tunnel", async () => {
  expect(await get(`http://127.0.0.1:${port}/`)).toEqual({ status: 200, text: "hello" });
  expect(await tunnel(`127.0.0.1:${port}`)).toContain("hello");
});

test.each(["http://127.0.0.2/", "http://example.org/", "http://badexample.org/", "http://a.example.org:22/"])(
  "%s is not on the list and is refused",
  async (address) => {
    expect((await get(address)).status).toBe(403);
  },
);

test("a tunnel to another port of the same host is refused", async () => {
  expect(await tunnel(`127.0.0.1:${port + 1}`)).toMatch(/^HTTP\/1.1 403/);
});

test("every attempt is reported, with whether it was allowed", () => {
  expect(seen).toContainEqual({ host: "127.0.0.1", port, allowed: true });
  expect(seen).toContainEqual({ host: "example.org", port: 80, allowed: false });
});
