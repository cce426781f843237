import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../../src/models/call.ts";
import { keyOf, matchRequest, protocols } from "../../../../src/models/protocols/protocols.ts";
import { readStream } from "./by-name.ts";
import { NAMES } from "./made-up.ts";

describe("what servers send", () => {
  const chunk = (calls: JsonValue[], finish: string | null = null) =>
    `data: ${JSON.stringify({ id: "1", model: "m", choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: finish }] })}\n\n`;
  const piece = (index: number, id: string | null, text: string) => ({
    index,
    ...(id ? { id, type: "function" } : {}),
    function: { ...(id ? { name: "f" } : {}), arguments: text },
  });
  const inputs = (text: string) => {
    const { outcome } = readStream("chat", text);
    return outcome?.ok && outcome.value.parts.map((part) => (part.type === "tool-call" ? part.input : part));
  };

  test("pieces of two calls that alternate come together again", () => {
    const text = [
      chunk([piece(0, "a", '{"x"')]),
      chunk([piece(1, "b", '{"y"')]),
      chunk([piece(0, null, ":1}")]),
      chunk([piece(1, null, ":2}")], "tool_calls"),
    ];
    expect(inputs(`${text.join("")}data: [DONE]\n\n`)).toEqual(['{"x":1}', '{"y":2}']);
  });

  test("two calls under one index, and calls without any, stay two", () => {
    expect(inputs(chunk([piece(0, "a", "{}")]) + chunk([piece(0, "b", '{"y":2}')], "tool_calls"))).toEqual([
      "{}",
      '{"y":2}',
    ]);
    const bare = (id: string) => ({ id, function: { name: "f", arguments: { id } } });
    expect(inputs(chunk([bare("a"), bare("b")], "stop"))).toEqual(['{"id":"a"}', '{"id":"b"}']);
  });

  test("a stream of Responses that says everything in its last event is read", () => {
    const output = [
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "hi" }] },
      { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
    ];
    const event = {
      type: "response.completed",
      response: {
        id: "r",
        model: "m",
        status: "completed",
        output,
        usage: { input_tokens: 3, output_tokens: 2 },
      },
    };
    expect(readStream("responses", `data: ${JSON.stringify(event)}\n\n`).outcome).toMatchObject({
      ok: true,
      value: {
        stopReason: "tools",
        usage: { inputUncached: 3, output: 2 },
        parts: [{ text: "hi" }, { input: "{}" }],
      },
    });
  });

  test("OpenRouter's cost is taken over", () => {
    const usage = { prompt_tokens: 5, completion_tokens: 1, cost: 0.00014 };
    const body = {
      id: "1",
      model: "x/y",
      choices: [{ message: { content: "hi" }, finish_reason: "stop" }],
      usage,
    };
    expect(protocols.chat.readReply(body)).toMatchObject({ ok: true, value: { reportedCost: 0.00014 } });
  });
});

test.each([
  [
    429,
    { error: { type: "insufficient_quota", code: "credit_balance_exhausted", message: "m" } },
    {},
    "billing",
    false,
    null,
  ],
  [
    429,
    { error: { code: "rate_limit_exceeded", message: "m" } },
    { "retry-after-ms": "1500" },
    "rate-limit",
    true,
    1500,
  ],
  [
    429,
    { type: "error", error: { type: "rate_limit_error", message: "m" } },
    { "retry-after": "3" },
    "rate-limit",
    true,
    3000,
  ],
  [
    429,
    { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "m", details: [{ retryDelay: "2.5s" }] } },
    {},
    "rate-limit",
    true,
    2500,
  ],
  [529, { type: "error", error: { type: "overloaded_error", message: "m" } }, {}, "overloaded", true, null],
  [503, "", {}, "overloaded", true, null],
  [400, { error: { code: "context_length_exceeded", message: "m" } }, {}, "context", false, null],
  [
    400,
    { type: "error", error: { type: "invalid_request_error", message: "prompt is too long: 9 > 8" } },
    {},
    "context",
    false,
    null,
  ],
  [
    400,
    { error: { code: 400, message: "API key not valid. Please pass a valid API key." } },
    {},
    "auth",
    false,
    null,
  ],
  [400, { error: "model not loaded" }, {}, "invalid", false, null],
  [
    400,
    { error: { code: "unsupported_parameter", param: "temperature", message: "m" } },
    {},
    "invalid",
    false,
    null,
  ],
  [403, { error: { message: "m" } }, {}, "auth", false, null],
  [404, { detail: "Not Found" }, {}, "not-found", false, null],
  [408, "", {}, "timeout", true, null],
  [409, "{", {}, "server", true, null],
  [500, { error: { message: "m" } }, { "x-should-retry": "false" }, "server", false, null],
  [302, "", {}, "broken", true, null],
])("status %i with %j %j is a problem of kind %s", (status, body, headers, kind, retryable, retryAfterMs) => {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  for (const name of NAMES) {
    const problem = protocols[name].readError(status, headers as Record<string, string>, bytes);
    expect(problem).toMatchObject({ kind, retryable, retryAfterMs, status });
    expect(problem.message).not.toBe("");
  }
});

