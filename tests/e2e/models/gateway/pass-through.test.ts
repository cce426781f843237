import { expect, test } from "vitest";
import { readTranscripts } from "../../../../src/models/transcripts/read.ts";
import {
  anthropicError,
  JSON_HEADERS,
  message,
  messageStream,
  type ProviderAnswer,
  type SeenRequest,
  STREAM_HEADERS,
} from "../fake-provider.ts";
import { ask, post, REAL_KEY, type SettingRequest } from "../gateway-setting.ts";
import { gatewayBefore, PRICE } from "./setting.ts";

/** A provider that speaks Anthropic's protocol, and a gateway before it. */
async function setting(
  answer: (request: SeenRequest, number: number) => ProviderAnswer,
  more: Partial<SettingRequest> = {},
) {
  const opened = await gatewayBefore(answer, (address) => ({
    roles: { default: "sonnet" },
    file: { models: { sonnet: { model: "anthropic:claude-real", base_url: address, price: PRICE } } },
    ...more,
  }));
  return { ...opened, url: `${opened.url}?beta=true` };
}

test("a call in the provider's own protocol reaches it byte for byte, with the harness's key instead of the agent's", async () => {
  const { url, provider, end } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }));
  const body = `{ "unknown" :1.50, "model":"claude-real","max_tokens":10,  "messages":[{"role":"user","content":"ü\\u00fc"}] }`;
  const reply = await post(url, body, { "x-api-key": "whatever", "anthropic-beta": "one,two" });
  expect(reply.status).toBe(200);
  expect(reply.body.toString()).toBe(message("hi"));
  const [seen] = provider.seen;
  expect(seen.body.toString()).toBe(body);
  expect(seen.url).toBe("/v1/messages?beta=true");
  expect(seen.headers["x-api-key"]).toBe(REAL_KEY);
  expect(seen.headers["anthropic-beta"]).toBe("one,two");
  const [line] = await end();
  expect(line).toMatchObject({
    outcome: "answered",
    modelAsked: "claude-real",
    model: "anthropic:claude-real",
    modelAnswered: "claude-real",
    protocolIn: "messages",
    protocolOut: "messages",
    usage: { inputUncached: 10, output: 5 },
    usageSource: "reported",
    cost: (10 * 2 + 5 * 10) / 1e6,
    stopReason: "end",
  });
});

test("a mapped model's name is the only thing that changes", async () => {
  const { url, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }));
  const body = `{"max_tokens":10,"model" : "sonnet" ,"messages":[{"role":"user","content":"model"}],"x":[1.0,2e3]}`;
  await post(url, body);
  expect(provider.seen[0].body.toString()).toBe(body.replace('"sonnet"', '"claude-real"'));
});

test("a provider's refusal is passed on in its own words, and never tried again", async () => {
  const refusal = anthropicError("invalid_request_error", "max_tokens: too large");
  const { url, provider, end } = await setting(() => ({
    status: 400,
    headers: JSON_HEADERS,
    body: [refusal],
  }));
  const reply = await post(url, ask("claude-real"));
  expect([reply.status, reply.body.toString()]).toEqual([400, refusal]);
  expect(provider.seen).toHaveLength(1);
  expect(await end()).toMatchObject([{ outcome: "failed", blame: "agent", usage: null, cost: null }]);
});

test("a refused key is told as a mistake of the harness, without the key", async () => {
  const { url, end } = await setting(() => ({
    status: 401,
    headers: JSON_HEADERS,
    body: [anthropicError("authentication_error", `invalid x-api-key ${REAL_KEY}`)],
  }));
  const reply = await post(url, ask("claude-real"));
  expect(reply.status).toBe(400);
  expect(reply.body.toString()).toContain("does not accept the harness's key");
  expect(reply.body.toString()).not.toContain(REAL_KEY);
  expect(JSON.stringify(await end())).not.toContain(REAL_KEY);
});

test("a stream is passed on as it comes, not when it ends", async () => {
  const events = messageStream("ab");
  let goOn = () => {};
  const isRead = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { url } = await setting(() => ({
    headers: STREAM_HEADERS,
    body: [events[0], isRead, ...events.slice(1)],
  }));
  const reply = await fetch(url, { method: "POST", body: ask("claude-real", "x", { stream: true }) });
  const reader = reply.body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe(events[0]);
  goOn();
  while (!(await reader.read()).done);
});

test("429 and 529 are tried again and the client never sees them", async () => {
  const { url, provider, end } = await setting((_, number) =>
    number === 1
      ? {
          status: 429,
          headers: { ...JSON_HEADERS, "retry-after": "0.05" },
          body: [anthropicError("rate_limit_error", "slow")],
        }
      : number === 2
        ? { status: 529, headers: JSON_HEADERS, body: [anthropicError("overloaded_error", "busy")] }
        : { headers: JSON_HEADERS, body: [message("at last")] },
  );
  const reply = await post(url, ask("claude-real"));
  expect(reply.body.toString()).toBe(message("at last"));
  expect(provider.seen).toHaveLength(3);
  const [line] = await end();
  expect(line).toMatchObject({ outcome: "answered", retries: 2 });
  expect(line.milliseconds.waiting).toBeGreaterThan(50);
});

test("an account without money is not tried again, and the client hears 400", async () => {
  const { url, provider, end } = await setting(() => ({
    status: 402,
    headers: JSON_HEADERS,
    body: [anthropicError("billing_error", "no credit")],
  }));
  expect((await post(url, ask("claude-real"))).status).toBe(400);
  expect(provider.seen).toHaveLength(1);
  expect(await end()).toMatchObject([{ outcome: "failed", blame: "user" }]);
});

