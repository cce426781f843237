import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folded } from "../../../src/models/gateway/misreadings.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import {
  type FakeProvider,
  JSON_HEADERS,
  message,
  messageStream,
  STREAM_HEADERS,
  startProvider,
} from "./fake-provider.ts";
import { openSetting, post, type Setting } from "./gateway-setting.ts";

/** One protocol on both sides: where it is asked, what every body has, and what comes back whole and streamed. */
interface Side {
  model: string;
  path(stream: boolean): string;
  body(text: string, stream: boolean): object;
  /** Fields the gateway looks into, so that a generated one would not be just any field. */
  known: readonly string[];
  /** Whether the body names the model, and not the path. */
  named: boolean;
  whole(text: string): string;
  streamed(text: string): string;
}

const event = (data: object | string) =>
  `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
const named = (type: string, data: object) => `event: ${type}\n${event({ type, ...data })}`;

const SIDES: Record<string, Side> = {
  messages: {
    model: "anthropic:real",
    path: () => "/v1/messages?beta=true",
    body: (text, stream) => ({
      max_tokens: 5,
      stream,
      system: [{ type: "text", text: "Be careful.", cache_control: { type: "ephemeral", ttl: "1h" } }],
      thinking: { type: "adaptive", display: "updates" },
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
      messages: [
        { role: "user", content: text },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "so it is", signature: "EqQB/+sig==" },
            { type: "redacted_thinking", data: "EmwK" },
            { type: "text", text: "yes", citations: null },
          ],
        },
        {
          role: "user",
          content: [{ type: "text", text, cache_control: { type: "ephemeral" }, of_tomorrow: { a: [1] } }],
        },
      ],
    }),
    known: ["messages", "system", "container", "mcp_servers", "max_tokens"],
    named: true,
    whole: message,
    streamed: (text) => messageStream(text).join(""),
  },
  chat: {
    model: "openai:real",
    path: () => "/v1/chat/completions",
    body: (text, stream) => ({
      stream,
      messages: [
        {
          role: "user",
          content: [{ type: "text", text, prompt_cache_breakpoint: { mode: "explicit", ttl: "30m" } }],
        },
        { role: "assistant", content: "yes", reasoning_content: "so it is", of_tomorrow: 1 },
        { role: "user", content: text },
      ],
      ...(stream ? { stream_options: { include_usage: true } } : {}),
    }),
    known: ["messages", "stream_options", "web_search_options", "n", "plugins", "functions", "max_tokens"],
    named: true,
    whole: (text) =>
      JSON.stringify({
        id: "c1",
        object: "chat.completion",
        model: "real",
        choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      }),
    streamed: (text) =>
      [
        event({
          id: "c1",
          model: "real",
          choices: [{ index: 0, delta: { role: "assistant", content: text } }],
        }),
        event({ id: "c1", model: "real", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
        event({ id: "c1", model: "real", choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }),
        event("[DONE]"),
      ].join(""),
  },
  responses: {
    model: "openai:real",
    path: () => "/v1/responses",
    body: (text, stream) => ({
      stream,
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "k",
      input: [
        { role: "user", content: text },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA/+b==" },
        { role: "user", content: text, of_tomorrow: true },
      ],
    }),
    known: ["input", "instructions", "include", "conversation", "prompt", "background", "store"],
    named: true,
    whole: (text) => JSON.stringify(response(text)),
    streamed: (text) =>
      [
        named("response.created", { response: { ...response(""), status: "in_progress", output: [] } }),
        named("response.output_item.added", { output_index: 0, item: { ...item(""), content: [] } }),
        named("response.output_text.delta", { item_id: "o", output_index: 0, content_index: 0, delta: text }),
        named("response.output_item.done", { output_index: 0, item: item(text) }),
        named("response.completed", { response: response(text) }),
      ].join(""),
  },
  gemini: {
    model: "gemini:real",
    path: (stream) => `/v1beta/models/real:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: (text) => ({
      contents: [
        { role: "user", parts: [{ text }] },
        { role: "model", parts: [{ text: "yes", thoughtSignature: "Cs4B/+==", ofTomorrow: [] }] },
        { role: "user", parts: [{ text }] },
      ],
    }),
    known: [
      "contents",
      "systemInstruction",
      "system_instruction",
      "cachedContent",
      "toolConfig",
      "generationConfig",
    ],
    named: false,
    whole: (text) => JSON.stringify(geminiReply(text)),
    streamed: (text) => event(geminiReply(text)),
  },
};

function item(text: string) {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { id: "o", type: "message", role: "assistant", status: "completed", content };
}

function response(text: string) {
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
  return { id: "r1", object: "response", status: "completed", model: "real", output: [item(text)], usage };
}

function geminiReply(text: string) {
  return {
    candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    modelVersion: "real",
  };
}

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ maxLength: 8 }).filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;

