import http from "node:http";
import path from "node:path";
import { expect, test } from "vitest";
import { endsWithTest } from "../ends-with-test.ts";
import {
  completion,
  JSON_HEADERS,
  message,
  messageStream,
  type ProviderAnswer,
  type SeenRequest,
  STREAM_HEADERS,
} from "../fake-provider.ts";
import { ask, openTrial, post, type SettingRequest } from "../gateway-setting.ts";
import { gatewayBefore } from "./setting.ts";

const PRICE = { input: 2, output: 10, cache_write: 2.5 };

const start = (answer: (request: SeenRequest) => ProviderAnswer, more: Partial<SettingRequest> = {}) =>
  gatewayBefore(answer, (address) => ({
    roles: { default: "m" },
    file: {
      models: {
        m: {
          model: "anthropic:claude-real",
          base_url: address,
          price: PRICE,
          protocols: ["messages", "chat"],
        },
      },
      providers: { openai: { base_url: `${address}/v1` } },
    },
    ...more,
  }));

/** The dearest a request of so many bytes can be: a token for each, all of them put into the cache. */
function dearest({ body }: SeenRequest): ProviderAnswer {
  const request = JSON.parse(body.toString());
  const usage = {
    input_tokens: 0,
    cache_creation_input_tokens: body.length,
    output_tokens: request.max_tokens ?? 100_000,
  };
  return { headers: JSON_HEADERS, body: [20, message("x", usage)] };
}

test.each([
  ["dense requests with short answers", ask("claude-real", "1".repeat(10_000), { max_tokens: 1 })],
  ["requests that name no limit of their answer", ask("claude-real", "x", { max_tokens: undefined })],
  ["requests whose limit is nonsense", ask("claude-real", "x", { max_tokens: null })],
])("a hundred %s at once go over $0.50 by one call at most", async (_, body) => {
  const { url, gateway, end, provider } = await start(dearest, { settings: { trialLimits: { cost: 0.5 } } });
  await Promise.all(Array.from({ length: 100 }, () => post(url, body)));
  const costs = (await end()).filter(({ outcome }) => outcome === "answered").map(({ cost }) => cost!);
  const most = Math.max(...costs);
  expect(gateway.totals().cost).toBeGreaterThanOrEqual(0.5);
  expect(gateway.totals().cost! - most).toBeLessThan(0.5);
  expect(provider.seen).toHaveLength(costs.length);
});

test("a hundred calls of four trials at once go over their group's $0.50 by one call at most", async () => {
  const { models, folder, end, gateway } = await start(dearest, { settings: { groupLimits: { cost: 0.5 } } });
  const others = await Promise.all(
    [1, 2, 3].map((i) => openTrial(models, { folder: path.join(path.dirname(folder), `trial-${i}`) })),
  );
  const trials = [{ gateway, end }, ...others];
  endsWithTest(...others.map((trial) => trial.gateway));
  const body = ask("claude-real", "1".repeat(10_000), { max_tokens: 10 });
  await Promise.all(
    Array.from({ length: 100 }, (_, i) => post(`${trials[i % 4].gateway.url}/v1/messages`, body)),
  );
  const lines = (await Promise.all(trials.map((trial) => trial.end()))).flat();
  const costs = lines.flatMap(({ outcome, cost }) => (outcome === "answered" ? [cost!] : []));
  const sum = costs.reduce((total, cost) => total + cost, 0);
  expect(sum).toBeGreaterThanOrEqual(0.5);
  expect(sum - costs[0]).toBeLessThan(0.5);
  expect(lines.filter(({ blame }) => blame === "budget")).toHaveLength(100 - costs.length);
});