test("a retry that would end after the deadline is not begun", async () => {
  const { url, provider } = await setting(
    () => ({
      status: 429,
      headers: { ...JSON_HEADERS, "retry-after": "30" },
      body: [anthropicError("rate_limit_error", "slow")],
    }),
    { remainingMs: 5000 },
  );
  const reply = await post(url, ask("claude-real"));
  expect(reply.status).toBe(429);
  expect(reply.headers["retry-after"]).toBeUndefined();
  expect(provider.seen).toHaveLength(1);
});

test.each([
  ["HTML of a proxy", { headers: { "content-type": "text/html" }, body: ["<html>502 Bad gateway</html>"] }],
  ["half a body", { headers: JSON_HEADERS, body: [message("hi").slice(0, 40)], cut: true }],
  ["half a JSON that ends well", { headers: JSON_HEADERS, body: [message("hi").slice(0, 40)] }],
  [
    "a length that is wrong",
    { headers: { ...JSON_HEADERS, "content-length": "100000" }, body: [message("hi")], cut: true },
  ],
  ["an error inside a 200", { headers: JSON_HEADERS, body: [anthropicError("overloaded_error", "busy")] }],
  ["nothing at all", { headers: JSON_HEADERS, body: [] }],
] as [string, ProviderAnswer][])("%s is tried again before anything reaches the client", async (_, bad) => {
  const { url, provider, end } = await setting((__, number) =>
    number < 3 ? bad : { headers: JSON_HEADERS, body: [message("at last")] },
  );
  const reply = await post(url, ask("claude-real"));
  expect(reply.body.toString()).toBe(message("at last"));
  expect(provider.seen).toHaveLength(3);
  expect(await end()).toMatchObject([{ outcome: "answered", retries: 2 }]);
});

test("a stream that breaks off is never tried again once it has begun, and stands in the ledger", async () => {
  const whole = messageStream("Hello").join("");
  const { url, provider, end } = await setting(() => ({
    headers: STREAM_HEADERS,
    body: [whole.slice(0, 400)],
    cut: true,
  }));
  const reply = await post(url, ask("claude-real", "x", { stream: true }));
  expect(provider.seen).toHaveLength(1);
  expect(reply.body.toString().startsWith(whole.slice(0, 400))).toBe(true);
  const [line] = await end();
  expect(line).toMatchObject({ outcome: "failed", blame: "provider", usageSource: "estimated" });
});

test("a stream that begins with an error is asked for again", async () => {
  const error = `event: error\ndata: ${anthropicError("overloaded_error", "busy")}\n\n`;
  const { url, end } = await setting((_, number) => ({
    headers: STREAM_HEADERS,
    body: number === 1 ? [error] : messageStream("hi"),
  }));
  const reply = await post(url, ask("claude-real", "x", { stream: true }));
  expect(reply.body.toString()).toBe(messageStream("hi").join(""));
  expect(await end()).toMatchObject([{ outcome: "answered", retries: 1 }]);
});

test("a provider that stalls in the middle of a stream ends in an error of its own kind", async () => {
  const { url, end } = await setting(
    () => ({ headers: STREAM_HEADERS, body: messageStream("hi").slice(0, 3), hang: true }),
    { timing: { stallMs: 150 } },
  );
  const reply = await post(url, ask("claude-real", "x", { stream: true }));
  expect(reply.body.toString()).toContain("event: error");
  const [line] = await end();
  expect(line).toMatchObject({ outcome: "failed", blame: "provider" });
  expect(line.problem).toContain("said nothing");
});

test("a quiet stream is kept alive in its protocol's own way", async () => {
  const { url } = await setting(() => ({ headers: STREAM_HEADERS, body: [300, ...messageStream("hi")] }), {
    timing: { keepAliveMs: 60 },
  });
  const reply = await post(url, ask("claude-real", "x", { stream: true }));
  const text = reply.body.toString();
  expect(text).toContain("event: ping");
  expect(text.replaceAll(/event: ping\ndata: .*\n\n/g, "")).toBe(messageStream("hi").join(""));
});

test("a client that hangs up cancels the provider's work, and the call stands in the ledger", async () => {
  const { url, provider, end } = await setting(() => ({
    headers: STREAM_HEADERS,
    body: messageStream("hi").slice(0, 3),
    hang: true,
  }));
  await post(url, ask("claude-real", "x", { stream: true }), {}, { abortAfterMs: 150 });
  await expect.poll(() => provider.seen[0]?.aborted).toBe(true);
  expect(await end()).toMatchObject([{ outcome: "cancelled", blame: "agent", usageSource: "estimated" }]);
});

test("a growing conversation is stored once, and every body can be read back", async () => {
  const { url, folder, end } = await setting(() => ({ headers: JSON_HEADERS, body: [message("yes")] }));
  const messages: object[] = [];
  const sent: string[] = [];
  for (let i = 0; i < 20; i++) {
    // Not compressible.
    const text = Array.from({ length: 500 }, () => Math.random().toString(36)).join("");
    messages.push({ role: "user", content: text }, { role: "assistant", content: "yes" });
    sent.push(JSON.stringify({ model: "claude-real", max_tokens: 10, messages: messages.slice(0, -1) }));
    await post(url, sent.at(-1)!);
  }
  await end();
  const kept = [...readTranscripts(folder)];
  expect(kept.map(({ request }) => request?.toString())).toEqual(sent);
  expect(kept.every(({ reply }) => reply?.toString() === message("yes"))).toBe(true);
  const { statSync } = await import("node:fs");
  const total = sent.reduce((sum, text) => sum + text.length, 0);
  expect(statSync(`${folder}/bodies.pack`).size).toBeLessThan(total / 8);
});
