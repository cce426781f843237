import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { stringify } from "yaml";
import { readTranscripts } from "../../../src/models/transcripts/read.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import {
  completion,
  type FakeProvider,
  JSON_HEADERS,
  message,
  messageStream,
  type ProviderAnswer,
  type SeenRequest,
  STREAM_HEADERS,
  startProvider,
} from "./fake-provider.ts";
import { filesBelow } from "./files-below.ts";
import {
  ask,
  openSetting,
  openTrial,
  post,
  REAL_KEY,
  type Setting,
  type SettingRequest,
} from "./gateway-setting.ts";

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const PRICE = { input: 2, output: 10 };

async function setting(
  answer: (request: SeenRequest, number: number) => ProviderAnswer,
  more: Partial<SettingRequest> = {},
): Promise<Setting & { provider: FakeProvider; url: string }> {
  const provider = await startProvider(answer);
  const opened = await openSetting({
    folder: temporaryFolder(),
    roles: { default: "anthropic:claude-real" },
    file: {
      models: {
        "anthropic-claude": { model: "anthropic:claude-real", base_url: provider.url, price: PRICE },
      },
      providers: {
        anthropic: { base_url: provider.url },
        openai: { base_url: `${provider.url}/v1` },
        gemini: { base_url: provider.url },
      },
    },
    ...more,
  });
  open.push(provider, { close: async () => void (await opened.end()) });
  return { ...opened, provider, url: `${opened.gateway.url}/v1/messages` };
}

/** 10,000 tokens in and 10,000 out: 12 cents. */
const expensive = () => ({
  headers: JSON_HEADERS,
  body: [message("x", { input_tokens: 10_000, output_tokens: 10_000 })],
});

test("a budget of $0.50 ends at most one call over it, with status 400 in the client's own shape", async () => {
  const { url, provider, gateway, end } = await setting(expensive, {
    roles: { default: "anthropic-claude" },
    settings: { trialLimits: { cost: 0.5 } },
  });
  const statuses: number[] = [];
  for (let i = 0; i < 8; i++) statuses.push((await post(url, ask("claude-real"))).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 400, 400, 400]);
  const refused = await post(url, ask("claude-real"));
  expect(JSON.parse(refused.body.toString())).toMatchObject({
    type: "error",
    error: { type: "invalid_request_error", message: expect.stringContaining("$0.5") },
  });
  expect(gateway.budgetSpent()).toBe(true);
  expect(provider.seen).toHaveLength(5);
  const lines = await end();
  expect(gateway.totals().cost).toBeCloseTo(0.6, 10);
  expect(lines.slice(5).every(({ outcome, blame }) => outcome === "refused" && blame === "budget")).toBe(
    true,
  );
});

test("many calls at once do not run over a budget either: they wait for what is under way", async () => {
  const { url, gateway } = await setting(
    () => ({
      headers: JSON_HEADERS,
      body: [20, message("x", { input_tokens: 10_000, output_tokens: 10_000 })],
    }),
    { roles: { default: "anthropic-claude" }, settings: { trialLimits: { cost: 0.5 } } },
  );
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => post(url, ask("claude-real", "x", { max_tokens: 10_000 }))),
  );
  expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(5);
  expect(gateway.totals().cost).toBeLessThanOrEqual(0.62);
});

test("limits on calls and tokens count, and those of a group are shared by its trials", async () => {
  const { url, models, folder } = await setting(expensive, {
    roles: { default: "anthropic-claude" },
    settings: { groupLimits: { calls: 3 }, trialLimits: { tokens: 30_000 } },
  });
  const second = await openTrial(models, { folder: path.join(path.dirname(folder), "second") });
  open.push({ close: async () => void (await second.end()) });
  const other = `${second.gateway.url}/v1/messages`;
  const status = async (where: string) => (await post(where, ask("claude-real"))).status;
  expect(await status(url)).toBe(200);
  expect(await status(url)).toBe(200);
  expect(await status(url)).toBe(400);
  expect(await status(other)).toBe(200);
  expect(await status(other)).toBe(400);
});