test("a picture is reserved as one, not as a million tokens", async () => {
  const { url, provider } = await start(() => ({ headers: JSON_HEADERS, body: [150, message("x")] }), {
    settings: { trialLimits: { tokens: 100_000 } },
  });
  const source = { type: "base64", media_type: "image/png", data: "A".repeat(2 ** 20) };
  const content = [{ type: "image", source }];
  const body = JSON.stringify({
    model: "claude-real",
    max_tokens: 10,
    messages: [{ role: "user", content }],
  });
  const replies = Promise.all([post(url, body), post(url, body)]);
  await expect.poll(() => provider.seen.length, { timeout: 5000 }).toBe(2);
  await replies;
});

/** Reads a stream until these words have come, then hangs up. */
function hangUpAt(url: string, body: string, words: string): Promise<void> {
  return new Promise((resolve) => {
    const request = http.request(url, { method: "POST", agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
        if (text.includes(words)) request.destroy();
      });
    });
    request.on("error", () => {});
    request.on("close", () => resolve());
    request.end(body);
  });
}

test("whoever hangs up before the usage comes pays for what was thought all the same", async () => {
  // 9,000 tokens, of which one letter is shown.
  const events = messageStream("x", { input: 10, output: 9000 });
  const last = events.findIndex((event) => event.includes("message_delta"));
  let left = () => {};
  const hasLeft = new Promise<void>((resolve) => {
    left = resolve;
  });
  const { url, ledger } = await start(() => ({
    headers: STREAM_HEADERS,
    // The gateway hears of it a little later than the client.
    body: [...events.slice(0, last), hasLeft, 50, ...events.slice(last)],
  }));
  await hangUpAt(url, ask("claude-real", "x", { stream: true }), "text_delta");
  left();
  await expect.poll(() => ledger().length, { timeout: 5000 }).toBe(1);
  expect(ledger()).toMatchObject([
    { outcome: "cancelled", blame: "agent", usageSource: "reported", usage: { output: 9000 } },
  ]);
});

test("a provider that goes on working after the client has gone is stopped, and time counts where nothing was shown", async () => {
  const [first] = messageStream("x", { input: 10, output: 9000 });
  const { url, provider, ledger } = await start(() => ({ headers: STREAM_HEADERS, body: [first, 60_000] }));
  const begun = performance.now();
  await hangUpAt(url, ask("claude-real", "x", { stream: true, max_tokens: 9000 }), "message_start");
  await expect.poll(() => provider.seen[0].aborted, { timeout: 5000 }).toBe(true);
  await expect.poll(() => ledger().length, { timeout: 5000 }).toBe(1);
  const seconds = (performance.now() - begun) / 1000;
  const [line] = ledger();
  expect(line).toMatchObject({ outcome: "cancelled", blame: "agent", usageSource: "estimated" });
  expect(line.usage!.output).toBeGreaterThan(20);
  expect(line.usage!.output).toBeLessThanOrEqual(50 * seconds + 1);
});

test("another model than the one asked for is named, and costs what it costs or nobody knows what", async () => {
  let answered = "gpt-5-2026-01-01";
  const { gateway, end } = await start(
    () => ({
      headers: JSON_HEADERS,
      body: [completion("x").replace(/"model":"[^"]*"/, `"model":"${answered}"`)],
    }),
    { roles: { default: "openai:gpt-5" } },
  );
  const url = `${gateway.url}/v1/chat/completions`;
  for (const name of ["gpt-5-2026-01-01", "gpt-5.5", "gpt-9-ultra"]) {
    answered = name;
    await post(url, ask("gpt-5"));
  }
  const lines = await end();
  expect(lines.map(({ modelAnswered }) => modelAnswered)).toEqual([
    "gpt-5-2026-01-01",
    "gpt-5.5",
    "gpt-9-ultra",
  ]);
  expect(lines.map(({ cost }) => cost)).toEqual([62.5e-6, 200e-6, null]);
  expect(lines.map(({ notes }) => notes.join())).toEqual([
    "",
    'it was answered by "gpt-5.5"',
    'it was answered by "gpt-9-ultra"',
  ]);
  expect(gateway.totals().complete).toBe(false);
});
