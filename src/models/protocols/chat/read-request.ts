import type { CallSettings, JsonObject, JsonValue, Message, ModelCall, Outcome } from "../../call.ts";
import {
  EFFORTS,
  type ImagePart,
  type ReplyPart,
  type TextPart,
  type Tool,
  type ToolChoice,
} from "../../call.ts";
import { openRequest } from "../frame.ts";
import { booleanOf, defined, isObject, listOf, numberOf, objectOf, objectsOf, textOf } from "../json.ts";
import { imageFromUrl } from "../pictures.ts";
import { refusal } from "../problems.ts";
import type { ReadableRequest } from "../protocol.ts";

const KNOWN = new Set(
  "model messages max_tokens max_completion_tokens temperature top_p top_k stop seed presence_penalty frequency_penalty".split(
    " ",
  ),
);
for (const name of "reasoning_effort response_format tools tool_choice parallel_tool_calls stream stream_options n".split(
  " ",
))
  KNOWN.add(name);

const REFUSED: Record<string, string> = {
  logprobs: "it gives no probabilities of tokens",
  top_logprobs: "it gives no probabilities of tokens",
  logit_bias: "it takes no bias",
  audio: "it does not speak",
  web_search_options: "searching is not carried over",
  functions: 'send "tools" instead',
  function_call: 'send "tool_choice" instead',
};

export function readRequest({ body }: ReadableRequest): Outcome<ModelCall> {
  const opened = openRequest(body, { known: KNOWN, refused: REFUSED, list: "messages" });
  if (!opened.ok) return opened;
  const { request, model, notes } = opened.value;
  if ((numberOf(request.n) ?? 1) > 1)
    return refusal("more than one answer to a request (n) cannot be carried over", "n");
  const conversation = readMessages(listOf(request.messages));
  if (!conversation.ok) return conversation;
  const tools = readTools(request.tools);
  if (!tools.ok) return tools;
  return {
    ok: true,
    value: {
      model,
      ...conversation.value,
      tools: tools.value,
      toolChoice: readToolChoice(request.tool_choice, notes),
      settings: readSettings(request),
      stream: request.stream === true,
      notes: [...notes],
    },
  };
}

function readSettings(body: JsonObject): CallSettings {
  const effort = EFFORTS.find((level) => level === body.reasoning_effort);
  const stop =
    typeof body.stop === "string"
      ? [body.stop]
      : listOf(body.stop).filter((text) => typeof text === "string");
  const asked = booleanOf(objectOf(body.stream_options).include_usage);
  return defined<CallSettings>({
    maxOutputTokens: numberOf(body.max_completion_tokens) ?? numberOf(body.max_tokens) ?? undefined,
    temperature: numberOf(body.temperature) ?? undefined,
    topP: numberOf(body.top_p) ?? undefined,
    topK: numberOf(body.top_k) ?? undefined,
    stop: stop.length > 0 ? stop : undefined,
    seed: numberOf(body.seed) ?? undefined,
    presencePenalty: numberOf(body.presence_penalty) ?? undefined,
    frequencyPenalty: numberOf(body.frequency_penalty) ?? undefined,
    effort,
    thinkingBudget: undefined,
    parallelToolCalls: booleanOf(body.parallel_tool_calls) ?? undefined,
    usageChunk: asked === true ? true : undefined,
    json: readFormat(objectOf(body.response_format)),
  });
}

function readFormat(format: JsonObject): CallSettings["json"] {
  if (format.type === "json_object") {
    return { schema: isObject(format.schema) ? format.schema : null, name: "answer", strict: null };
  }
  if (format.type !== "json_schema") return undefined;
  const inner = objectOf(format.json_schema);
  const schema = isObject(inner.schema) ? inner.schema : null;
  return { schema, name: textOf(inner.name) ?? "answer", strict: booleanOf(inner.strict) };
}

type Conversation = Pick<ModelCall, "system" | "messages">;

