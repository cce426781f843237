import { describe, expect, test } from "vitest";
import type {
  JsonObject,
  JsonValue,
  ModelCall,
  ProtocolName,
  ReplyEvent,
} from "../../../../src/models/call.ts";
import type { Endpoint } from "../../../../src/models/protocols/protocol.ts";
import { keyOf, matchRequest, protocols } from "../../../../src/models/protocols/protocols.ts";
import { collectReply } from "../../../../src/models/reply-events.ts";
import { NAMES } from "./made-up.ts";

const ENDPOINT: Endpoint = { kind: "call", model: "m", stream: true };

function readCall(name: ProtocolName, body: JsonValue): ModelCall {
  const read = protocols[name].readRequest({ body, endpoint: ENDPOINT });
  if (!read.ok) throw new Error(read.problem.message);
  return read.value;
}

function bodyFor(name: ProtocolName, call: ModelCall): JsonObject {
  const written = protocols[name].writeRequest(call);
  if (!written.ok) throw new Error(written.problem.message);
  return written.value.body;
}

function readStream(name: ProtocolName, text: string) {
  const reader = protocols[name].streamReader();
  const events: ReplyEvent[] = [...reader.push(Buffer.from(text)), ...reader.end()];
  const collector = collectReply();
  for (const event of events) collector.add(event);
  return { events, outcome: collector.outcome };
}

/** What the coding agents were seen to send, shortened. */
const CLAUDE_CODE: JsonObject = {
  model: "m",
  max_tokens: 64_000,
  stream: true,
  thinking: { type: "adaptive", display: "updates" },
  output_config: { effort: "high" },
  context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
  metadata: { user_id: "{}" },
  system: [
    { type: "text", text: "You are an agent.", cache_control: { type: "ephemeral" } },
    { type: "text", text: "Be brief." },
  ],
  tools: [
    {
      name: "Bash",
      description: "runs",
      input_schema: { type: "object", properties: { command: { type: "string" } } },
    },
  ],
  messages: [
    { role: "user", content: [{ type: "text", text: "go", cache_control: { type: "ephemeral" } }] },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } }],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "and?" },
        { type: "tool_result", tool_use_id: "toolu_1", content: "no", is_error: true },
      ],
    },
    { role: "system", content: "Time is short." },
  ],
};

const CODEX: JsonObject = {
  model: "m",
  stream: true,
  store: false,
  include: ["reasoning.encrypted_content"],
  reasoning: { effort: "medium", summary: "auto" },
  text: { verbosity: "low" },
  prompt_cache_key: "thread",
  client_metadata: { a: "b" },
  parallel_tool_calls: true,
  tool_choice: "auto",
  tools: [
    {
      type: "function",
      name: "exec_command",
      strict: false,
      parameters: { type: "object", properties: { cmd: { type: "string" } } },
    },
    {
      type: "custom",
      name: "apply_patch",
      description: "edits",
      format: { type: "grammar", syntax: "lark", definition: "start: x" },
    },
    {
      type: "namespace",
      name: "mcp",
      tools: [{ type: "function", name: "find", parameters: { type: "object" } }],
    },
    { type: "tool_search", execution: "client" },
    { type: "web_search", external_web_access: false },
  ],
  input: [
    { type: "message", role: "developer", content: [{ type: "input_text", text: "rules" }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] },
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "xyz" },
    { type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: "*** Begin Patch" },
    { type: "custom_tool_call_output", call_id: "c1", output: "done" },
    { type: "function_call", call_id: "c2", namespace: "mcp", name: "find", arguments: "{}" },
    { type: "function_call_output", call_id: "c2", output: [{ type: "input_text", text: "found" }] },
  ],
};

const GEMINI_CLI: JsonObject = {
  systemInstruction: { role: "user", parts: [{ text: "rules" }] },
  generationConfig: {
    temperature: 1,
    topP: 0.95,
    topK: 64,
    thinkingConfig: { includeThoughts: true, thinkingBudget: -1 },
  },
  tools: [
    {
      functionDeclarations: [
        {
          name: "run_shell_command",
          parameters: {
            type: "OBJECT",
            properties: { command: { type: "STRING", nullable: true } },
            required: ["command"],
          },
        },
      ],
    },
  ],
  contents: [
    { role: "user", parts: [{ text: "go" }] },
    {
      role: "model",
      parts: [
        { functionCall: { name: "run_shell_command", args: { command: "a" } } },
        { functionCall: { name: "run_shell_command", args: { command: "b" } } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { name: "run_shell_command", response: { output: "one" } } },
        { functionResponse: { name: "run_shell_command", response: { error: "two" } } },
      ],
    },
  ],
};

