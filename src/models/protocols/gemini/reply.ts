import { randomUUID } from "node:crypto";
import type { JsonObject, JsonValue, ModelCall, ModelReply, StopReason, Usage } from "../../call.ts";
import { jsonReply, madeId, replyReader } from "../frame.ts";
import { countOf, isObject, isPossibleUsage, listOf, objectOf, objectsOf, textOf } from "../json.ts";
import { problem } from "../problems.ts";
import type { WrittenReply } from "../protocol.ts";
import { joinTexts, readReplyPart, replyPartWriter, signatureOf } from "./parts.ts";

/** Cached tokens are inside the prompt, thoughts are beside the candidates. */
export function readUsage(value: JsonValue | undefined): Usage | null {
  if (!isObject(value) || !isPossibleUsage(value)) return null;
  const cacheRead = countOf(value.cachedContentTokenCount);
  const reasoning = countOf(value.thoughtsTokenCount);
  return {
    inputUncached: Math.max(
      0,
      countOf(value.promptTokenCount) + countOf(value.toolUsePromptTokenCount) - cacheRead,
    ),
    cacheRead,
    cacheWrite: 0,
    output: countOf(value.candidatesTokenCount) + reasoning,
    reasoning,
  };
}

export function writeUsage(usage: Usage): JsonObject {
  const read = usage.inputUncached + usage.cacheRead + usage.cacheWrite;
  return {
    promptTokenCount: read,
    candidatesTokenCount: usage.output - usage.reasoning,
    totalTokenCount: read + usage.output,
    ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
  };
}

const STOPS: Record<string, StopReason> = {
  MAX_TOKENS: "length",
  SAFETY: "refused",
  RECITATION: "refused",
  BLOCKLIST: "refused",
  PROHIBITED_CONTENT: "refused",
  SPII: "refused",
  LANGUAGE: "refused",
  CONTINUATION: "again",
  MALFORMED_FUNCTION_CALL: "again",
  OTHER: "error",
};

export function readStop(reason: string | null, hasToolCall: boolean): StopReason {
  return STOPS[reason ?? ""] ?? (hasToolCall ? "tools" : "end");
}

export function writeStop(reason: StopReason): string {
  if (reason === "length" || reason === "context") return "MAX_TOKENS";
  if (reason === "refused") return "SAFETY";
  return reason === "error" ? "OTHER" : "STOP";
}

export function newCallId(): string {
  return madeId("call_");
}

export const readReply = replyReader((reply) => {
  const candidate = objectsOf(reply.candidates)[0];
  const blocked = textOf(objectOf(reply.promptFeedback).blockReason);
  if (!candidate && blocked === null) return problem("broken", "the reply has no candidates");
  const parts = joinTexts(
    listOf(objectOf(candidate?.content).parts).flatMap((part) => readReplyPart(part, newCallId)),
  );
  const hasToolCall = parts.some((part) => part.type === "tool-call");
  return {
    id: textOf(reply.responseId) ?? "",
    model: textOf(reply.modelVersion) ?? "",
    parts,
    usage: readUsage(reply.usageMetadata),
    stopReason: candidate ? readStop(textOf(candidate.finishReason), hasToolCall) : "refused",
  };
});

export function writeReply(reply: ModelReply, call: ModelCall): WrittenReply {
  const writer = replyPartWriter();
  const parts = reply.parts.flatMap((part) =>
    writer.write(part, part.type === "thinking" ? signatureOf(part.opaque) : null),
  );
  parts.push(...writer.rest());
  const body: JsonObject = {
    candidates: [{ content: { role: "model", parts }, finishReason: writeStop(reply.stopReason), index: 0 }],
    modelVersion: reply.model || call.model,
    responseId: reply.id || randomUUID(),
  };
  if (reply.usage) body.usageMetadata = writeUsage(reply.usage);
  return jsonReply(body);
}
