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
import { objectOf, objectsOf, textOf } from "../json.ts";
import { readOpenaiUsage, writeOpenaiUsage } from "../openai/usage.ts";
import { problem } from "../problems.ts";
import type { WrittenReply } from "../protocol.ts";
import { readCallItem, readOutputContent, readReasoning, writeReasoning } from "./items.ts";

export function readUsage(value: JsonValue | undefined, serviceTier?: JsonValue): Usage | null {
  return readOpenaiUsage(value, "input_tokens", "output_tokens", serviceTier);
}

export function writeUsage(usage: Usage): JsonObject {
  return writeOpenaiUsage(usage, "input_tokens", "output_tokens");
}

export function readStop(reply: JsonObject, hasToolCall: boolean): StopReason {
  const reason = textOf(objectOf(reply.incomplete_details).reason);
  if (reply.status === "incomplete") return reason === "content_filter" ? "refused" : "length";
  if (reply.status === "cancelled" || reply.status === "failed") return "error";
  return hasToolCall ? "tools" : "end";
}

export const failedResponse = () => problem("server", "the provider reported a failed response");

export const readReply = replyReader((reply) => {
  if (reply.status === "failed") return failedResponse();
  if (!Array.isArray(reply.output)) return problem("broken", "the reply has no list of output items");
  const parts = objectsOf(reply.output).flatMap(readOutputItem);
  return {
    parts,
    usage: readUsage(reply.usage, reply.service_tier),
    stopReason: readStop(
      reply,
      parts.some((part) => part.type === "tool-call"),
    ),
  };
});

/** Items of tools that ran at the provider have no counterpart and are left out. */
export function readOutputItem(item: JsonObject): ReplyPart[] {
  if (item.type === "message") return readOutputContent(item.content);
  if (item.type === "reasoning") return [readReasoning(item)];
  const call = readCallItem(item);
  if (!call) return [];
  return [call.id === "" ? { ...call, id: madeId("call_") } : call];
}

export function writeReply(reply: ModelReply, call: ModelCall): WrittenReply {
  const head = responseHead(reply.id, reply.model || call.model, call);
  const write = itemWriter(call);
  const output = reply.parts.map((part) => write(part, "completed"));
  return jsonReply({
    ...head,
    ...ending(reply.stopReason),
    output,
    usage: reply.usage ? writeUsage(reply.usage) : null,
  });
}

/** Items of one reply, each with an id of its own; a tool is named as the client named it. */
export function itemWriter(
  call: ModelCall,
): (part: ReplyPart, status: "in_progress" | "completed", id?: string) => JsonObject {
  const custom = customNames(call);
  const groups = new Map(
    call.tools.flatMap((tool) => (tool.group ? [[tool.name, tool.group] as const] : [])),
  );
  return (part, status, id = randomUUID().replaceAll("-", "")) => {
    if (part.type === "thinking") return writeReasoning(`rs_${id}`, part.text, part.opaque);
    if (part.type === "tool-call") {
      const { id: call_id, name, kind, input } = asClientCalls(part, custom);
      if (kind === "custom")
        return { id: `ctc_${id}`, type: "custom_tool_call", status, call_id, name, input };
      const group = groups.get(name);
      const named = group ? { name: group.tool, namespace: group.name } : { name };
      return { id: `fc_${id}`, type: "function_call", status, call_id, ...named, arguments: input };
    }
    const content =
      part.type === "refusal"
        ? { type: "refusal", refusal: part.text }
        : { type: "output_text", text: part.text, annotations: [], logprobs: [] };
    const started = status === "in_progress";
    return { id: `msg_${id}`, type: "message", status, role: "assistant", content: started ? [] : [content] };
  };
}

export function ending(stopReason: StopReason): JsonObject {
  const reason = stopReason === "refused" ? "content_filter" : "max_output_tokens";
  const incomplete = stopReason === "length" || stopReason === "context" || stopReason === "refused";
  return {
    status: incomplete ? "incomplete" : "completed",
    incomplete_details: incomplete ? { reason } : null,
  };
}

export function responseHead(id: string, model: string, call: ModelCall): JsonObject {
  return {
    id: id.startsWith("resp_") ? id : `resp_${id || randomUUID().replaceAll("-", "")}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "in_progress",
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: call.settings.parallelToolCalls ?? true,
    temperature: call.settings.temperature ?? null,
    tool_choice: "auto",
    tools: [],
    top_p: call.settings.topP ?? null,
    usage: null,
  };
}
