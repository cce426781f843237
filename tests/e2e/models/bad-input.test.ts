import http from "node:http";
import { describe, expect, test } from "vitest";
import type { LedgerLine } from "../../../src/models/ledger/schema.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { endsWithTest } from "./ends-with-test.ts";
import {
  anthropicError,
  JSON_HEADERS,
  message,
  messageStream,
  type ProviderAnswer,
  STREAM_HEADERS,
  startProvider,
} from "./fake-provider.ts";
import { ask, openSetting, post, type Reply, type SettingRequest } from "./gateway-setting.ts";

async function start(
  answer: (number: number) => ProviderAnswer | Promise<ProviderAnswer>,
  more: Partial<SettingRequest> = {},
  protocols = ["messages"],
) {
  const provider = await startProvider((_, number) => answer(number));
  const price = { input: 1, output: 1 };
  const models = { m: { model: "anthropic:claude-real", base_url: provider.url, price, protocols } };
  const setting = await openSetting({
    folder: temporaryFolder(),
    roles: { default: "m" },
    file: { models, providers: { anthropic: { concurrency: 1 } } },
    ...more,
    timing: { retryMs: 1, tries: 2, ...more.timing },
  });
  endsWithTest(provider, setting.gateway);
  return { ...setting, provider, url: setting.gateway.url! };
}

const OK: ProviderAnswer = { headers: JSON_HEADERS, body: [message("fine")] };
const CALL = (stream: boolean) => ask("claude-real", "x", { stream });
const PATHS = { messages: "/v1/messages", chat: "/v1/chat/completions" };
const says = (body: ProviderAnswer["body"], headers = JSON_HEADERS): ProviderAnswer => ({ headers, body });

/** 10 MB of arguments, and two calls of one id. */
const TOOLS = [
  ["t", { text: "a".repeat(10 * 2 ** 20) }],
  ["t", {}],
].map(([id, input]) => ({ type: "tool_use", id, name: "write", input }));
const withTools = JSON.stringify({ ...JSON.parse(message("")), content: TOOLS, stop_reason: "tool_use" });
const odd = Buffer.concat([
  ...[message("fine").split("fine")[0], "a"].map((text) => Buffer.from(text)),
  Buffer.from([0xff, 0xfe, 0xc3]),
  Buffer.from(message("fine").split("fine")[1]),
]);
const endless = Array.from({ length: 400 }, () =>
  messageStream("x".repeat(20)).filter((event) => event.includes("text_delta")),
).flat();

/** The list of the issue: what comes, what the client says, and how it must stand on record. */
const CASES: [string, ProviderAnswer, { stream?: boolean; body?: Buffer | string }, Partial<LedgerLine>][] = [
  ["malformed JSON", OK, { body: '{"model":"claude-real",' }, { outcome: "refused", blame: "agent" }],
  [
    "invalid UTF-8 from an agent",
    OK,
    { body: Buffer.concat([Buffer.from('{"model":"'), Buffer.from([0xff])]) },
    { outcome: "refused", blame: "agent" },
  ],
  [
    "half a stream",
    says(messageStream("fine").slice(0, 4), STREAM_HEADERS),
    { stream: true },
    { outcome: "failed", blame: "provider" },
  ],
  [
    "a 200 with an error inside",
    says([anthropicError("overloaded_error", "busy")]),
    {},
    { outcome: "failed", blame: "provider" },
  ],
  [
    "HTML from a proxy",
    says(["<html><title>Bad gateway</title></html>"], { "content-type": "text/html" }),
    {},
    { outcome: "failed", blame: "provider" },
  ],
  [
    "a missing usage block",
    says([message("fine").replace(/,"usage":\{.*?\}/, "")]),
    {},
    { outcome: "answered", blame: null, usageSource: "estimated" },
  ],
  [
    "10 MB of tool arguments and ids that occur twice",
    says([withTools]),
    {},
    { outcome: "answered", blame: null, stopReason: "tools" },
  ],
  ["invalid UTF-8 from a provider", says([odd]), {}, { outcome: "answered", blame: null }],
  [
    "a model that never stops",
    says([messageStream("x")[0], messageStream("x")[1], ...endless], STREAM_HEADERS),
    { stream: true },
    { outcome: "failed", blame: "provider" },
  ],
];

describe.each(Object.entries(PATHS))("a client of %s", (_, path) => {
  test.each(CASES)("%s ends as it should, and is on record", async (name, answer, how, expected) => {
    const { url, end, provider } = await start(() => answer, { timing: { streamBytes: 500_000 } });
    const reply = await post(`${url}${path}`, how.body ?? CALL(how.stream === true));
    const lines = await end();
    expect(lines).toMatchObject([expected]);
    if (expected.outcome === "answered") {
      expect(reply.status).toBe(200);
      return;
    }
    expect(lines[0].problem).toMatch(/\w{4}/);
    expect(provider.seen.length > 0).toBe(expected.blame === "provider");
    // Told as an error of the client's own protocol, or cut where that is too late.
    if (reply.whole)
      expect([name, reply.body.toString()]).toEqual([name, expect.stringContaining('"error"')]);
  });
});

