import type { CallSettings, JsonObject, JsonValue, Message, ModelCall, Outcome } from "../../call.ts";
import { EFFORTS, type ReplyPart, type TextPart, type UserPart } from "../../call.ts";
import { openRequest } from "../frame.ts";
import { booleanOf, defined, isObject, numberOf, objectOf, textOf } from "../json.ts";
import { refusal } from "../problems.ts";
import type { ReadableRequest } from "../protocol.ts";
import { readCallItem, readInputContent, readOutputContent, readReasoning } from "./items.ts";
import { readToolChoice, readTools } from "./tools.ts";

const KNOWN = new Set(
  (
    "model input instructions max_output_tokens reasoning text tools tool_choice parallel_tool_calls stream stream_options " +
    "temperature top_p store include"
  ).split(" "),
);
const STATELESS = "it keeps no earlier replies; send the whole conversation";
const REFUSED: Record<string, string> = {
  previous_response_id: STATELESS,
  conversation: STATELESS,
  prompt: "it has no stored prompts",
  background: "a reply comes while the client waits",
  top_logprobs: "it gives no probabilities of tokens",
};

export function readRequest({ body }: ReadableRequest): Outcome<ModelCall> {
  const opened = openRequest(body, { known: KNOWN, refused: REFUSED });
  if (!opened.ok) return opened;
  const { request, model, notes } = opened.value;
  const items =
    typeof request.input === "string" ? [{ role: "user", content: request.input }] : request.input;
  if (!Array.isArray(items) || items.length === 0) return refusal('"input" is missing or empty', "input");
  const conversation = readItems(items, notes);
  if (!conversation.ok) return conversation;
  const tools = readTools(request.tools, notes);
  if (!tools.ok) return tools;
  const instructions = textOf(request.instructions);
  return {
    ok: true,
    value: {
      model,
      system: [...(instructions ? [instructions] : []), ...conversation.value.system],
      messages: conversation.value.messages,
      tools: tools.value,
      toolChoice: readToolChoice(request.tool_choice, notes),
      settings: readSettings(request, notes),
      stream: request.stream === true,
      notes: [...notes],
    },
  };
}

function readSettings(body: JsonObject, notes: Set<string>): CallSettings {
  const text = objectOf(body.text);
  const format = objectOf(text.format);
  if (text.verbosity) notes.add('field "text.verbosity"');
  const json =
    format.type === "json_schema" || format.type === "json_object"
      ? {
          schema: isObject(format.schema) ? format.schema : null,
          name: textOf(format.name) ?? "answer",
          strict: booleanOf(format.strict),
        }
      : undefined;
  return defined<CallSettings>({
    maxOutputTokens: numberOf(body.max_output_tokens) ?? undefined,
    temperature: numberOf(body.temperature) ?? undefined,
    topP: numberOf(body.top_p) ?? undefined,
    topK: undefined,
    stop: undefined,
    seed: undefined,
    presencePenalty: undefined,
    frequencyPenalty: undefined,
    effort: EFFORTS.find((level) => level === objectOf(body.reasoning).effort),
    thinkingBudget: undefined,
    parallelToolCalls: booleanOf(body.parallel_tool_calls) ?? undefined,
    usageChunk: undefined,
    json,
  });
}

/** What a tool of the provider left behind in earlier turns: the replies that used it are there without it. */
const LEFT_OUT =
  /^(?:web_search_call|file_search_call|code_interpreter_call|image_generation_call|mcp_\w+|tool_search_\w+|additional_tools)$/;

function readItems(items: JsonValue[], notes: Set<string>): Outcome<Pick<ModelCall, "system" | "messages">> {
  const system: string[] = [];
  const messages: Message[] = [];
  const said = (...parts: ReplyPart[]): void => {
    const last = messages.at(-1);
    if (last?.role === "assistant") last.parts.push(...parts);
    else messages.push({ role: "assistant", parts });
  };
  for (const [index, entry] of items.entries()) {
    const item = objectOf(entry);
    const where = `input[${index}]`;
    const type = textOf(item.type) ?? (item.role === undefined ? null : "message");
    const call = readCallItem(item);
    if (call) said(call);
    else if (type === "reasoning") said(readReasoning(item));
    else if (type === "message" && item.role === "assistant") said(...readOutputContent(item.content));
    else if (type === "message") {
      const message = readMessage(item, where);
      if (!message.ok) return message;
      if (message.value.role === "system" && messages.length === 0) {
        system.push(...message.value.parts.map((part) => part.text));
      } else messages.push(message.value);
    } else if (type === "function_call_output" || type === "custom_tool_call_output") {
      const content = readInputContent(item.output, where);
      if (!content.ok) return content;
      const callId = textOf(item.call_id);
      if (callId === null) return refusal(`${where} is a tool's output without "call_id"`, where);
      const result: UserPart = {
        type: "tool-result",
        callId,
        name: null,
        content: content.value,
        isError: false,
      };
      const last = messages.at(-1);
      if (last?.role === "user" && last.parts.every((part) => part.type === "tool-result"))
        last.parts.push(result);
      else messages.push({ role: "user", parts: [result] });
    } else if (type !== null && LEFT_OUT.test(type))
      notes.add(`an item of type "${type}" of an earlier reply`);
    else
      return refusal(
        `${where} is an item of type ${JSON.stringify(type)}, which cannot be carried over`,
        where,
      );
  }
  return { ok: true, value: { system, messages } };
}

function readMessage(item: JsonObject, where: string): Outcome<Message> {
  const content = readInputContent(item.content, where);
  if (!content.ok) return content;
  if (item.role === "user") return { ok: true, value: { role: "user", parts: content.value } };
  if (item.role === "system" || item.role === "developer") {
    const parts = content.value.filter((part): part is TextPart => part.type === "text");
    return { ok: true, value: { role: "system", parts } };
  }
  return refusal(`${where} has the role ${JSON.stringify(item.role ?? null)}, which is not known`, where);
}
