import type { JsonObject, ReplyPart, Usage } from "../../call.ts";
import { isObject, listOf, objectOf, objectsOf, parseJson, textOf } from "../json.ts";
import { halfStream, partStream } from "../part-stream.ts";
import { problem, problemInside } from "../problems.ts";
import type { StreamReader } from "../protocol.ts";
import { type ServerSentEvent, splitEvents } from "../server-sent-events.ts";
import { readReplyPart } from "./parts.ts";
import { newCallId, readStop, readUsage } from "./reply.ts";

export function streamReader(): StreamReader {
  const splitter = splitEvents();
  const out = partStream();
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

  const read = (event: ServerSentEvent): void => {
    if (out.done) return;
    const data = parseJson(event.data);
    if (!isObject(data)) {
      out.fail(problem("broken", "the provider's stream has an event that is not a JSON object"));
      return;
    }
    const inside = problemInside(data);
    if (inside) out.fail(inside);
    else readChunk(data);
  };

  return {
    push(bytes) {
      for (const event of splitter.push(bytes)) read(event);
      if (splitter.overflown) out.fail(problem("broken", "one event of the provider's stream is too long"));
      return out.take();
    },
    // The protocol has no last event: a finish reason and the end of the connection make one.
    end() {
      const last = splitter.end();
      if (last && parseJson(last.data) !== undefined) read(last);
      if (finishReason !== null) out.finish(readStop(finishReason, out.hasToolCall), usage);
      out.fail(halfStream());
      return out.take();
    },
  };
}