test("a limit on cost is refused when nobody knows the price", async () => {
  await expect(
    openSetting({
      folder: temporaryFolder(),
      roles: { default: "anthropic:claude-of-tomorrow" },
      settings: { trialLimits: { cost: 1 } },
    }),
  ).rejects.toThrow("Nobody knows what anthropic:claude-of-tomorrow costs");
});

test("an unknown price makes a cost null and the totals incomplete, never 0", async () => {
  const { url, gateway, end } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }));
  await post(url, ask("claude-real"));
  expect(await end()).toMatchObject([{ cost: null, costSource: null, usage: { inputUncached: 10 } }]);
  expect(gateway.totals()).toMatchObject({ cost: null, complete: false });
});

test("a reply without usage is estimated and says so", async () => {
  const { gateway, end } = await setting(
    () => ({ headers: JSON_HEADERS, body: [completion("four words are here", null)] }),
    {
      roles: { default: "openai:gpt-5" },
    },
  );
  await post(`${gateway.url}/v1/chat/completions`, ask("gpt-5"));
  const [line] = await end();
  expect(line).toMatchObject({ outcome: "answered", usageSource: "estimated" });
  expect(line.usage!.output).toBeGreaterThan(0);
  expect(line.cost).toBeGreaterThan(0);
  expect(gateway.totals().complete).toBe(false);
});

const IMPOSSIBLE = ["-1", "1e999", "1e13", '"5"', "true"];

test.each(IMPOSSIBLE)(
  "a usage of %s tokens counts as none: it is estimated, and budgets hold",
  async (count) => {
    const chat = completion("four words are here", null).replace(
      /}$/,
      `,"usage":{"prompt_tokens":${count},"completion_tokens":5,"cost":-3}}`,
    );
    const claude = message("four words are here").replace('"output_tokens":5', `"output_tokens":${count}`);
    const google = `{"candidates":[{"content":{"parts":[{"text":"four words are here"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":${count}}}`;
    const streamed = messageStream("four words are here").map((event) =>
      event.includes("message_delta")
        ? event.replace('"output_tokens":5', `"output_tokens":${count}`)
        : event,
    );
    const { gateway, url, end } = await setting(
      ({ url, body }) => {
        if (url.includes("generateContent")) return { headers: JSON_HEADERS, body: [google] };
        if (url.includes("chat")) return { headers: JSON_HEADERS, body: [chat] };
        const stream = JSON.parse(body.toString()).stream === true;
        return stream
          ? { headers: STREAM_HEADERS, body: streamed }
          : { headers: JSON_HEADERS, body: [claude] };
      },
      {
        roles: { a: "anthropic-claude", b: "openai:gpt-5", c: "gemini:gemini-2.5-pro" },
        settings: { trialLimits: { tokens: 1_000_000 } },
      },
    );
    await post(url, ask("claude-real"));
    await post(url, ask("claude-real", "Hello", { stream: true }));
    await post(`${gateway.url}/v1/chat/completions`, ask("gpt-5"));
    const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
    await post(`${gateway.url}/v1beta/models/gemini-2.5-pro:generateContent`, JSON.stringify({ contents }));
    const lines = await end();
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toMatchObject({ outcome: "answered", usageSource: "estimated" });
      expect(line.usage!.inputUncached).toBeGreaterThan(0);
      expect(line.usage!.output).toBeGreaterThan(0);
      expect(line.usage!.output).toBeLessThan(100);
      expect(line.cost).toBeGreaterThan(0);
    }
    expect(gateway.totals().complete).toBe(false);
  },
);

test("several replies at once are reserved several times", async () => {
  const { gateway, provider } = await setting(
    () => ({ headers: JSON_HEADERS, body: [150, completion("x")] }),
    { roles: { default: "openai:gpt-5" }, settings: { trialLimits: { tokens: 1500 } } },
  );
  const url = `${gateway.url}/v1/chat/completions`;
  const both = [post(url, ask("gpt-5", "x", { n: 20 })), post(url, ask("gpt-5", "x", { n: 20 }))];
  await expect.poll(() => provider.seen.length).toBe(1);
  await Promise.race(both);
  expect(provider.seen).toHaveLength(1);
  await Promise.all(both);
  expect(provider.seen).toHaveLength(2);
});

