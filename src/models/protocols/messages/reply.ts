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
import { argumentsObject, argumentsText } from "../arguments.ts";
import { jsonReply, madeId, replyReader } from "../frame.ts";
import { countOf, isObject, isPossibleUsage, numberOf, objectOf, objectsOf, textOf } from "../json.ts";
import { problem } from "../problems.ts";
import type { WrittenReply } from "../protocol.ts";
import { longPart, tierOf } from "../usage-parts.ts";
import { readThinking, writeThinking } from "./thinking.ts";

export function readUsage(value: JsonValue | undefined): Usage | null {
  if (!isObject(value) || !isPossibleUsage(value)) return null;
  const created = objectOf(value.cache_creation);
  const parts = countOf(created.ephemeral_5m_input_tokens) + countOf(created.ephemeral_1h_input_tokens);
  return {
    inputUncached: countOf(value.input_tokens),
    cacheRead: countOf(value.cache_read_input_tokens),
    cacheWrite:
      numberOf(value.cache_creation_input_tokens) === null
        ? parts
        : countOf(value.cache_creation_input_tokens),
    ...longPart(countOf(created.ephemeral_1h_input_tokens)),
    output: countOf(value.output_tokens),
    ...tierOf(value.service_tier, value.speed, value.inference_geo),
    reasoning: countOf(objectOf(value.output_tokens_details).thinking_tokens),
  };
}

export function writeUsage(usage: Usage | null): JsonObject {
  return {
    input_tokens: usage?.inputUncached ?? 0,
    cache_creation_input_tokens: usage?.cacheWrite ?? 0,
    cache_read_input_tokens: usage?.cacheRead ?? 0,
    output_tokens: usage?.output ?? 0,
    ...(usage && usage.reasoning > 0 ? { output_tokens_details: { thinking_tokens: usage.reasoning } } : {}),
  };
}

const STOPS: Record<string, StopReason> = {
  end_turn: "end",
  stop_sequence: "stop-sequence",
  max_tokens: "length",
  tool_use: "tools",
  pause_turn: "again",
  refusal: "refused",
  model_context_window_exceeded: "context",
};

export function readStop(reason: string | null): StopReason {
  return STOPS[reason ?? ""] ?? "end";
}

export function writeStop(reason: StopReason): string {
  const found = Object.entries(STOPS).find(([, stop]) => stop === reason);
  return found ? found[0] : "end_turn";
}

export const readReply = replyReader((reply) => {
  if (!Array.isArray(reply.content)) return problem("broken", "the reply has no list of content blocks");
  return {
    parts: objectsOf(reply.content).flatMap(readBlock),
    usage: readUsage(reply.usage),
    stopReason: readStop(textOf(reply.stop_reason)),
  };
});

/** Blocks of tools that ran at the provider have no counterpart and are left out; what they led to stands in the text. */
function readBlock(block: JsonObject): ReplyPart[] {
  const thinking = readThinking(block);
  if (thinking) return [thinking];
  if (block.type === "text") return [{ type: "text", text: textOf(block.text) ?? "" }];
  if (block.type !== "tool_use") return [];
  const id = toolUseId(block.id);
  const name = textOf(block.name) ?? "";
  return [{ type: "tool-call", id, name, kind: "function", input: argumentsText(block.input) }];
}

export function toolUseId(value: JsonValue | undefined): string {
  return textOf(value) || madeId("toolu_");
}

export function writeReply(reply: ModelReply, call: ModelCall): WrittenReply {
  const content = reply.parts.flatMap((part): JsonObject[] => {
    if (part.type === "tool-call") {
      return [{ type: "tool_use", id: part.id, name: part.name, input: argumentsObject(part.input) }];
    }
    if (part.type === "thinking") return [writeThinking(part.text, part.opaque)];
    return part.text === "" ? [] : [{ type: "text", text: part.text }];
  });
  return jsonReply({
    ...messageHead(reply.id, reply.model || call.model),
    content,
    stop_reason: writeStop(reply.stopReason),
    stop_sequence: null,
    usage: writeUsage(reply.usage),
  });
}

export function messageHead(id: string, model: string): JsonObject {
  return { id: id || `msg_${randomUUID().replaceAll("-", "")}`, type: "message", role: "assistant", model };
}
