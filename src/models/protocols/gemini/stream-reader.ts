import type { JsonObject, ReplyPart, Usage } from "../../call.ts";
import { isObject, listOf, objectOf, objectsOf, textOf } from "../json.ts";
import { streamReaderOf } from "../part-stream.ts";
import { readReplyPart } from "./parts.ts";
import { newCallId, readStop, readUsage } from "./reply.ts";

export const streamReader = streamReaderOf((out) => {
  let usage: Usage | null = null;
  let finishReason: string | null = null;

  const readPart = (part: ReplyPart): void => {
    if (part.type === "thinking") {
      if (part.text !== "") out.text("thinking", part.text);
      if (part.opaque === null) return;
      if (out.openPart?.type !== "thinking") out.open({ type: "thinking" });
      out.close(part.opaque);
    } else if (part.type === "tool-call") {
      const { type, id, name, kind } = part;
      out.open({ type, id, name, kind });
      out.delta(part.input);
      out.close();
    } else out.text(part.type, part.text);
  };

  const readChunk = (chunk: JsonObject): void => {
    out.start(textOf(chunk.responseId) ?? "", textOf(chunk.modelVersion) ?? "", null);
    if (isObject(chunk.usageMetadata)) usage = readUsage(chunk.usageMetadata);
    if (textOf(objectOf(chunk.promptFeedback).blockReason) !== null) finishReason = "SAFETY";
    const candidate = objectsOf(chunk.candidates)[0];
    if (!candidate) return;
    for (const value of listOf(objectOf(candidate.content).parts)) {
      for (const part of readReplyPart(value, newCallId)) readPart(part);
    }
    finishReason = textOf(candidate.finishReason) ?? finishReason;
  };

  return {
    read: readChunk,
    // The protocol has no last event: a finish reason and the end of the connection make one.
    end: () => {
      if (finishReason !== null) out.finish(readStop(finishReason, out.hasToolCall), usage);
    },
  };
});
