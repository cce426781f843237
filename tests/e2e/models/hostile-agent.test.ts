import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import zlib from "node:zlib";
import { expect, test } from "vitest";
import type { LedgerLine } from "../../../src/models/ledger/schema.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { endsWithTest } from "./ends-with-test.ts";
import { JSON_HEADERS, message, type SeenRequest, startProvider } from "./fake-provider.ts";
import { ask, openSetting, post } from "./gateway-setting.ts";

async function start(withToken = true) {
  const provider = await startProvider(() => ({ headers: JSON_HEADERS, body: [message("fine")] }));
  const folder = temporaryFolder();
  const setting = await openSetting({
    folder,
    roles: { default: "m" },
    withToken,
    file: {
      models: {
        m: { model: "anthropic:claude-real", base_url: provider.url, price: { input: 1, output: 1 } },
      },
    },
  });
  endsWithTest(provider, setting.gateway);
  return { ...setting, provider, url: setting.gateway.url! };
}

interface Heard {
  text: string;
  lines: LedgerLine[];
  seen: SeenRequest[];
}

/** Writes these bytes over one connection and hears what comes until the gateway closes it. */
async function say(bytes: (token: string) => (string | Buffer)[]): Promise<Heard> {
  const { gateway, provider, end, url } = await start();
  const socket = net.connect(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (const piece of bytes(gateway.token!)) socket.write(piece);
  await closed;
  return { text, lines: await end(), seen: provider.seen };
}

const BODY = ask("claude-real");
const CALL = "POST /v1/messages HTTP/1.1";
const with_ = (more: string) => BODY.replace(/}$/, `,${more}}`);

/** A request that ends its connection. */
function request(
  token: string,
  {
    line = CALL,
    headers = [],
    body = BODY,
  }: { line?: string; headers?: string[]; body?: string | Buffer } = {},
): Buffer {
  const lengths = headers.some((header) => /^(content-length|transfer-encoding)/.test(header))
    ? []
    : [`content-length: ${Buffer.byteLength(body)}`];
  const head = [line, "host: x", "connection: close", `x-api-key: ${token}`, ...lengths, ...headers, "", ""];
  return Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), Buffer.from(body as string)]);
}

const length = `content-length: ${BODY.length}`;
const SMUGGLED = `0\r\n\r\n${CALL}\r\nhost: x\r\n\r\n`;

test.each([
  ["a length and chunks", [length, "transfer-encoding: chunked"], SMUGGLED],
  ["two lengths", ["content-length: 3", length], BODY],
  ["an unknown transfer", ["transfer-encoding: xchunked", length], BODY],
  ["a blank before the colon", ["transfer-encoding : chunked"], SMUGGLED],
  ["a negative length", ["content-length: -5"], BODY],
  ["a head of 100 KB", [`x: ${"a".repeat(100_000)}`], BODY],
  ["a line that ends within a header", ["x: a\rx-api-key: b"], BODY],
])(
  "%s is not a request: it is answered with 400, nobody is asked, and it is on record",
  async (_, headers, body) => {
    const { text, lines, seen } = await say((token) => [request(token, { headers, body })]);
    expect([text.startsWith("HTTP/1.1 400 "), seen.length]).toEqual([true, 0]);
    expect(lines).toMatchObject([{ outcome: "refused", blame: "agent", status: 400 }]);
    expect(lines[0].problem).toContain("not a request of HTTP");
  },
);

test.each([
  ["POST //v1/messages HTTP/1.1"],
  ["POST /v1/../v1/messages HTTP/1.1"],
  ["POST /v1/%6dessages HTTP/1.1"],
  ["POST http://elsewhere.example/v1/messages HTTP/1.1"],
  ["PUT /v1/messages HTTP/1.1"],
  ["TRACE /v1/messages HTTP/1.1"],
  ["OPTIONS * HTTP/1.1"],
  ["POST /v1/files HTTP/1.1"],
])("%s leads nowhere", async (line) => {
  const { text, seen } = await say((token) => [request(token, { line })]);
  expect([text.slice(0, 13), seen.length]).toEqual(["HTTP/1.1 404 ", 0]);
});

test("a gateway is not a proxy", async () => {
  const { text, seen } = await say((token) => [
    `CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: x\r\nx-api-key: ${token}\r\n\r\n`,
  ]);
  expect([text, seen.length]).toEqual(["", 0]);
});

test("whoever wishes for HTTP/2 or promises its body later is served as the standard has it", async () => {
  const h2 = ["connection: upgrade, http2-settings", "upgrade: h2c", "http2-settings: AAA"];
  for (const headers of [h2, ["expect: 100-continue"]]) {
    const { text, seen } = await say((token) => [request(token, { headers })]);
    expect([text.includes("HTTP/1.1 200 OK"), seen.length]).toEqual([true, 1]);
  }
});

test("two requests on one connection are two calls, and a token counts for its own request only", async () => {
  const both = await say((token) => [
    request(token).toString().replace("connection: close\r\n", ""),
    request(token),
  ]);
  expect(both.lines.map(({ outcome }) => outcome)).toEqual(["answered", "answered"]);
  const second = await say((token) => [
    request(token).toString().replace("connection: close\r\n", ""),
    request("somebody-elses"),
  ]);
  expect(second.seen.length).toBeLessThan(2);
  expect(second.lines.map(({ outcome }) => outcome)).toContain("refused");
});

