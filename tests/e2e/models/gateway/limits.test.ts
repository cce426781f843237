import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { endsWithTest } from "../ends-with-test.ts";
import {
  completion,
  JSON_HEADERS,
  message,
  messageStream,
  STREAM_HEADERS,
  startProvider,
} from "../fake-provider.ts";
import { ask, openSetting, openTrial, post } from "../gateway-setting.ts";
import { setting } from "./setting.ts";

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
  endsWithTest({ close: async () => void (await second.end()) });
  const other = `${second.gateway.url}/v1/messages`;
  const status = async (where: string) => (await post(where, ask("claude-real"))).status;
  expect(await status(url)).toBe(200);
  expect(await status(url)).toBe(200);
  expect(await status(url)).toBe(400);
  expect(await status(other)).toBe(200);
  expect(await status(other)).toBe(400);
});

test("an agent is told what is left of every limit, the tightest of trial and group", async () => {
  const { url, gateway } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }), {
    settings: { trialLimits: { calls: 10, tokens: 1000 }, groupLimits: { calls: 4 } },
    withToken: true,
  });
  const budget = async (token: string | null) => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await fetch(`${gateway.url}/budget`, { headers });
    return { status: reply.status, ...((await reply.json()) as object) };
  };
  expect(await budget(gateway.token)).toMatchObject({ left: { calls: 4, tokens: 1000 }, used: 0 });
  await post(url, ask("claude-real"), { "x-api-key": gateway.token! });
  expect(await budget(gateway.token)).toEqual({
    status: 200,
    schema: "mlebench/budget",
    version: 1,
    left: { calls: 3, tokens: 985 },
    used: 0.25,
  });
  expect(await budget("not-the-token")).toMatchObject({ status: 401 });
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
  endsWithTest(
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