describe("what coding agents send", () => {
  test("Claude Code's request reaches every protocol; nothing but harmless fields is left out, each by name", () => {
    const call = readCall("messages", CLAUDE_CODE);
    expect(call.notes).toEqual(['field "context_management"', 'field "metadata"']);
    expect(bodyFor("chat", call)).toMatchObject({
      max_completion_tokens: 64_000,
      reasoning_effort: "high",
      messages: [
        { role: "system", content: "You are an agent." },
        { role: "system", content: "Be brief." },
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "toolu_1", function: { name: "Bash", arguments: '{"command":"ls"}' } }],
        },
        { role: "tool", tool_call_id: "toolu_1", content: "no" },
        { role: "user", content: "and?" },
        { role: "system", content: "Time is short." },
      ],
    });
    expect(bodyFor("gemini", call)).toMatchObject({
      systemInstruction: { parts: [{ text: "You are an agent." }, { text: "Be brief." }] },
      contents: [
        { role: "user" },
        { role: "model" },
        {
          role: "user",
          parts: [{ functionResponse: { name: "Bash", response: { error: "no" } } }, { text: "and?" }, {}],
        },
      ],
      generationConfig: { maxOutputTokens: 64_000, thinkingConfig: { thinkingLevel: "HIGH" } },
    });
  });

  test("Codex's tools of the provider are found and taken out; its custom tool is a function elsewhere and a custom tool again", () => {
    expect(protocols.responses.providerTools(CODEX)).toEqual([{ name: "web_search" }]);
    expect(protocols.responses.readRequest({ body: CODEX, endpoint: ENDPOINT })).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining("web_search") },
    });
    const edits = protocols.responses.withoutProviderTools(CODEX) as JsonObject;
    const call = readCall("responses", { ...CODEX, ...edits });
    for (const name of ["chat", "messages", "gemini"] as const) {
      const text = JSON.stringify(bodyFor(name, call));
      expect(text).toContain("mcp__find");
      expect(text).toMatch(/input\\?":\\?"\*\*\* Begin Patch/);
      expect(text).not.toContain("xyz");
    }
    expect(bodyFor("messages", call)).toMatchObject({ output_config: { effort: "medium" } });

    const writer = protocols.responses.streamWriter(call);
    const started = { type: "tool-call" as const, id: "c9", kind: "function" as const };
    const events: ReplyEvent[] = [
      { type: "start", id: "1", model: "m", usage: null },
      { type: "part-start", index: 0, part: { ...started, name: "apply_patch" } },
      { type: "part-delta", index: 0, text: '{"inp' },
      { type: "part-delta", index: 0, text: 'ut":"*** End"}' },
      { type: "part-end", index: 0, opaque: null },
      { type: "part-start", index: 1, part: { ...started, name: "mcp__find" } },
      { type: "part-end", index: 1, opaque: null },
      { type: "finish", stopReason: "tools", usage: null },
    ];
    const text = events.map((event) => writer.write(event)).join("");
    const last = JSON.parse(text.trim().split("data: ").at(-1)!);
    expect(last.response.output).toMatchObject([
      { type: "custom_tool_call", call_id: "c9", name: "apply_patch", input: "*** End" },
      { type: "function_call", name: "find", namespace: "mcp" },
    ]);
  });

  test("Gemini's calls without ids are matched with their results in order, and its old schemas are JSON schemas", () => {
    const call = readCall("gemini", GEMINI_CLI);
    expect(bodyFor("messages", call)).toMatchObject({
      tools: [{ input_schema: { type: "object", properties: { command: { type: ["string", "null"] } } } }],
      messages: [
        { role: "user" },
        { role: "assistant", content: [{ id: "call_1" }, { id: "call_2" }] },
        {
          role: "user",
          content: [
            { tool_use_id: "call_1", content: "one" },
            { tool_use_id: "call_2", content: "two", is_error: true },
          ],
        },
      ],
    });
  });
});

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