function readMessages(list: JsonValue[]): Outcome<Conversation> {
  const system: string[] = [];
  const messages: Message[] = [];
  for (const [index, entry] of list.entries()) {
    const message = objectOf(entry);
    const where = `messages[${index}]`;
    const role = textOf(message.role);
    if (role === "system" || role === "developer") {
      const parts = readContent(message.content, where, false);
      if (!parts.ok) return parts;
      const texts = parts.value.filter((part) => part.type === "text");
      if (messages.length === 0) system.push(...texts.map((part) => part.text));
      else if (texts.length > 0) messages.push({ role: "system", parts: texts });
    } else if (role === "user") {
      const parts = readContent(message.content, where, true);
      if (!parts.ok) return parts;
      messages.push({ role: "user", parts: parts.value });
    } else if (role === "assistant") {
      const parts = readAssistant(message, where);
      if (!parts.ok) return parts;
      messages.push({ role: "assistant", parts: parts.value });
    } else if (role === "tool") {
      const content = readContent(message.content, where, true);
      if (!content.ok) return content;
      const callId = textOf(message.tool_call_id);
      if (callId === null) return refusal(`${where} is a tool's result without "tool_call_id"`, where);
      const part = {
        type: "tool-result" as const,
        callId,
        name: null,
        content: content.value,
        isError: false,
      };
      const last = messages.at(-1);
      const joins = last?.role === "user" && last.parts.every((other) => other.type === "tool-result");
      if (joins) last.parts.push(part);
      else messages.push({ role: "user", parts: [part] });
    } else
      return refusal(
        `${where} has the role ${JSON.stringify(message.role ?? null)}, which is not known`,
        where,
      );
  }
  return { ok: true, value: { system, messages } };
}

function readContent(
  content: JsonValue | undefined,
  where: string,
  images: boolean,
): Outcome<(TextPart | ImagePart)[]> {
  if (typeof content === "string") return { ok: true, value: [{ type: "text", text: content }] };
  const parts: (TextPart | ImagePart)[] = [];
  for (const entry of listOf(content)) {
    const part = objectOf(entry);
    const url = textOf(objectOf(part.image_url).url) ?? textOf(part.image_url);
    if (part.type === "text" && typeof part.text === "string") parts.push({ type: "text", text: part.text });
    else if (part.type === "image_url" && url !== null && images) parts.push(imageFromUrl(url));
    else
      return refusal(
        `${where} has a part of type ${JSON.stringify(part.type ?? null)}, which cannot be carried over`,
        where,
      );
  }
  return { ok: true, value: parts };
}

function readAssistant(message: JsonObject, where: string): Outcome<ReplyPart[]> {
  const parts: ReplyPart[] = [];
  const thinking = textOf(message.reasoning_content) ?? textOf(message.reasoning);
  if (thinking) parts.push({ type: "thinking", text: thinking, opaque: null });
  if (typeof message.content === "string") {
    if (message.content !== "") parts.push({ type: "text", text: message.content });
  } else {
    for (const part of objectsOf(message.content)) {
      const refused = textOf(part.refusal);
      if (refused !== null) parts.push({ type: "refusal", text: refused });
      else if (typeof part.text === "string") parts.push({ type: "text", text: part.text });
      else
        return refusal(
          `${where} has a part of type ${JSON.stringify(part.type ?? null)}, which cannot be carried over`,
          where,
        );
    }
  }
  const refused = textOf(message.refusal);
  if (refused) parts.push({ type: "refusal", text: refused });
  for (const call of objectsOf(message.tool_calls)) {
    const id = textOf(call.id) ?? "";
    const custom = call.type === "custom";
    const inner = objectOf(custom ? call.custom : call.function);
    const name = textOf(inner.name);
    if (name === null) return refusal(`${where} has a tool call without a name`, where);
    const input =
      textOf(custom ? inner.input : inner.arguments) ?? (custom ? "" : JSON.stringify(inner.arguments ?? {}));
    parts.push({ type: "tool-call", id, name, kind: custom ? "custom" : "function", input });
  }
  return { ok: true, value: parts };
}

function readTools(value: JsonValue | undefined): Outcome<Tool[]> {
  const tools: Tool[] = [];
  for (const tool of objectsOf(value)) {
    const custom = tool.type === "custom";
    const inner = objectOf(custom ? tool.custom : tool.function);
    const name = textOf(inner.name);
    if (name === null && (custom || isObject(tool.function))) return refusal("a tool has no name", "tools");
    if (name === null || (tool.type !== undefined && tool.type !== "function" && !custom)) {
      return refusal(
        `the tool ${JSON.stringify(tool.type ?? null)} runs at its own provider and cannot be carried over`,
        "tools",
      );
    }
    tools.push({
      kind: custom ? "custom" : "function",
      name,
      description: textOf(inner.description),
      schema: isObject(inner.parameters) ? inner.parameters : null,
      strict: booleanOf(inner.strict),
      format: inner.format ?? null,
      group: null,
    });
  }
  return { ok: true, value: tools };
}

function readToolChoice(value: JsonValue | undefined, notes: Set<string>): ToolChoice | null {
  if (value === "auto" || value === "none") return { type: value };
  if (value === "required") return { type: "any" };
  if (!isObject(value)) return null;
  if (value.type === "allowed_tools") {
    notes.add("the list of allowed tools in the tool choice");
    return { type: objectOf(value.allowed_tools).mode === "required" ? "any" : "auto" };
  }
  const name = textOf(objectOf(value.function).name) ?? textOf(objectOf(value.custom).name);
  return name === null ? null : { type: "tool", name };
}