test("what reaches the network under another name is taken out and noted, at whatever depth it stands", async () => {
  const { gateway, provider, end } = await setting(
    () => ({ headers: JSON_HEADERS, body: [completion("hi")] }),
    { roles: { default: "openai:gpt-5" } },
  );
  const url = `${gateway.url}/v1/chat/completions`;
  const more = {
    plugins: [{ id: "web" }],
    provider: { order: ["x"] },
    search_parameters: { mode: "on" },
    container: "c_1",
  };
  await post(url, ask("gpt-5", "x", more));
  const mine = { type: "function", name: "mine", parameters: {} };
  const deep = { type: "namespace", name: "d", tools: [{ type: "web_search" }] };
  const tools = [{ type: "namespace", name: "n", tools: [{ type: "web_search" }, mine, deep] }];
  const found = {
    type: "tool_search_output",
    tools: [{ type: "mcp", server_url: "https://x.example" }, mine],
  };
  await post(
    `${gateway.url}/v1/responses`,
    JSON.stringify({ model: "gpt-5", input: [found], tools, tool_choice: "auto" }),
  );
  expect(JSON.parse(provider.seen[0].body.toString())).toEqual(JSON.parse(ask("gpt-5", "x")));
  expect(JSON.parse(provider.seen[1].body.toString())).toEqual({
    model: "gpt-5",
    input: [{ type: "tool_search_output", tools: [mine] }],
    tools: [{ type: "namespace", name: "n", tools: [mine] }],
    tool_choice: "auto",
  });
  const lines = await end();
  for (const name of ["plugins", "provider", "search_parameters", "container"])
    expect(lines[0].notes.join("\n"), name).toContain(name);
  expect(lines[1].notes.join()).toContain("web_search, web_search, mcp");
  expect(gateway.record().providerToolsRefused).toMatchObject({ plugins: 1, container: 1 });
});

test.each([
  ["models", ["other/model"]],
  ["route", "fallback"],
  ["preset", "mine"],
  ["fallbacks", ["other"]],
  ["prompt", { id: "pmpt_1" }],
  ["background", true],
  ["previous_response_id", "resp_1"],
  ["conversation", "conv_1"],
  ["cachedContent", "cachedContents/1"],
  ["cached_content", "cachedContents/1"],
  ["api_base", "https://elsewhere.example"],
])("a request that chooses another model or something stored is refused: %s", async (name, value) => {
  for (const providerTools of [false, true]) {
    const { url, provider, end } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }), {
      settings: { providerTools },
    });
    const refused = await post(url, ask("claude-real", "x", { [name]: value }));
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.body.toString())).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining(`"${name}"`) },
    });
    expect((await post(url, ask("claude-real", "x", { [name]: null }))).status).toBe(200);
    expect(provider.seen).toHaveLength(1);
    expect((await end())[0]).toMatchObject({ outcome: "refused", blame: "agent" });
  }
});

test("only the trial's own token opens the door, in any header a protocol has for keys", async () => {
  const { url, gateway, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }), {
    withToken: true,
  });
  const token = gateway.token!;
  for (const headers of [
    { authorization: `Bearer ${token}` },
    { "x-api-key": token },
    { "api-key": token },
    { "x-goog-api-key": token },
  ] as Record<string, string>[])
    expect((await post(url, ask("claude-real"), headers)).status).toBe(200);
  for (const headers of [{}, { "x-api-key": `${token}x` }, { authorization: "Bearer " }] as Record<
    string,
    string
  >[])
    expect((await post(url, ask("claude-real"), headers)).status).toBe(401);
  expect(provider.seen).toHaveLength(4);
});

test("a model the run did not name is refused by its name, and nobody is asked", async () => {
  const { url, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }));
  const reply = await post(url, ask("claude-other"));
  expect(reply.status).toBe(400);
  expect(reply.body.toString()).toContain("claude-other");
  expect(reply.body.toString()).toContain("claude-real");
  // Parsers disagree on which of two keys counts.
  const twice = `{"model":"claude-expensive","max_tokens":1,"messages":[],"model":"claude-real"}`;
  expect((await post(url, twice)).status).toBe(400);
  expect(provider.seen).toHaveLength(0);
});

