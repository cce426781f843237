// full: a neighbour is kept busy for seconds
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { readTranscripts } from "../../../src/models/transcripts/read.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { endsWithTest } from "./ends-with-test.ts";
import { JSON_HEADERS, message, messageStream, STREAM_HEADERS, startProvider } from "./fake-provider.ts";
import { ask, openSetting, openTrial, post, type SettingRequest } from "./gateway-setting.ts";

async function start(more: Partial<SettingRequest> = {}) {
  const provider = await startProvider(({ body }) =>
    body.includes('"stream":true')
      ? { headers: STREAM_HEADERS, body: messageStream("fine").flatMap((event) => [event, 20]) }
      : { headers: JSON_HEADERS, body: [message("fine")] },
  );
  const folder = temporaryFolder();
  const setting = await openSetting({
    folder,
    roles: { default: "m" },
    file: {
      models: {
        m: { model: "anthropic:claude-real", base_url: provider.url, price: { input: 1, output: 1 } },
      },
    },
    ...more,
  });
  endsWithTest(provider, setting.gateway);
  return { ...setting, provider, place: folder, url: setting.gateway.url! };
}

/** A list of so many of the same, as text: quicker than JSON.stringify. */
const many = (count: number, item: object) => Array(count).fill(JSON.stringify(item)).join(",");

test("forty thousand tool calls of one id are translated like any others", async () => {
  const { url, provider } = await start();
  const call = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };
  const messages = `[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[${many(40_000, call)}]},{"role":"user","content":"x"}]`;
  // Compared with each other they would take minutes, in which no trial of the harness is served.
  expect((await post(`${url}/v1/chat/completions`, `{"model":"m","messages":${messages}}`)).status).toBe(200);
  const { content } = JSON.parse(provider.seen[0].body.toString()).messages[1];
  expect(new Set(content.map(({ id }: { id: string }) => id)).size).toBe(40_000);
});

test("whoever keeps the harness busy does not keep it from its other trials", async () => {
  const { models, place, url } = await start();
  const other = await openTrial(models, { folder: path.join(place, "other") });
  endsWithTest(other.gateway);
  const heavy = `{"model":"m","max_tokens":1,"messages":[${many(70_000, { role: "user", content: "x" })}]}`;
  let served = 0;
  let heavyOnes = 0;
  const flood = Array.from({ length: 6 }, async () => {
    for (; served < 25; heavyOnes++) expect((await post(`${url}/v1/messages`, heavy)).status).toBe(200);
  });
  for (; served < 25; served++)
    expect((await post(`${other.gateway.url}/v1/messages`, ask("m"))).status).toBe(200);
  await Promise.all(flood);
  // Taken as they come, each of the other's calls would wait for one or more of the flood.
  expect(heavyOnes).toBeLessThan(served);
}, 60_000);

test("what lists a hundred thousand messages takes little room, and can be read back", async () => {
  const { url, folder, end } = await start();
  const bodies = [100_000, 100_001].map(
    (count) => `{"model":"m","max_tokens":1,"messages":[${many(count, {})}]}`,
  );
  for (const body of bodies) await post(`${url}/v1/messages`, body);
  await end();
  expect(fs.statSync(path.join(folder, "transcript.jsonl")).size).toBeLessThan(2e6);
  const kept = [...readTranscripts(folder)].map(({ request }) => request?.toString());
  expect(kept.map((body, i) => body === bodies[i])).toEqual([true, true]);
});

test("a ledger that is full takes no further call, and says so", async () => {
  const { url, provider, end } = await start({ timing: { ledgerBytes: 3000 } });
  let refused = "";
  for (let calls = 0; refused === "" && calls < 20; calls++) {
    const reply = await post(`${url}/v1/messages`, ask("m"));
    if (reply.status !== 200) refused = reply.body.toString();
  }
  expect(refused).toContain("as many calls as can be kept on record");
  const lines = await end();
  expect(lines.filter(({ outcome }) => outcome === "answered")).toHaveLength(provider.seen.length);
  expect(lines.at(-1)).toMatchObject({ outcome: "refused", blame: "agent" });
});

test("who goes away while its tokens are counted keeps no memory from its later calls", async () => {
  const { url } = await start();
  const half = Buffer.alloc(45e6, " ");
  for (let i = 0; i < 7; i++)
    await new Promise<void>((resolve) => {
      const request = http.request(`${url}/v1/messages/count_tokens`, { method: "POST", agent: false });
      request.setHeader("content-length", half.length + 1);
      request.on("error", () => {});
      request.on("close", () => resolve());
      request.write(half, () => request.destroy());
    });
  expect((await post(`${url}/v1/messages`, ask("m"))).status).toBe(200);
});

test("what is no request, behind two that are, ends them and writes nothing between their bytes", async () => {
  const { url, end } = await start();
  const body = ask("m", "x", { stream: true });
  const call = (text: string) =>
    `POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  const socket = net.connect(Number(new URL(url).port), "127.0.0.1");
  let heard = "";
  socket.on("error", () => {});
  socket.write(call(ask("m")) + call(body));
  await new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.on("data", (chunk) => {
      heard += chunk;
      if (heard.includes("message_start")) socket.write("no request at all\r\n\r\n");
    });
  });
  expect(heard).not.toContain("400 Bad Request");
  expect((await end()).map(({ outcome }) => outcome)).toEqual(["answered", "cancelled"]);
});

test("requests without end over one connection are cut off with it, and take no memory", async () => {
  const { url, provider, gateway, end } = await start();
  const text = ask("m");
  const calls =
    `POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: ${text.length}\r\n\r\n${text}`.repeat(500);
  for (let i = 0; i < 3; i++) {
    const socket = net.connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(calls);
    await closed;
  }
  await expect.poll(() => gateway.totals().refused, { timeout: 5000 }).toBe(3);
  expect((await post(`${url}/v1/messages`, text)).status).toBe(200);
  const lines = await end();
  expect(provider.seen.length).toBeLessThan(3 * 8 + 2);
  expect(lines.filter(({ outcome }) => outcome === "refused").map(({ blame }) => blame)).toEqual(
    Array(3).fill("agent"),
  );
  expect(lines.length).toBeLessThanOrEqual(3 * 9 + 1);
});
