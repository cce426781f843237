import fc from "fast-check";
import type {
  Message,
  ModelCall,
  ModelReply,
  ProtocolName,
  ReplyPart,
  Tool,
  Usage,
} from "../../../../src/models/call.ts";

/** Replies and calls of the kind every protocol can express, made up at random. */

export const NAMES: ProtocolName[] = ["chat", "responses", "messages", "gemini"];

const words = fc
  .array(fc.constantFrom("a", "ß", "🦊", "\n", "\r\n", '"', "\\", "data: ", "{", " ", "\u2028"), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pieces) => pieces.join(""));
const jsonText = fc
  .dictionary(fc.constantFrom("path", "n", "text", "list"), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 })
  .map((value) => JSON.parse(JSON.stringify(value)) as object)
  .map((value) => JSON.stringify(value));
const toolName = fc.constantFrom("bash", "read_file", "write-file");

const text = words.map((value): ReplyPart => ({ type: "text", text: value }));
const call = (index: number) =>
  fc.record({ name: toolName, input: jsonText }).map(({ name, input }): ReplyPart => {
    return { type: "tool-call", id: `call_${index}`, name, kind: "function", input };
  });

/** Thinking of another protocol, text, then calls: the order in which all protocols write a reply. */
const replyParts = fc.tuple(fc.option(words), fc.option(text), fc.nat(3)).chain(([thinking, said, calls]) =>
  fc.tuple(...Array.from({ length: calls }, (_, index) => call(index))).map((made) => {
    const parts: ReplyPart[] = [];
    if (thinking !== null) parts.push({ type: "thinking", text: thinking, opaque: null });
    if (said) parts.push(said);
    parts.push(...made);
    return parts.length > 0 ? parts : [{ type: "text" as const, text: "." }];
  }),
);

const usages: fc.Arbitrary<Usage> = fc
  .record({
    inputUncached: fc.nat(),
    cacheRead: fc.nat(),
    output: fc.nat(1e9),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ share, ...usage }) => ({ ...usage, cacheWrite: 0, reasoning: Math.floor(usage.output * share) }));

export const replies: fc.Arbitrary<ModelReply> = fc
  .record({ parts: replyParts, usage: usages, cut: fc.boolean() })
  .map(({ parts, usage, cut }) => ({
    id: "resp_1",
    model: "some-model",
    parts,
    usage,
    stopReason: cut ? "length" : parts.some((part) => part.type === "tool-call") ? "tools" : "end",
    notes: [],
  }));

const results = (parts: ReplyPart[]): Message[] => {
  const calls = parts.filter((part) => part.type === "tool-call");
  if (calls.length === 0) return [];
  return [
    {
      role: "user",
      parts: calls.map((part) => ({
        type: "tool-result",
        callId: part.id,
        name: null,
        content: [{ type: "text", text: `done ${part.name}` }],
        isError: false,
      })),
    },
  ];
};

const tools: Tool[] = ["bash", "read_file", "write-file"].map((name) => ({
  kind: "function",
  name,
  description: `runs ${name}`,
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  strict: null,
  format: null,
  group: null,
}));

export const calls: fc.Arbitrary<ModelCall> = fc
  .record({
    system: fc.array(words, { maxLength: 1 }),
    first: words,
    said: replyParts,
    image: fc.boolean(),
    choice: fc.constantFrom(
      null,
      { type: "auto" },
      { type: "any" },
      { type: "none" },
      { type: "tool", name: "bash" },
    ),
    settings: fc.record(
      {
        maxOutputTokens: fc.integer({ min: 1, max: 1e6 }),
        temperature: fc.constantFrom(0, 0.5, 1),
        topP: fc.constantFrom(0.5, 1),
      },
      { requiredKeys: ["maxOutputTokens"] },
    ),
    stream: fc.boolean(),
  })
  .map(({ system, first, said, image, choice, settings, stream }) => {
    const spoken = said.filter((part) => part.type !== "thinking");
    const messages: Message[] = [
      {
        role: "user",
        parts: [
          { type: "text", text: first },
          ...(image
            ? [
                {
                  type: "image" as const,
                  source: { kind: "base64" as const, mediaType: "image/png", data: "iVBORw0=" },
                },
              ]
            : []),
        ],
      },
      ...(spoken.length > 0 ? [{ role: "assistant" as const, parts: spoken }, ...results(spoken)] : []),
    ];
    if (messages.at(-1)?.role === "assistant")
      messages.push({ role: "user", parts: [{ type: "text", text: "go on" }] });
    return {
      model: "some-model",
      system,
      messages,
      tools,
      toolChoice: choice as ModelCall["toolChoice"],
      settings,
      stream,
      notes: [],
    };
  });
