import { describe, expect, test } from "vitest";
import type { ProtocolName } from "../../../../src/models/call.ts";
import { understand } from "../../../../src/models/transcripts/understand.ts";

/** What a person reads of a request: the words in their order, and the tools. */
function readable(protocol: ProtocolName, body: object) {
  const request = Buffer.from(JSON.stringify(body));
  const understood = understand({ call: 0, protocol, request, reply: null, note: null }).request;
  if ("unreadable" in understood) return understood;
  const said = understood.messages.flatMap(({ role, parts }) =>
    parts.map((part) => [role, part.type === "text" ? part.text : part.type]),
  );
  return { system: understood.system, said, tools: understood.tools.map(({ name }) => name) };
}

describe("a kept request is readable", () => {
  test.each<[string, ProtocolName, object]>([
    [
      "of Codex, which brings a search that was taken out",
      "responses",
      {
        model: "m",
        instructions: "Be careful.",
        input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] }],
        tools: [{ type: "function", name: "shell", parameters: {} }, { type: "web_search" }],
      },
    ],
    [
      "of Gemini CLI, whose model stands in the path",
      "gemini",
      {
        system_instruction: { parts: [{ text: "Be careful." }] },
        contents: [{ role: "user", parts: [{ text: "hello" }] }],
        tools: [{ functionDeclarations: [{ name: "shell" }] }, { googleSearch: {} }],
        generation_config: { response_logprobs: true, temperature: 1 },
      },
    ],
    [
      "of Claude Code with tools of the provider",
      "messages",
      {
        model: "m",
        max_tokens: 5,
        system: "Be careful.",
        messages: [{ role: "user", content: "hello" }],
        tools: [
          { name: "shell", input_schema: {} },
          { type: "web_search_20250305", name: "web_search" },
        ],
        mcp_servers: [{ url: "https://example.org" }],
      },
    ],
    [
      "that asks for what no other protocol has",
      "chat",
      {
        model: "m",
        messages: [
          { role: "system", content: "Be careful." },
          { role: "user", content: "hello" },
        ],
        tools: [{ type: "function", function: { name: "shell" } }],
        n: 3,
        logprobs: true,
        logit_bias: { "5": 1 },
        functions: [{ name: "old" }],
      },
    ],
  ])("%s", (_, protocol, body) => {
    expect(readable(protocol, body)).toEqual({
      system: ["Be careful."],
      said: [["user", "hello"]],
      tools: ["shell"],
    });
  });

  test("with the words beside what cannot be shown, in their place", () => {
    const pdf = { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBE" } };
    const messages = [
      { role: "user", content: [{ type: "text", text: "read this" }, pdf] },
      { role: "assistant", content: "I have" },
      { role: "function", content: "an older one" },
    ];
    expect(readable("messages", { model: "m", max_tokens: 5, messages })).toEqual({
      system: [],
      tools: [],
      said: [
        ["user", expect.stringMatching(/^read this\n\(.*document from base64.*is not shown\)$/)],
        ["assistant", "I have"],
        ["user", expect.stringMatching(/^an older one\n\(.*"function".*is not shown\)$/)],
      ],
    });
  });
});

test.each<[string, ProtocolName, unknown]>([
  ["a list", "chat", []],
  ["no conversation", "messages", { model: "m", messages: [] }],
  ["nothing but oddities", "gemini", { contents: [] }],
])("%s is not, and it is said why", (_, protocol, body) => {
  expect(readable(protocol, body as object)).toEqual({
    unreadable: expect.stringMatching(/not readable: ./),
  });
});
