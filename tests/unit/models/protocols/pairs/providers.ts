import type { ProtocolName } from "../../../../../src/models/call.ts";

/**
 * Four made-up providers. Their replies are written by hand from the protocols' descriptions, not with the code under test. The first
 * turn thinks, says something and calls a tool; the second one speaks of the result.
 */
export interface Provider {
  path: RegExp;
  /** The reply of a turn: the JSON of a whole one, the text of a streamed one. */
  whole(turn: 1 | 2): unknown;
  stream(turn: 1 | 2): string;
  /** What the second request must contain: the result of the tool, in the provider's own words. */
  result(id: string): unknown;
  /** What only this provider understands, and must get back. */
  secret: string | null;
  error: { status: number; body: unknown };
}

export const SAID = "Let me look. ß🦊";
export const ANSWER = "There is a.csv.";
const USAGE_OPENAI = {
  prompt_tokens: 30,
  completion_tokens: 12,
  total_tokens: 42,
  prompt_tokens_details: { cached_tokens: 10 },
};
const USAGE_RESPONSES = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 12,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 42,
};
const USAGE_MESSAGES = {
  input_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 10,
  output_tokens: 12,
};
const USAGE_GEMINI = {
  promptTokenCount: 30,
  cachedContentTokenCount: 10,
  candidatesTokenCount: 12,
  totalTokenCount: 42,
};

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

function chatChunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return data({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m-served", choices });
}

const chat: Provider = {
  path: /^\/v1\/chat\/completions$/,
  whole(turn) {
    const call = {
      id: "call_1",
      type: "function",
      function: { name: "bash", arguments: '{"command": "ls"}' },
    };
    const message =
      turn === 1
        ? { role: "assistant", content: SAID, tool_calls: [call] }
        : { role: "assistant", content: ANSWER, refusal: null };
    const choices = [{ index: 0, message, finish_reason: turn === 1 ? "tool_calls" : "stop" }];
    return {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "m-served",
      choices,
      usage: USAGE_OPENAI,
    };
  },
  stream(turn) {
    const usage = data({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m-served",
      choices: [],
      usage: USAGE_OPENAI,
    });
    if (turn === 2)
      return `${chatChunk({ role: "assistant", content: ANSWER })}${chatChunk({}, "stop")}${usage}data: [DONE]\n\n`;
    const first = { index: 0, id: "call_1", type: "function", function: { name: "bash", arguments: "" } };
    const more = (text: string) => chatChunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });
    return [
      ": OPENROUTER PROCESSING\n\n",
      chatChunk({ role: "assistant", content: "" }),
      chatChunk({ content: "Let me look. " }),
      chatChunk({ content: "ß🦊" }),
      chatChunk({ tool_calls: [first] }),
      more('{"comm'),
      more('and": "ls"}'),
      chatChunk({}, "tool_calls"),
      usage,
      "data: [DONE]\n\n",
    ].join("");
  },
  result: (id) => ({ role: "tool", tool_call_id: id, content: "a.csv" }),
  secret: null,
  error: {
    status: 400,
    body: {
      error: {
        message: "the model does not like this",
        type: "invalid_request_error",
        param: null,
        code: null,
      },
    },
  },
};

const reasoning = {
  id: "rs_1",
  type: "reasoning",
  summary: [{ type: "summary_text", text: "thinking" }],
  encrypted_content: "SECRET-OF-RESPONSES",
};
const said = {
  id: "msg_1",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: SAID, annotations: [] }],
};
const called = {
  id: "fc_1",
  type: "function_call",
  status: "completed",
  call_id: "call_1",
  name: "bash",
  arguments: '{"command": "ls"}',
};
const answered = { ...said, content: [{ type: "output_text", text: ANSWER, annotations: [] }] };

const responses: Provider = {
  path: /^\/v1\/responses$/,
  whole: (turn) => ({
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    error: null,
    incomplete_details: null,
    model: "m-served",
    output: turn === 1 ? [reasoning, said, called] : [answered],
    usage: USAGE_RESPONSES,
  }),
  stream(turn) {
    const start = {
      id: "resp_1",
      object: "response",
      created_at: 1,
      status: "in_progress",
      error: null,
      model: "m-served",
      output: [],
    };
    const text = turn === 1 ? said : answered;
    const at = turn === 1 ? 1 : 0;
    const whole = text.content[0]!.text;
    const events: { type: string }[] = [{ type: "response.created", response: start } as { type: string }];
    const push = (type: string, fields: object) =>
      events.push({ type, sequence_number: events.length, ...fields } as { type: string });
    if (turn === 1) {
      push("response.output_item.added", {
        output_index: 0,
        item: { id: "rs_1", type: "reasoning", summary: [] },
      });
      push("response.reasoning_summary_part.added", {
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        part: { type: "summary_text", text: "" },
      });
      push("response.reasoning_summary_text.delta", {
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        delta: "thinking",
      });
      push("response.output_item.done", { output_index: 0, item: reasoning });
    }
    push("response.output_item.added", {
      output_index: at,
      item: { ...text, status: "in_progress", content: [] },
    });
    push("response.content_part.added", {
      item_id: "msg_1",
      output_index: at,
      content_index: 0,
      part: { type: "output_text", text: "", annotations: [] },
    });
    for (const piece of [whole.slice(0, 5), whole.slice(5)]) {
      push("response.output_text.delta", {
        item_id: "msg_1",
        output_index: at,
        content_index: 0,
        delta: piece,
      });
    }
    push("response.output_text.done", { item_id: "msg_1", output_index: at, content_index: 0, text: whole });
    push("response.content_part.done", {
      item_id: "msg_1",
      output_index: at,
      content_index: 0,
      part: text.content[0],
    });
    push("response.output_item.done", { output_index: at, item: text });
    if (turn === 1) {
      push("response.output_item.added", {
        output_index: 2,
        item: { ...called, status: "in_progress", arguments: "" },
      });
      push("response.function_call_arguments.delta", {
        item_id: "fc_1",
        output_index: 2,
        delta: '{"command"',
      });
      push("response.function_call_arguments.delta", { item_id: "fc_1", output_index: 2, delta: ': "ls"}' });
      push("response.function_call_arguments.done", {
        item_id: "fc_1",
        output_index: 2,
        arguments: '{"command": "ls"}',
      });
      push("response.output_item.done", { output_index: 2, item: called });
    }
    push("response.completed", { response: this.whole(turn) });
    return events.map(named).join("");
  },
  result: (id) => ({ type: "function_call_output", call_id: id, output: "a.csv" }),
  secret: "SECRET-OF-RESPONSES",
  error: chat.error,
};