test.each([
  ["POST", "/v1/chat/completions", "chat", "call"],
  ["POST", "/chat/completions", "chat", "call"],
  ["POST", "/v1/messages?beta=true", "messages", "call"],
  ["POST", "/v1/messages/count_tokens?beta=true", "messages", "count-tokens"],
  ["POST", "/v1/responses", "responses", "call"],
  ["POST", "/v1/responses/input_tokens", "responses", "count-tokens"],
  ["POST", "/v1/responses/compact", "responses", "other"],
  ["GET", "/v1/responses", "responses", "other"],
  ["POST", "/v1/completions", "chat", "other"],
  ["GET", "/v1/models", "chat", "list-models"],
  ["GET", "/v1/models/some%2Fmodel", "chat", "show-model"],
  ["GET", "/v1beta/models", "gemini", "list-models"],
  ["POST", "/v1beta/models/gemini-3:streamGenerateContent?alt=sse", "gemini", "call"],
  ["POST", "/v1beta/models/gemini-3:streamGenerateContent", "gemini", "other"],
  ["POST", "/v1beta/models/gemini-3:countTokens", "gemini", "count-tokens"],
  ["POST", "/v1beta/models/gemini-3:embedContent", "gemini", "other"],
])("%s %s belongs to %s", (method, path, protocol, kind) => {
  const found = matchRequest(method, path, {});
  expect([found?.protocol.name, found?.endpoint.kind]).toEqual([protocol, kind]);
});

test("the list of models is Anthropic's for its clients; other paths are nobody's; a key is found under any header", () => {
  expect(matchRequest("GET", "/v1/models", { "anthropic-version": "2023-06-01" })?.protocol.name).toBe(
    "messages",
  );
  expect(matchRequest("GET", "/etc/passwd", {})).toBeNull();
  for (const headers of [
    { authorization: "Bearer t" },
    { "x-api-key": "t" },
    { "api-key": "t" },
    { "x-goog-api-key": "t" },
  ]) {
    expect(keyOf(headers)).toBe("t");
  }
});

test("tools that run at a provider are named and taken out, with a choice that names them", () => {
  const messages: JsonObject = {
    tools: [
      { type: "web_search_20250305", name: "web_search" },
      { name: "Bash", input_schema: {} },
      { type: "bash_20250124", name: "bash" },
    ],
    tool_choice: { type: "tool", name: "web_search" },
    mcp_servers: [{ url: "https://example.org" }],
  };
  expect(protocols.messages.providerTools(messages)).toEqual([
    { name: "web_search_20250305" },
    { name: "mcp_servers" },
  ]);
  expect(protocols.messages.withoutProviderTools(messages)).toEqual({
    tools: [
      { name: "Bash", input_schema: {} },
      { type: "bash_20250124", name: "bash" },
    ],
    tool_choice: undefined,
    mcp_servers: undefined,
  });
  const gemini: JsonObject = {
    tools: [{ googleSearch: {} }, { functionDeclarations: [], codeExecution: {} }],
  };
  expect(protocols.gemini.providerTools(gemini)).toEqual([
    { name: "googleSearch" },
    { name: "codeExecution" },
  ]);
  expect(protocols.gemini.withoutProviderTools(gemini)).toEqual({ tools: [{ functionDeclarations: [] }] });
  expect(protocols.chat.withoutProviderTools({ web_search_options: {}, messages: [] })).toEqual({
    web_search_options: undefined,
  });
});