test("roles are asked for by their name, by their model, or by a header", async () => {
  const { gateway, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [completion("hi")] }), {
    roles: { code: "openai:gpt-5", feedback: "openai:gpt-5-mini" },
  });
  const url = `${gateway.url}/v1/chat/completions`;
  const asked = async (model: string, headers: Record<string, string> = {}) => {
    await post(url, ask(model), headers);
    return JSON.parse(provider.seen.at(-1)!.body.toString()).model as string;
  };
  expect(await asked("feedback")).toBe("gpt-5-mini");
  expect(await asked("gpt-5")).toBe("gpt-5");
  expect(await asked("openai:gpt-5-mini")).toBe("gpt-5-mini");
  expect(await asked("whatever", { "x-mlebench-role": "code" })).toBe("gpt-5");
});

test("tools that run at the provider are taken out unless they are allowed", async () => {
  const body = ask("claude-real", "x", {
    tools: [
      { name: "run", input_schema: { type: "object" } },
      { type: "web_search_20250305", name: "web_search" },
    ],
  });
  const answer = () => ({ headers: JSON_HEADERS, body: [message("hi")] });
  const closed = await setting(answer);
  await post(closed.url, body);
  expect(JSON.parse(closed.provider.seen[0].body.toString()).tools).toEqual([
    { name: "run", input_schema: { type: "object" } },
  ]);
  expect(Object.keys(closed.gateway.record().providerToolsRefused).join()).toContain("web_search");
  expect((await closed.end())[0].notes.join()).toContain("web_search");
  const allowed = await setting(answer, { settings: { providerTools: true } });
  await post(allowed.url, body);
  expect(allowed.provider.seen[0].body.toString()).toBe(body);
});

test("an address that the provider would fetch is refused; what a tool was called with is only text", async () => {
  const { url, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }));
  const image = { type: "image", source: { type: "url", url: "https://example.org/secret" } };
  const reply = await post(
    url,
    JSON.stringify({ model: "claude-real", max_tokens: 5, messages: [{ role: "user", content: [image] }] }),
  );
  expect(reply.status).toBe(400);
  expect(provider.seen).toHaveLength(0);
  const call = { type: "tool_use", id: "t1", name: "get", input: { file_url: "https://example.org/data" } };
  const harmless = {
    model: "claude-real",
    max_tokens: 5,
    messages: [
      { role: "user", content: "x" },
      { role: "assistant", content: [call] },
    ],
  };
  expect((await post(url, JSON.stringify(harmless))).status).toBe(200);
});

test("models can be listed, tokens counted, and probes are answered", async () => {
  const { gateway, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }), {
    withToken: true,
  });
  const headers = { authorization: `Bearer ${gateway.token}` };
  const models = await post(`${gateway.url}/v1/models`, "", headers, { method: "GET" });
  expect(models.body.toString()).toContain('"claude-real"');
  const count = await post(`${gateway.url}/v1/messages/count_tokens`, ask("claude-real"), headers);
  expect(JSON.parse(count.body.toString()).input_tokens).toBeGreaterThan(10);
  expect((await post(`${gateway.url}/`, "", {}, { method: "HEAD" })).status).toBe(200);
  expect((await post(`${gateway.url}/api/hello`, "", {}, { method: "HEAD" })).status).toBe(200);
  expect((await post(`${gateway.url}/v1/files`, "{}", headers)).status).toBe(404);
  expect((await post(`${gateway.url}/v1/models`, "", {}, { method: "GET" })).status).toBe(401);
  expect(provider.seen).toHaveLength(0);
});

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
  open.push(provider, { close: async () => void (await opened.end()) });
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