test("of headers and query a provider gets what its protocol knows, and none of the agent's keys", async () => {
  const { seen, lines } = await say((token) => [
    request(token, {
      line: "POST /v1/messages?beta=true&key=abc&fields=x&api_key=zz&model=other HTTP/1.1",
      headers: [
        "openai-organization: other",
        "anthropic-beta: b",
        "cookie: a=b",
        "authorization: Bearer zzz",
      ],
    }),
  ]);
  expect(seen[0].url).toBe("/v1/messages?beta=true");
  const { "anthropic-beta": beta, "x-api-key": key, ...rest } = seen[0].headers;
  expect([beta, key?.includes("real-key")]).toEqual(["b", true]);
  expect(Object.keys(rest).sort()).toEqual(
    "accept accept-encoding connection content-length content-type host user-agent".split(" "),
  );
  expect(lines[0].notes.join()).toContain('"fields" was left out of the query');
});

const TOOLS = `"tools":[{"type":"web_search_20250305","name":"w"}]`;

test.each([
  ["Model", `"Model":"other"`],
  ["TOOLS", TOOLS.replace("tools", "TOOLS")],
  ["a long s", TOOLS.replace("tools", "tool\u017f")],
  ["the Kelvin sign", `"cache_to\u212aen":1,"bac\u212aground":true`],
  ["Plugins", `"Plugins":[{"id":"web"}]`],
  ["a text for stream", `"stream":"true"`],
  ["a number for stream", `"stream":1`],
  ["a text for n", `"n":"50"`],
  ["a list for n", `"n":[50]`],
  ["an object for tools", `"tools":{"0":{"type":"web_search_20250305"}}`],
  ["a text for a limit", `"max_output_tokens":"1"`],
  ["a key twice, once with escapes", `"mod\\u0065l":"other"`],
])("what a provider could read otherwise is refused: %s", async (_, more) => {
  const { text, lines, seen } = await say((token) => [request(token, { body: with_(more) })]);
  expect([text.slice(0, 13), seen.length]).toEqual(["HTTP/1.1 400 ", 0]);
  expect(lines).toMatchObject([{ outcome: "refused", blame: "agent" }]);
});

const user = (part: object) =>
  JSON.stringify({ model: "claude-real", max_tokens: 5, messages: [{ role: "user", content: [part] }] });

test.each([
  ["one slash", { type: "image_url", image_url: { url: "https:/example.org/x.png" } }],
  ["no scheme", { type: "image_url", image_url: { url: "//example.org/x.png" } }],
  ["a blank before it", { type: "image_url", image_url: " \u0001https://example.org/x.png" }],
  ["a file's data", { type: "file", file: { file_data: "https://example.org/x.pdf" } }],
  ["a stored file", { fileData: { fileUri: "files/abc" } }],
  ["a stored item", { type: "item_reference", id: "msg_1" }],
])("an address in disguise is refused: %s", async (_, part) => {
  const { text, seen } = await say((token) => [request(token, { body: user(part) })]);
  expect([text.slice(0, 13), seen.length]).toEqual(["HTTP/1.1 400 ", 0]);
});

test("a picture by its data passes", async () => {
  const { seen } = await say((token) => [
    request(token, {
      body: user({ type: "image_url", image_url: { url: "data:image/png;base64,//uQAAAA" } }),
    }),
  ]);
  expect(seen).toHaveLength(1);
});

test("what a small body becomes in memory counts: 64 MB in 64 KB, and millions of values", async () => {
  const { url, end, provider } = await start(false);
  const empty = zlib.gzipSync(`{"model":"claude-real","messages":[${"{},".repeat(20e6)}{}]}`);
  const from = performance.now();
  const replies = await Promise.all(
    Array.from({ length: 3 }, () => post(`${url}/v1/messages`, empty, { "content-encoding": "gzip" })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(3).fill(413));
  // Parsing one of them takes 20 seconds and two gigabytes.
  expect(performance.now() - from).toBeLessThan(30_000);
  expect(provider.seen).toHaveLength(0);
  expect((await end()).every(({ outcome, blame }) => outcome === "refused" && blame === "agent")).toBe(true);
}, 60_000);

test("names an agent gives are a line of the ledger at most, and a few in the certificate", async () => {
  const { url, gateway, end, folder } = await start(false);
  await post(`${url}/v1/messages`, ask("m".repeat(3e6)));
  await post(`${url}/v1/messages`, BODY, { "x-mlebench-role": "r".repeat(12_000) });
  const tools = Array.from({ length: 1000 }, (_, i) => ({ type: `web_${i}${"x".repeat(1000)}`, name: "w" }));
  await post(`${url}/v1/messages`, ask("claude-real", "x", { tools }));
  await post(`${url}/v1/messages?${"abc=d&".repeat(2000)}`, BODY);
  const lines = await end();
  expect(lines.map(({ outcome }) => outcome)).toEqual(["refused", "refused", "answered", "answered"]);
  for (const line of lines) expect(JSON.stringify(line).length).toBeLessThan(8000);
  expect(fs.statSync(path.join(folder, "ledger.jsonl")).size).toBeLessThan(20_000);
  const { providerToolsRefused } = gateway.record();
  expect(JSON.stringify(providerToolsRefused).length).toBeLessThan(5000);
  expect(Object.values(providerToolsRefused).reduce((sum, count) => sum + count, 0)).toBe(1000);
});
