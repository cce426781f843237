import { randomUUID } from "node:crypto";
import type { JsonObject, ModelCall, ReplyEvent, StartedPart, Usage } from "../../call.ts";
import type { StreamWriter } from "../protocol.ts";
import { EVENT_STREAM_HEADERS, formatEvent } from "../server-sent-events.ts";
import { writeGeminiError } from "./errors.ts";
import { replyPartWriter, signatureOf } from "./parts.ts";
import { writeStop, writeUsage } from "./reply.ts";

export function streamWriter(call: ModelCall): StreamWriter {
  const head: JsonObject = { modelVersion: call.model, responseId: randomUUID() };
  const writer = replyPartWriter();
  let startUsage: Usage | null = null;
  let open: StartedPart | null = null;
  let pieces: string[] = [];
  /** A call stands in one event; the last one waits, so that the end can stand in the same event. */
  let waiting: JsonObject[] = [];

  const chunk = (parts: JsonObject[], more: JsonObject = {}, beside: JsonObject = {}): string =>
    formatEvent({
      candidates: [{ content: { role: "model", parts }, ...more, index: 0 }],
      ...beside,
      ...head,
    });
  const send = (parts: JsonObject[]): string => {
    const before = waiting.length > 0 && parts.length > 0 ? chunk(waiting) : "";
    if (before !== "") waiting = [];
    return parts.length > 0 ? before + chunk(parts) : before;
  };

  const endPart = (opaque: Extract<ReplyEvent, { type: "part-end" }>["opaque"]): string => {
    const part = open;
    open = null;
    if (part?.type === "thinking")
      return send(writer.write({ type: "thinking", text: "", opaque }, signatureOf(opaque)));
    if (part?.type !== "tool-call") return "";
    waiting.push(...writer.write({ ...part, input: pieces.join("") }, null));
    return "";
  };

  const write = (event: ReplyEvent): string => {
    if (event.type === "start") {
      if (event.id) head.responseId = event.id;
      if (event.model) head.modelVersion = event.model;
      startUsage = event.usage;
      return "";
    }
    if (event.type === "part-start") {
      open = event.part;
      pieces = [];
      return "";
    }
    if (event.type === "part-delta") {
      if (open?.type === "tool-call") {
        pieces.push(event.text);
        return "";
      }
      const part = {
        type: open?.type === "thinking" ? ("thinking" as const) : ("text" as const),
        text: event.text,
      };
      return send(
        writer.write(
          part.type === "thinking" ? { ...part, type: "thinking", opaque: null } : { ...part, type: "text" },
          null,
        ),
      );
    }
    if (event.type === "part-end") return endPart(event.opaque);
    if (event.type === "error") return formatEvent(writeGeminiError(event.problem).body);
    const usage = event.usage ?? startUsage;
    const parts = [...waiting, ...writer.rest()];
    const counted = usage ? { usageMetadata: writeUsage(usage) } : {};
    return chunk(
      parts.length > 0 ? parts : [{ text: "" }],
      { finishReason: writeStop(event.stopReason) },
      counted,
    );
  };
  return { headers: EVENT_STREAM_HEADERS, write };
}