const messages: Provider = {
  path: /^\/v1\/messages(?:\?.*)?$/,
  whole: (turn) => ({
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "m-served",
    content:
      turn === 1
        ? [
            { type: "thinking", thinking: "thinking", signature: "SECRET-OF-MESSAGES" },
            { type: "text", text: SAID },
            { type: "tool_use", id: "toolu_1", name: "bash", input: { command: "ls" } },
          ]
        : [{ type: "text", text: ANSWER }],
    stop_reason: turn === 1 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: USAGE_MESSAGES,
  }),
  stream(turn) {
    const events: { type: string }[] = [];
    const push = (type: string, fields: object) => events.push({ type, ...fields } as { type: string });
    const start = {
      id: "msg_01",
      type: "message",
      role: "assistant",
      model: "m-served",
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    push("message_start", { message: { ...start, usage: { ...USAGE_MESSAGES, output_tokens: 1 } } });
    push("ping", {});
    const block = (index: number, content_block: object, deltas: object[]) => {
      push("content_block_start", { index, content_block });
      for (const delta of deltas) push("content_block_delta", { index, delta });
      push("content_block_stop", { index });
    };
    const text = turn === 1 ? SAID : ANSWER;
    const texts = [text.slice(0, 3), text.slice(3)].map((piece) => ({ type: "text_delta", text: piece }));
    if (turn === 1) {
      block(0, { type: "thinking", thinking: "", signature: "" }, [
        { type: "thinking_delta", thinking: "think" },
        { type: "thinking_delta", thinking: "ing" },
        { type: "signature_delta", signature: "SECRET-OF-MESSAGES" },
      ]);
      block(1, { type: "text", text: "" }, texts);
      const pieces = ["", '{"command"', ': "ls"}'].map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      }));
      block(2, { type: "tool_use", id: "toolu_1", name: "bash", input: {} }, pieces);
    } else block(0, { type: "text", text: "" }, texts);
    const stop_reason = turn === 1 ? "tool_use" : "end_turn";
    push("message_delta", {
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 12, input_tokens: null },
    });
    push("message_stop", {});
    return events.map(named).join("");
  },
  result: (id) => ({ type: "tool_result", tool_use_id: id, content: "a.csv" }),
  secret: "SECRET-OF-MESSAGES",
  error: {
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "the model does not like this" },
      request_id: "req_1",
    },
  },
};

const geminiReply = (parts: object[], finishReason: string | null) => ({
  candidates: [{ content: { role: "model", parts }, ...(finishReason ? { finishReason } : {}), index: 0 }],
  ...(finishReason ? { usageMetadata: USAGE_GEMINI } : {}),
  modelVersion: "m-served",
  responseId: "r-1",
});
const geminiCall = {
  functionCall: { id: "fc-1", name: "bash", args: { command: "ls" } },
  thoughtSignature: "SECRET/OF/GEMINI",
};

const gemini: Provider = {
  path: /^\/v1beta\/models\/m:(?:generateContent|streamGenerateContent\?alt=sse)$/,
  whole: (turn) =>
    geminiReply(
      turn === 1 ? [{ text: "thinking", thought: true }, { text: SAID }, geminiCall] : [{ text: ANSWER }],
      "STOP",
    ),
  stream: (turn) =>
    (turn === 1
      ? [
          geminiReply([{ text: "thinking", thought: true }], null),
          geminiReply([{ text: "Let me look. " }], null),
          geminiReply([{ text: "ß🦊" }], null),
          geminiReply([geminiCall], "STOP"),
        ]
      : [geminiReply([{ text: ANSWER.slice(0, 4) }], null), geminiReply([{ text: ANSWER.slice(4) }], "STOP")]
    )
      .map((reply) => `data: ${JSON.stringify(reply)}\r\n\r\n`)
      .join(""),
  result: (id) => ({ functionResponse: { id, name: "bash", response: { output: "a.csv" } } }),
  secret: "SECRET/OF/GEMINI",
  error: {
    status: 400,
    body: { error: { code: 400, message: "the model does not like this", status: "INVALID_ARGUMENT" } },
  },
};

export const providers: Record<ProtocolName, Provider> = { chat, responses, messages, gemini };
