import type { CallSettings, JsonObject, JsonValue, Message, ModelCall, Outcome } from "../../call.ts";
import {
  EFFORTS,
  type ImagePart,
  type ReplyPart,
  type TextPart,
  type Tool,
  type ToolChoice,
  type UserPart,
} from "../../call.ts";
import { argumentsText } from "../arguments.ts";
import { openRequest } from "../frame.ts";
import { booleanOf, defined, isObject, listOf, numberOf, objectOf, objectsOf, textOf } from "../json.ts";
import { refusal } from "../problems.ts";
import type { ReadableRequest } from "../protocol.ts";
import { isProviderTool } from "./provider-tools.ts";
import { readThinking } from "./thinking.ts";

const KNOWN = new Set(
  (
    "model messages max_tokens system tools tool_choice thinking output_config stop_sequences stream temperature top_p top_k " +
    "cache_control"
  ).split(" "),
);
const REFUSED: Record<string, string> = {
  container: "it runs no code of its own",
  mcp_servers: "it reaches no servers of its own",
};

export function readRequest({ body }: ReadableRequest): Outcome<ModelCall> {
  const opened = openRequest(body, { known: KNOWN, refused: REFUSED, list: "messages" });
  if (!opened.ok) return opened;
  const { request, model, notes } = opened.value;
  const messages: Message[] = [];
  for (const [index, entry] of listOf(request.messages).entries()) {
    const message = readMessage(objectOf(entry), `messages[${index}]`, notes);
    if (!message.ok) return message;
    messages.push(message.value);
  }
  const tools = readTools(request.tools);
  if (!tools.ok) return tools;
  const system = typeof request.system === "string" ? [request.system] : textsOf(request.system);
  return {
    ok: true,
    value: {
      model,
      system: system.filter((text) => text !== ""),
      messages,
      tools: tools.value,
      toolChoice: readToolChoice(objectOf(request.tool_choice)),
      settings: readSettings(request),
      stream: request.stream === true,
      notes: [...notes],
    },
  };
}

function textsOf(blocks: JsonValue | undefined): string[] {
  return objectsOf(blocks).flatMap((block) => textOf(block.text) ?? []);
}

function readSettings(body: JsonObject): CallSettings {
  const output = objectOf(body.output_config);
  const format = objectOf(output.format);
  const thinking = objectOf(body.thinking);
  const effort = thinking.type === "disabled" ? "none" : EFFORTS.find((level) => level === output.effort);
  const stop = listOf(body.stop_sequences).filter((text) => typeof text === "string");
  const oneTool = booleanOf(objectOf(body.tool_choice).disable_parallel_tool_use);
  return defined<CallSettings>({
    maxOutputTokens: numberOf(body.max_tokens) ?? undefined,
    temperature: numberOf(body.temperature) ?? undefined,
    topP: numberOf(body.top_p) ?? undefined,
    topK: numberOf(body.top_k) ?? undefined,
    stop: stop.length > 0 ? stop : undefined,
    seed: undefined,
    presencePenalty: undefined,
    frequencyPenalty: undefined,
    effort,
    thinkingBudget: thinking.type === "enabled" ? (numberOf(thinking.budget_tokens) ?? undefined) : undefined,
    parallelToolCalls: oneTool === null ? undefined : !oneTool,
    usageChunk: undefined,
    json:
      format.type === "json_schema" && isObject(format.schema)
        ? { schema: format.schema, name: "answer", strict: null }
        : undefined,
  });
}

