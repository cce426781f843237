import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { endsWithTest } from "../ends-with-test.ts";
import { completion, JSON_HEADERS, message, STREAM_HEADERS, startProvider } from "../fake-provider.ts";
import { ask, openSetting, post } from "../gateway-setting.ts";
import { gatewayBefore, setting } from "./setting.ts";

test.each([
  ["malformed JSON", '{"model":"claude-real",', {}],
  ["a list instead of an object", "[]", {}],
  ["text instead of an object", '"claude-real"', {}],
  ["nothing", "", {}],
  ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), {}],
  ["a packing nobody knows", "{}", { "content-encoding": "zstd" }],
  ["a packing that is broken", "not gzip", { "content-encoding": "gzip" }],
] as [string, string | Buffer, Record<string, string>][])(
  "%s is refused and stands in the ledger",
  async (_, body, headers) => {
    const { url, provider, end } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }));
    const reply = await post(url, body, headers);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body.toString()).error.message).toBeTypeOf("string");
    expect(provider.seen).toHaveLength(0);
    expect(await end()).toMatchObject([{ outcome: "refused", blame: "agent", usage: null }]);
  },
);

test("objects inside objects without end, and a flood of what is refused, harm nobody", async () => {
  const { url, gateway, folder, provider } = await setting(() => ({
    headers: JSON_HEADERS,
    body: [message("hi")],
  }));
  const deep = `{"model":"claude-real","messages":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const reply = await post(url, deep);
  expect([reply.status, reply.body.toString()]).toEqual([400, expect.stringContaining("inside each other")]);
  for (let i = 0; i < 1200; i++) await post(url, ask("claude-other"));
  expect(gateway.totals().refused).toBe(1201);
  expect(fs.readFileSync(path.join(folder, "ledger.jsonl"), "utf8").split("\n").length).toBeLessThan(1010);
  expect(fs.statSync(path.join(folder, "bodies.pack")).size).toBe(0);
  expect((await post(url, ask("claude-real"))).status).toBe(200);
  expect(provider.seen).toHaveLength(1);
});

test("a call that is under way when its trial ends is cut off, and nobody else is blamed", async () => {
  const { url, end, provider } = await setting(() => ({
    headers: STREAM_HEADERS,
    body: [": wait\n\n"],
    hang: true,
  }));
  const reply = post(url, ask("claude-real", "x", { stream: true })).catch(() => null);
  await expect.poll(() => provider.seen.length).toBe(1);
  const lines = await end();
  expect(lines).toMatchObject([{ outcome: "cancelled", blame: "budget", usageSource: "estimated" }]);
  expect(await reply).not.toMatchObject({ whole: true });
});

test("a provider that never begins to answer is given up", async () => {
  const provider = await startProvider(() => new Promise(() => {}));
  const opened = await openSetting({
    folder: temporaryFolder(),
    roles: { default: "anthropic:claude-real" },
    file: { providers: { anthropic: { base_url: provider.url } } },
    timing: { stallMs: 20 },
  });
  endsWithTest(provider, { close: async () => void (await opened.end()) });
  const reply = await post(`${opened.gateway.url}/v1/messages`, ask("claude-real"));
  expect(reply.status).toBeGreaterThanOrEqual(500);
  const [line] = await opened.end();
  expect(line).toMatchObject({ outcome: "failed", blame: "provider", retries: 7 });
  expect(line.problem).toContain("did not begin to answer");
});

test("10 MB of tool arguments and a gzipped body pass", async () => {
  const { url, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }));
  const large = ask("claude-real", "x".repeat(10 * 2 ** 20));
  expect((await post(url, large)).status).toBe(200);
  expect(provider.seen[0].body.length).toBe(large.length);
  const { gzipSync } = await import("node:zlib");
  expect((await post(url, gzipSync(ask("claude-real")), { "content-encoding": "gzip" })).status).toBe(200);
  expect(provider.seen[1].body.toString()).toBe(ask("claude-real"));
});

test("a client that sends two requests on one connection and vanishes leaves two lines and no work behind", async () => {
  const { gateway, provider, end } = await setting(() => ({
    headers: STREAM_HEADERS,
    body: [": wait\n\n"],
    hang: true,
  }));
  const port = Number(new URL(gateway.url!).port);
  const body = ask("claude-real", "x", { stream: true });
  const one = `POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const socket = net.connect(port, "127.0.0.1", () => socket.write(one + one));
  await expect.poll(() => provider.seen.length).toBeGreaterThan(0);
  socket.destroy();
  await expect.poll(() => provider.seen.every(({ aborted }) => aborted)).toBe(true);
  const lines = await end();
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.every(({ outcome }) => outcome === "cancelled")).toBe(true);
});

test("a WebSocket is refused at once", async () => {
  const { gateway } = await setting(() => ({ headers: JSON_HEADERS, body: [] }));
  const status = await new Promise((resolve, reject) => {
    const request = http.request(`${gateway.url}/v1/responses`, {
      headers: { connection: "Upgrade", upgrade: "websocket" },
    });
    request.on("response", (response) => resolve(response.statusCode));
    request.on("error", reject);
    request.end();
  });
  expect(status).toBe(404);
});

test.each([
  ["compatible", { max_tokens: 100, top_k: 40 }],
  ["openai", { max_completion_tokens: 100 }],
])("what is translated for a server called %s has the fields that it knows", async (provider, expected) => {
  const made = await gatewayBefore(
    () => ({ headers: JSON_HEADERS, body: [completion("hi")] }),
    (address) => ({
      roles: { default: "m" },
      file: { models: { m: { model: `${provider}:m`, base_url: `${address}/v1`, protocols: ["chat"] } } },
    }),
  );
  expect((await post(made.url, ask("m", "Hello", { top_k: 40 }))).status).toBe(200);
  const messages = [{ role: "user", content: "Hello" }];
  expect(JSON.parse(made.provider.seen[0].body.toString())).toEqual({ model: "m", messages, ...expected });
});
