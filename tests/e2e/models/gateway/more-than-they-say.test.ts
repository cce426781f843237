import { expect, test } from "vitest";
import {
  completion,
  JSON_HEADERS,
  message,
  messageStream,
  type SeenRequest,
  STREAM_HEADERS,
} from "../fake-provider.ts";
import { ask, post } from "../gateway-setting.ts";
import { gatewayBefore, PRICE } from "./setting.ts";

/** One model for clients of all protocols; the provider charges as `usageOf` reads the request. */
const start = (
  protocol: string,
  model: string,
  usageOf: (body: Buffer) => { input: number; output: number },
) =>
  gatewayBefore(
    ({ body }: SeenRequest) => {
      const { input, output } = usageOf(body);
      const reply =
        protocol === "messages"
          ? message("x", { input_tokens: input, output_tokens: output })
          : protocol === "chat"
            ? completion("x", {
                prompt_tokens: input,
                completion_tokens: output,
                total_tokens: input + output,
              })
            : JSON.stringify({
                candidates: [{ content: { role: "model", parts: [{ text: "x" }] }, finishReason: "STOP" }],
                usageMetadata: { promptTokenCount: input, candidatesTokenCount: output },
              });
      return { headers: JSON_HEADERS, body: [20, reply] };
    },
    (address) => ({
      roles: { default: "m" },
      file: {
        models: { m: { model, base_url: address, protocols: [protocol], price: PRICE } },
      },
      settings: { trialLimits: { cost: 0.5 } },
    }),
  );

const CHAT = "/v1/chat/completions";
const GEMINI = "/v1beta/models/m:generateContent";
const gemini = (more: object) =>
  JSON.stringify({ contents: [{ role: "user", parts: [{ text: "x" }] }], ...more });
const pictureOfText = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "1".repeat(20_000) },
};

test.each([
  [
    "two limits, of which the server takes the larger",
    ["chat", "compatible:m", CHAT],
    ask("m", "x", { max_tokens: 20_000, max_completion_tokens: 1 }),
    () => ({ input: 10, output: 20_000 }),
  ],
  [
    "the limit under its two names",
    ["gemini", "gemini:m", GEMINI],
    gemini({ generation_config: { maxOutputTokens: 20_000 }, generationConfig: { maxOutputTokens: 1 } }),
    () => ({ input: 10, output: 20_000 }),
  ],
  [
    "a number of answers that is a text",
    ["gemini", "gemini:m", GEMINI],
    gemini({ generationConfig: { maxOutputTokens: 2500, candidateCount: "8" } }),
    () => ({ input: 10, output: 20_000 }),
  ],
  [
    "text that looks like a picture among what a tool was called with",
    ["messages", "anthropic:m", "/v1/messages"],
    JSON.stringify({
      model: "m",
      max_tokens: 1,
      messages: [
        { role: "user", content: "x" },
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: pictureOfText }] },
      ],
    }),
    (body: Buffer) => ({ input: body.length, output: 1 }),
  ],
] as const)(
  "fifty calls at once with %s go over $0.50 by one call at most",
  async (_, [protocol, model, path], body, usageOf) => {
    const { gateway, provider, end } = await start(protocol, model, usageOf);
    await Promise.all(Array.from({ length: 50 }, () => post(`${gateway.url}${path}`, body)));
    const costs = (await end()).flatMap(({ outcome, cost }) => (outcome === "answered" ? [cost!] : []));
    expect(provider.seen).toHaveLength(costs.length);
    expect(gateway.totals().cost).toBeGreaterThanOrEqual(0.5);
    expect(gateway.totals().cost! - Math.max(...costs)).toBeLessThan(0.5);
  },
);

test("who goes away before its usage is told has used the most its request can come to", async () => {
  const { gateway, url, provider, end } = await gatewayBefore(
    () => ({ headers: STREAM_HEADERS, body: [60_000, ...messageStream("x")] }),
    (address) => ({
      roles: { default: "m" },
      file: { models: { m: { model: "anthropic:m", base_url: address, price: PRICE } } },
      settings: { trialLimits: { tokens: 20_000 } },
    }),
  );
  const dense = ask("m", "1".repeat(15_000), { stream: true, max_tokens: 10 });
  for (const calls of [1, 2]) {
    await post(url, dense, {}, { abortWhen: () => provider.seen.length === calls });
    await expect.poll(() => gateway.totals().cancelled, { timeout: 5000 }).toBe(calls);
  }
  expect((await post(url, dense)).status).toBe(400);
  expect(provider.seen).toHaveLength(2);
  expect((await end()).at(-1)).toMatchObject({ outcome: "refused", blame: "budget" });
});