test("calls of one id in a reply have two for a client of another protocol", async () => {
  const { url } = await start(() => says([withTools]));
  const reply = await post(`${url}${PATHS.chat}`, CALL(false));
  const [{ message: said }] = JSON.parse(reply.body.toString()).choices;
  expect(new Set(said.tool_calls.map(({ id }: { id: string }) => id)).size).toBe(2);
  expect(said.tool_calls[0].function.arguments.length).toBeGreaterThan(10 * 2 ** 20);
});

const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", ...fields })}\n\n`;
const CHUNKS = [
  chunk({ choices: [{ index: 0, delta: { content: 'he said "usage"' } }], usage: null }),
  ": a comment\n\n",
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
];
const USAGE = chunk({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } });

test.each([1, 7, 50, 5000])(
  "who has not asked for usage gets no chunk without choices, though it is metered, in pieces of %i bytes",
  async (size) => {
    for (const [unasked, ending] of [
      [true, "\n"],
      [true, "\r\n"],
      [false, "\n"],
    ] as const) {
      const spelled = (events: string[]) => Buffer.from(events.join("").replaceAll("\n", ending));
      const whole = spelled([...CHUNKS, USAGE, "data: [DONE]\n\n"]);
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
        whole.subarray(i * size, (i + 1) * size),
      );
      const { url, end, provider } = await start(() => says(pieces, STREAM_HEADERS), {}, ["chat"]);
      const more = unasked ? {} : { stream_options: { include_usage: true } };
      const reply = await post(`${url}${PATHS.chat}`, ask("m", "x", { stream: true, ...more }));
      const wanted = unasked ? spelled([...CHUNKS, "data: [DONE]\n\n"]) : whole;
      expect(reply.body.toString()).toBe(wanted.toString());
      expect(JSON.parse(provider.seen[0].body.toString()).stream_options.include_usage).toBe(true);
      expect(await end()).toMatchObject([
        { outcome: "answered", usageSource: "reported", usage: { inputUncached: 7, output: 3 } },
      ]);
    }
  },
);

/** A client that reads nothing of its reply. */
function deafCall(url: string): { request: http.ClientRequest; began: Promise<void> } {
  const request = http.request(`${url}${PATHS.messages}`, { method: "POST", agent: false });
  const began = new Promise<void>((resolve) => {
    request.on("response", (response) => {
      response.pause();
      resolve();
    });
  });
  request.on("error", () => {});
  request.end(CALL(true));
  return { request, began };
}

test("who does not read does not keep the provider's place from others", async () => {
  // More than what lies in the system's own buffers would be too much for this test's purpose.
  const long = messageStream("x".repeat(2000));
  const { url, ledger } = await start((number) => (number === 1 ? says(long, STREAM_HEADERS) : OK));
  const deaf = deafCall(url);
  await deaf.began;
  const reply = await post(`${url}${PATHS.messages}`, CALL(false));
  expect(reply.status).toBe(200);
  expect(ledger().map(({ outcome }) => outcome)).toEqual(["answered", "answered"]);
  deaf.request.destroy();
});

test("who reads nothing for long has gone, and the provider is not to blame", async () => {
  const flood = Buffer.from(messageStream("x".repeat(100_000)).join(""));
  const { url, ledger } = await start(() => says([flood], STREAM_HEADERS), { timing: { stallMs: 300 } });
  const deaf = deafCall(url);
  await deaf.began;
  await expect.poll(() => ledger().length, { timeout: 20_000 }).toBe(1);
  deaf.request.destroy();
  const [line] = ledger();
  expect(line).toMatchObject({ outcome: "cancelled", blame: "agent" });
  expect(line.problem).toContain("has read nothing");
});

test("who hangs up while its call waits to be tried again pays nothing", async () => {
  const busy = { status: 529, headers: JSON_HEADERS, body: [anthropicError("overloaded_error", "busy")] };
  const { url, end, provider } = await start(() => busy, { timing: { retryMs: 60_000, tries: 8 } });
  const given: Promise<Reply> = post(`${url}${PATHS.messages}`, CALL(true), {}, { abortAfterMs: 400 });
  await given;
  await expect.poll(() => provider.seen.length, { timeout: 5000 }).toBe(1);
  const [line] = await end();
  expect(line).toMatchObject({ outcome: "cancelled", blame: "agent", usage: null, cost: null });
  expect(line.milliseconds.waiting).toBeGreaterThan(100);
});
