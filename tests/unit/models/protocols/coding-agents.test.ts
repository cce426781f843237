import { describe, expect, test } from "vitest";
import type { JsonObject, ReplyEvent } from "../../../../src/models/call.ts";
import { protocols } from "../../../../src/models/protocols/protocols.ts";
import { bodyFor, ENDPOINT, readCall } from "./by-name.ts";

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
