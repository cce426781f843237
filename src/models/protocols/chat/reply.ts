import { randomUUID } from "node:crypto";
import type {
  JsonObject,
  JsonValue,
  ModelCall,
  ModelReply,
  ReplyPart,
  StopReason,
  Usage,
} from "../../call.ts";
import { asClientCalls, customNames } from "../conversation.ts";
import { jsonReply, madeId, replyReader } from "../frame.ts";
import { isObject, numberOf, objectOf, objectsOf, textOf } from "../json.ts";
import { readOpenaiUsage, writeOpenaiUsage } from "../openai/usage.ts";
import { problem } from "../problems.ts";
import type { WrittenReply } from "../protocol.ts";

export function readUsage(value: JsonValue | undefined, serviceTier?: JsonValue): Usage | null {
  return readOpenaiUsage(value, "prompt_tokens", "completion_tokens", serviceTier);
}

/** USD; nobody pays more for one call. */
const MAX_COST = 1e6;

/** OpenRouter says what a call cost. */
export function readCost(usage: JsonValue | undefined): number | null {
  const cost = numberOf(objectOf(usage).cost);
  return cost !== null && cost >= 0 && cost <= MAX_COST ? cost : null;
}

export function writeUsage(usage: Usage): JsonObject {
  return writeOpenaiUsage(usage, "prompt_tokens", "completion_tokens");
}

export function readStop(reason: string | null, hasToolCall: boolean): StopReason {
  if (reason === "length") return "length";
  if (reason === "content_filter") return "refused";
  if (reason === "error") return "error";
  return hasToolCall ? "tools" : "end";
}

export function writeStop(reason: StopReason): string {
  if (reason === "tools") return "tool_calls";
  if (reason === "length" || reason === "context") return "length";
  return reason === "refused" ? "content_filter" : "stop";
}

export const readReply = replyReader((reply) => {
  const choice = objectsOf(reply.choices)[0];
  if (!choice || !isObject(choice.message))
    return problem("broken", "the reply has no message in its choices");
  const parts = readMessage(choice.message);
  const hasToolCall = parts.some((part) => part.type === "tool-call");
  const cost = readCost(reply.usage);
  return {
    parts,
    usage: readUsage(reply.usage, reply.service_tier),
    stopReason: readStop(textOf(choice.finish_reason), hasToolCall),
    ...(cost === null ? {} : { reportedCost: cost }),
  };
});

function readMessage(message: JsonObject): ReplyPart[] {
  const parts: ReplyPart[] = [];
  const thinking = textOf(message.reasoning_content) ?? textOf(message.reasoning);
  if (thinking) parts.push({ type: "thinking", text: thinking, opaque: null });
  const content =
    textOf(message.content) ??
    objectsOf(message.content)
      .map((part) => textOf(part.text) ?? "")
      .join("");
  if (content !== "") parts.push({ type: "text", text: content });
  const refused = textOf(message.refusal);
  if (refused) parts.push({ type: "refusal", text: refused });
  for (const call of objectsOf(message.tool_calls)) {
    const custom = call.type === "custom";
    const inner = objectOf(custom ? call.custom : call.function);
    const name = textOf(inner.name) ?? "";
    // Some servers write the arguments as an object instead of its text.
    const input = textOf(custom ? inner.input : inner.arguments) ?? JSON.stringify(inner.arguments ?? {});
    parts.push({ type: "tool-call", id: callId(call.id), name, kind: custom ? "custom" : "function", input });
  }
  return parts;
}

/** A call without an id could not be answered: it gets one. */
export function callId(value: JsonValue | undefined): string {
  return textOf(value) || madeId("call_");
}

export function writeReply(reply: ModelReply, call: ModelCall): WrittenReply {
  const custom = customNames(call);
  const joined = (type: "text" | "refusal" | "thinking") =>
    reply.parts
      .filter((part) => part.type === type)
      .map((part) => ("text" in part ? part.text : ""))
      .join("");
  const calls = reply.parts
    .filter((part) => part.type === "tool-call")
    .map((part) => {
      const { id, name, kind, input } = asClientCalls(part, custom);
      if (kind === "custom") return { id, type: "custom", custom: { name, input } };
      return { id, type: "function", function: { name, arguments: input } };
    });
  const text = joined("text");
  const thinking = joined("thinking");
  const message: JsonObject = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    refusal: joined("refusal") || null,
  };
  if (thinking !== "") message.reasoning_content = thinking;
  if (calls.length > 0) message.tool_calls = calls;
  const body: JsonObject = {
    id: reply.id || `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: reply.model || call.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: writeStop(reply.stopReason) }],
  };
  if (reply.usage) body.usage = writeUsage(reply.usage);
  return jsonReply(body);
}
