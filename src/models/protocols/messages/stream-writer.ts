import type { JsonObject, ModelCall, ReplyEvent, StartedPart, Usage } from "../../call.ts";
import type { StreamWriter } from "../protocol.ts";
import { EVENT_STREAM_HEADERS, formatEvent } from "../server-sent-events.ts";
import { writeMessagesError } from "./errors.ts";
import { messageHead, writeStop, writeUsage } from "./reply.ts";
import { ownBlock, signatureOf } from "./thinking.ts";

export function streamWriter(call: ModelCall): StreamWriter {
  let started = false;
  let startUsage: Usage | null = null;
  /** The protocol's own numbering: a part without any text has no block. */
  let index = -1;
  let waiting: StartedPart | null = null;
  let open: StartedPart["type"] | null = null;

  const send = (event: JsonObject): string => formatEvent(event, event.type as string);
  const openBlock = (part: StartedPart): string => {
    index++;
    open = part.type;
    waiting = null;
    const block: JsonObject =
      part.type === "tool-call"
        ? { type: "tool_use", id: part.id, name: part.name, input: {} }
        : part.type === "thinking"
          ? { type: "thinking", thinking: "", signature: "" }
          : { type: "text", text: "" };
    return send({ type: "content_block_start", index, content_block: block });
  };
  const delta = (inner: JsonObject): string => send({ type: "content_block_delta", index, delta: inner });
  const textDelta = (text: string): string => {
    if (open === "tool-call") return delta({ type: "input_json_delta", partial_json: text });
    if (open === "thinking") return delta({ type: "thinking_delta", thinking: text });
    return delta({ type: "text_delta", text });
  };
  const closeBlock = (): string => {
    if (open === null) return "";
    open = null;
    return send({ type: "content_block_stop", index });
  };

  const endPart = (opaque: Extract<ReplyEvent, { type: "part-end" }>["opaque"]): string => {
    const own = ownBlock(opaque);
    if (waiting?.type === "thinking" && own?.type === "redacted_thinking") {
      index++;
      waiting = null;
      return (
        send({ type: "content_block_start", index, content_block: own }) +
        send({ type: "content_block_stop", index })
      );
    }
    let text = waiting && waiting.type !== "text" && waiting.type !== "refusal" ? openBlock(waiting) : "";
    waiting = null;
    const signature = signatureOf(opaque);
    if (open === "thinking" && signature !== "") text += delta({ type: "signature_delta", signature });
    return text + closeBlock();
  };

  const write = (event: ReplyEvent): string => {
    if (event.type === "start") {
      started = true;
      startUsage = event.usage;
      const message = {
        ...messageHead(event.id, event.model || call.model),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: writeUsage(event.usage),
      };
      return send({ type: "message_start", message });
    }
    if (event.type === "part-start") {
      // A tool call is shown at once; other parts wait for their first text.
      if (event.part.type === "tool-call") return openBlock(event.part);
      waiting = event.part;
      return "";
    }
    if (event.type === "part-delta") return (waiting ? openBlock(waiting) : "") + textDelta(event.text);
    if (event.type === "part-end") return endPart(event.opaque);
    if (event.type === "error") return formatEvent(writeMessagesError(event.problem).body, "error");
    const start = started ? "" : write({ type: "start", id: "", model: "", usage: null });
    const end = { stop_reason: writeStop(event.stopReason), stop_sequence: null };
    const usage = writeUsage(event.usage ?? startUsage);
    return start + send({ type: "message_delta", delta: end, usage }) + send({ type: "message_stop" });
  };
  return { headers: EVENT_STREAM_HEADERS, write };
}