test("the key stands in no file, and a secret of the agent in no transcript", async () => {
  const secret = "agents-own-secret-42";
  const { url, folder, end } = await setting(
    () => ({ headers: JSON_HEADERS, body: [message(`you said ${secret}`)] }),
    {
      withToken: true,
      secrets: [secret],
    },
  );
  await post(url, ask("claude-real", `my secret is ${secret}`), { "x-api-key": "wrong" });
  await end();
  for (const file of filesBelow(path.dirname(folder))) {
    expect(fs.readFileSync(file).includes(REAL_KEY), file).toBe(false);
    if (file.includes("bodies")) continue;
    expect(fs.readFileSync(file).includes(secret), file).toBe(false);
  }
});

test("a key that the provider says again is masked for the agent and in ledger, transcript and cassette", async () => {
  const folder = temporaryFolder();
  const cassette = path.join(folder, "run.jsonl");
  const echoing = message(`your key is ${REAL_KEY}`)
    .replace("msg_1", REAL_KEY)
    .replace("claude-real", REAL_KEY);
  const events = messageStream("hi").map((event) => event.replace("msg_1", REAL_KEY));
  const headers = { "request-id": `req ${REAL_KEY}`, "anthropic-echo": REAL_KEY };
  const { url, gateway, end } = await setting(
    ({ body }) => {
      const { stream, system } = JSON.parse(body.toString()) as { stream?: boolean; system?: string };
      if (system === "fail")
        return { status: 400, headers, body: [`{"error":{"message":"bad ${REAL_KEY}"}}`] };
      if (system === "break")
        return { status: 500, headers, body: [`{"error":{"message":"bad ${REAL_KEY}"}}`] };
      return stream
        ? { headers: { ...STREAM_HEADERS, ...headers }, body: events }
        : { headers: { ...JSON_HEADERS, ...headers }, body: [echoing] };
    },
    { folder, settings: { record: cassette } },
  );
  const chat = `${gateway.url}/v1/chat/completions`;
  const system = [
    { role: "system", content: "x" },
    { role: "user", content: "x" },
  ];
  const replies = [
    await post(url, ask("claude-real")),
    await post(url, ask("claude-real", "x", { stream: true })),
    await post(url, ask("claude-real", "x", { system: "fail" })),
    await post(url, ask("claude-real", "x", { system: "break" })),
    await post(chat, ask("claude-real", "x", { messages: system })),
    await post(chat, ask("claude-real", "x", { messages: system, stream: true })),
  ];
  for (const { body, headers } of replies) {
    expect(body.toString()).not.toContain(REAL_KEY);
    expect(JSON.stringify(headers)).not.toContain(REAL_KEY);
  }
  expect(replies[0].body.toString()).toContain("your key is ***");
  const lines = await end();
  expect(lines[0]).toMatchObject({ outcome: "answered", requestId: "req ***", modelAnswered: "***" });
  for (const file of filesBelow(folder)) {
    expect(fs.readFileSync(file).includes(REAL_KEY), file).toBe(false);
  }
  for (const { reply } of readTranscripts(path.join(folder, "model")))
    expect(reply!.toString()).not.toContain(REAL_KEY);
  expect(fs.readFileSync(cassette, "utf8")).toContain("your key is ***");
});

test("what a simulated model said is not a language model's result in a replay either", async () => {
  const answer = () => ({ headers: JSON_HEADERS, body: [message("hi")] });
  for (const [name, model, expected] of [
    ["anthropic-claude", "claude-real", true],
    ["echo", "echo", false],
  ] as const) {
    const record = path.join(temporaryFolder(), "run.jsonl");
    const made = await setting(answer, { roles: { default: name }, settings: { record } });
    expect((await post(made.url, ask(model))).status).toBe(200);
    await made.end();
    const replayed = await openSetting({
      folder: temporaryFolder(),
      roles: { default: `recorded:${record}` },
    });
    expect(replayed.gateway.record().roles).toMatchObject([{ languageModel: expected }]);
    await replayed.end();
  }
});