/** One of the many ways to write the same JSON: spaces, escapes and numbers as programs of all kinds write them. */
function spelled(value: unknown, random: () => number): string {
  const any = (...choices: string[]) => choices[Math.floor(random() * choices.length)];
  const space = () => any("", "", "", " ", "\n\t", "\r\n ");
  if (typeof value === "string") {
    const letters = Array.from({ length: value.length }, (_, i) => {
      const code = value.charCodeAt(i);
      const plain = JSON.stringify(value[i]).slice(1, -1);
      const escaped = `\\u${code.toString(16).padStart(4, "0")}`;
      // Half of a pair stays with its other half.
      const isPair = code >= 0xd800 && code <= 0xdfff;
      return isPair ? value[i] : any(plain, plain, plain, escaped, value[i] === "/" ? "\\/" : plain);
    });
    return `"${letters.join("")}"`;
  }
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e9)
    return any(`${value}`, `${value}.0`, `${value}e0`, value === 0 ? "0E+1" : `${value}0E-1`);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const items = Array.isArray(value)
    ? value.map((item) => spelled(item, random))
    : Object.entries(value).map(
        ([key, item]) => `${spelled(key, random)}${space()}:${space()}${spelled(item, random)}`,
      );
  const inside = items.map((item) => `${space()}${item}${space()}`).join(",");
  return Array.isArray(value) ? `[${inside}]` : `{${inside}}`;
}

function randomFrom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return (state >>> 0) / 2 ** 32;
  };
}

/** What a provider says need not be valid UTF-8: any bytes inside a text, but those that would end it. */
function withBytes(text: string, odd: Uint8Array): Buffer {
  const inside = Buffer.from(odd.filter((byte) => byte >= 0x20 && byte !== 0x22 && byte !== 0x5c));
  return Buffer.concat(
    text.split("🦊").flatMap((piece, i) => [...(i > 0 ? [inside] : []), Buffer.from(piece)]),
  );
}

describe.each(Object.keys(SIDES))("%s to a provider of the same protocol", (name) => {
  const side = SIDES[name];
  let provider: FakeProvider;
  let setting: Setting;
  let pieces: Buffer[] = [];

  beforeAll(async () => {
    provider = await startProvider(({ url, body }) => {
      const stream = url.includes("alt=sse") || JSON.parse(body.toString()).stream === true;
      return { headers: stream ? STREAM_HEADERS : JSON_HEADERS, body: pieces };
    });
    const base = name === "messages" || name === "gemini" ? provider.url : `${provider.url}/v1`;
    setting = await openSetting({
      folder: temporaryFolder(),
      roles: { mine: "mine" },
      file: {
        models: {
          mine: {
            model: side.model,
            base_url: base,
            price: { input: 1, output: 1 },
            protocols: [name],
          },
        },
      },
    });
  });

  afterAll(async () => {
    await setting.end();
    await provider.close();
  });

  test("whatever a body holds, it passes byte for byte in both directions, whole and streamed", async () => {
    const extra = fc.dictionary(
      fc
        .string({ minLength: 1, maxLength: 8 })
        .filter(
          (key) => !["__proto__", "n", "tools", "stream", "model", ...side.known].includes(folded(key)),
        ),
      json,
    );
    await fc.assert(
      fc.asyncProperty(
        extra,
        fc.nat(),
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.nat(600), { maxLength: 5 }),
        fc.string({ unit: "grapheme", maxLength: 30 }),
        fc.uint8Array({ maxLength: 4 }),
        async (more, seed, mapped, stream, cuts, text, odd) => {
          const random = randomFrom(seed);
          const rest = spelled({ ...more, ...side.body(text, stream) }, random);
          const withModel = (name: string) => (side.named ? `{"model" :${name},${rest.slice(1)}` : rest);
          const asked = spelled(mapped ? "mine" : "real", random);
          const body = withModel(asked);
          // Only the name of a mapped model changes.
          const expected = withModel(mapped ? '"real"' : asked);
          const said = stream ? side.streamed(`${text}🦊`) : side.whole(`${text}🦊`);
          const whole = stream ? said : spelled({ ...more, ...JSON.parse(said) }, random);
          const reply = withBytes(whole, odd);
          const places = cuts.map((cut) => Math.min(cut, reply.length)).sort((a, b) => a - b);
          const borders = [0, ...places, reply.length];
          pieces = borders.slice(1).map((end, i) => reply.subarray(borders[i], end));
          const got = await post(`${setting.gateway.url}${side.path(stream)}`, body);
          expect(got.status).toBe(200);
          expect(provider.seen.at(-1)!.body.toString()).toBe(expected);
          expect(got.body.equals(reply)).toBe(true);
          provider.seen.length = 0;
        },
      ),
      { numRuns: 60 },
    );
  });
});