function readMessage(message: JsonObject, where: string, notes: Set<string>): Outcome<Message> {
  const blocks =
    typeof message.content === "string"
      ? [{ type: "text", text: message.content }]
      : objectsOf(message.content);
  if (message.role === "system") {
    const parts = textsOf(blocks).map((text): TextPart => ({ type: "text", text }));
    return { ok: true, value: { role: "system", parts } };
  }
  if (message.role === "user") {
    const parts: UserPart[] = [];
    for (const block of blocks) {
      const part = block.type === "tool_result" ? readResult(block, where) : readContent(block, where);
      if (!part.ok) return part;
      parts.push(part.value);
    }
    return { ok: true, value: { role: "user", parts } };
  }
  if (message.role !== "assistant") {
    return refusal(
      `${where} has the role ${JSON.stringify(message.role ?? null)}, which is not known`,
      where,
    );
  }
  const parts: ReplyPart[] = [];
  for (const block of blocks) {
    const thinking = readThinking(block);
    if (thinking) parts.push(thinking);
    else if (block.type === "text") parts.push({ type: "text", text: textOf(block.text) ?? "" });
    else if (block.type === "tool_use") {
      const name = textOf(block.name);
      const id = textOf(block.id);
      if (name === null || id === null)
        return refusal(`${where} has a tool_use block without id or name`, where);
      parts.push({ type: "tool-call", id, name, kind: "function", input: argumentsText(block.input) });
    } else notes.add(`a block of type ${JSON.stringify(block.type ?? null)} of an earlier reply`);
  }
  return { ok: true, value: { role: "assistant", parts } };
}

function readResult(block: JsonObject, where: string): Outcome<UserPart> {
  const callId = textOf(block.tool_use_id);
  if (callId === null) return refusal(`${where} has a tool_result block without "tool_use_id"`, where);
  const content: (TextPart | ImagePart)[] = [];
  const blocks =
    typeof block.content === "string" ? [{ type: "text", text: block.content }] : objectsOf(block.content);
  for (const inner of blocks) {
    const part = readContent(inner, where);
    if (!part.ok) return part;
    content.push(part.value);
  }
  return {
    ok: true,
    value: { type: "tool-result", callId, name: null, content, isError: block.is_error === true },
  };
}

function readContent(block: JsonObject, where: string): Outcome<TextPart | ImagePart> {
  const source = objectOf(block.source);
  if (block.type === "text") return { ok: true, value: { type: "text", text: textOf(block.text) ?? "" } };
  if (block.type === "image" && source.type === "base64") {
    const mediaType = textOf(source.media_type) ?? "image/png";
    return {
      ok: true,
      value: { type: "image", source: { kind: "base64", mediaType, data: textOf(source.data) ?? "" } },
    };
  }
  if (block.type === "image" && source.type === "url") {
    return { ok: true, value: { type: "image", source: { kind: "url", url: textOf(source.url) ?? "" } } };
  }
  if (block.type === "document" && source.type === "text") {
    return { ok: true, value: { type: "text", text: textOf(source.data) ?? "" } };
  }
  const kind = source.type ? `${block.type} from ${source.type}` : block.type;
  return refusal(
    `${where} has a block of type ${JSON.stringify(kind ?? null)}, which cannot be carried over`,
    where,
  );
}

function readTools(value: JsonValue | undefined): Outcome<Tool[]> {
  const tools: Tool[] = [];
  for (const tool of objectsOf(value)) {
    const name = textOf(tool.name);
    const own = tool.type === undefined || tool.type === null || tool.type === "custom";
    if (name === null || !own) {
      const reason = isProviderTool(tool) ? "runs at its own provider" : "has no schema of its own";
      return refusal(
        `the tool ${JSON.stringify(tool.type ?? null)} ${reason} and cannot be carried over`,
        "tools",
      );
    }
    tools.push({
      kind: "function",
      name,
      description: textOf(tool.description),
      schema: isObject(tool.input_schema) ? tool.input_schema : null,
      strict: booleanOf(tool.strict),
      format: null,
      group: null,
    });
  }
  return { ok: true, value: tools };
}

function readToolChoice(choice: JsonObject): ToolChoice | null {
  if (choice.type === "auto" || choice.type === "any" || choice.type === "none") return { type: choice.type };
  const name = textOf(choice.name);
  return choice.type === "tool" && name !== null ? { type: "tool", name } : null;
}