test("calls at a time are limited for all trials of a group together", async () => {
  let running = 0;
  let most = 0;
  const provider = await startProvider(async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 15));
    running--;
    return { headers: JSON_HEADERS, body: [message("hi")] };
  });
  const folder = temporaryFolder();
  const first = await openSetting({
    folder,
    roles: { default: "anthropic:claude-real" },
    file: { providers: { anthropic: { base_url: provider.url, concurrency: 3 } } },
  });
  const second = await openTrial(first.models, { folder: path.join(folder, "second") });
  open.push(
    provider,
    { close: async () => void (await first.end()) },
    { close: async () => void (await second.end()) },
  );
  const urls = [first, second].map(({ gateway }) => `${gateway.url}/v1/messages`);
  await Promise.all(Array.from({ length: 30 }, (_, i) => post(urls[i % 2], ask("claude-real"))));
  expect(most).toBeLessThanOrEqual(3);
  const waited = first.ledger().reduce((sum, { milliseconds }) => sum + milliseconds.waiting, 0);
  expect(waited).toBeGreaterThan(15);
});

test("a script answers in order, checks what was asked and finds the client's shell", async () => {
  const folder = temporaryFolder();
  const script = path.join(folder, "script.yaml");
  fs.writeFileSync(
    script,
    stringify({
      replies: [
        {
          expect: { contains: "Hello" },
          reply: { shell: "ls /home/data" },
          usage: { input: 100, output: 7 },
        },
        { expect: { contains: "never said" }, reply: { text: "not reached" } },
      ],
    }),
  );
  const { gateway, end } = await setting(() => ({ body: [] }), {
    folder,
    roles: { default: `scripted:${script}` },
  });
  const url = `${gateway.url}/v1/messages`;
  const tools = [
    {
      name: "Bash",
      input_schema: { type: "object", properties: { command: { type: "string" }, description: {} } },
    },
  ];
  const first = await post(url, ask("scripted", "Hello", { tools }));
  expect(JSON.parse(first.body.toString())).toMatchObject({
    stop_reason: "tool_use",
    content: [{ type: "tool_use", name: "Bash", input: { command: "ls /home/data" } }],
    usage: { input_tokens: 100, output_tokens: 7 },
  });
  const second = await post(url, ask("scripted", "Hello", { tools }));
  expect(second.status).toBe(400);
  expect(second.body.toString()).toContain("never said");
  expect(gateway.leftovers()).toEqual(["default: 1 of 2 scripted replies were not asked for"]);
  await end();
});

test("a recording replays byte for byte with the same ledger, and a miss says what differs", async () => {
  const cassette = path.join(temporaryFolder(), "run.jsonl");
  let count = 0;
  const recorded = await setting(() => ({ headers: JSON_HEADERS, body: [message(`reply ${++count}`)] }), {
    roles: { default: "anthropic-claude" },
    settings: { record: cassette },
  });
  const texts = ["first at 2026-11-18T08:00:00Z in /tmp/abc/x", "again", "again"];
  const before: string[] = [];
  for (const text of texts) before.push((await post(recorded.url, ask("claude-real", text))).body.toString());
  const originals = await recorded.end();
  await recorded.provider.close();

  const replayed = await openSetting({
    folder: temporaryFolder(),
    roles: { default: `recorded:${cassette}` },
  });
  open.push({ close: async () => void (await replayed.end()) });
  expect(replayed.gateway.models[0].id).toBe("claude-real");
  const url = `${replayed.gateway.url}/v1/messages`;
  const later = ["first at 2027-01-01T00:00:00Z in /tmp/other/y", "again", "again"];
  const after: string[] = [];
  for (const text of later) after.push((await post(url, ask("claude-real", text))).body.toString());
  expect(after).toEqual(before);
  const missed = await post(url, ask("claude-real", "never asked"));
  expect(missed.status).toBe(400);
  expect(missed.body.toString()).toMatch(/differs at \/messages\/0.*never asked/s);
  const copies = await replayed.end();
  const same = ({
    usage,
    cost,
    model,
    modelAnswered,
    stopReason,
    outcome,
    replySha256,
  }: (typeof copies)[number]) => ({
    ...{ usage, cost, model, modelAnswered, stopReason, outcome, replySha256 },
  });
  expect(copies.slice(0, 3).map(same)).toEqual(originals.map(same));
  expect(copies.every(({ replayed }, i) => replayed === i < 3)).toBe(true);
});
