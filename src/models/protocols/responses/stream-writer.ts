import { randomUUID } from "node:crypto";
import type { JsonObject, ModelCall, Opaque, ReplyEvent, ReplyPart, Usage } from "../../call.ts";
import { unwrapCustomInput } from "../arguments.ts";
import { customNames } from "../conversation.ts";
import { openaiError } from "../openai/family.ts";
import type { StreamWriter } from "../protocol.ts";
import { EVENT_STREAM_HEADERS, formatEvent } from "../server-sent-events.ts";
import { ending, itemWriter, responseHead, writeUsage } from "./reply.ts";

interface OpenItem {
  part: ReplyPart;
  id: string;
  pieces: string[];
  /** The arguments of a custom tool that the model called as a function: its text is known only when they are complete. */
  held: boolean;
}

export function streamWriter(call: ModelCall): StreamWriter {
  const custom = customNames(call);
  const write = itemWriter(call);
  let head = responseHead("", call.model, call);
  let started = false;
  let startUsage: Usage | null = null;
  let sequence = 0;
  let open: OpenItem | null = null;
  const output: JsonObject[] = [];

  const send = (type: string, fields: JsonObject): string =>
    formatEvent({ type, sequence_number: sequence++, ...fields }, type);
  const place = (item: JsonObject): JsonObject => ({ item_id: item.id!, output_index: output.length });

  const start = (id: string, model: string): string => {
    started = true;
    head = responseHead(id, model || call.model, call);
    return send("response.created", { response: head }) + send("response.in_progress", { response: head });
  };

  const startPart = (part: ReplyPart, held: boolean): string => {
    open = { part, id: randomUUID().replaceAll("-", ""), pieces: [], held };
    const item = write(part, "in_progress", open.id);
    const added = send("response.output_item.added", { output_index: output.length, item });
    return added + startContent(part, place(item));
  };
  const startContent = (part: ReplyPart, at: JsonObject): string => {
    if (part.type === "text" || part.type === "refusal") {
      return send("response.content_part.added", { ...at, content_index: 0, part: contentOf(part, "") });
    }
    return "";
  };

  const delta = (text: string): string => {
    if (open === null) return "";
    const { part, id } = open;
    const first = open.pieces.length === 0;
    open.pieces.push(text);
    if (open.held) return "";
    const at = place(write(part, "in_progress", id));
    if (part.type === "tool-call") {
      const name = part.kind === "custom" ? "custom_tool_call_input" : "function_call_arguments";
      return send(`response.${name}.delta`, { ...at, delta: text });
    }
    if (part.type !== "thinking") {
      const name = part.type === "text" ? "output_text" : "refusal";
      const logprobs: JsonObject = part.type === "text" ? { logprobs: [] } : {};
      return send(`response.${name}.delta`, { ...at, content_index: 0, delta: text, ...logprobs });
    }
    const summary = { type: "summary_text", text: "" };
    const opened = first
      ? send("response.reasoning_summary_part.added", { ...at, summary_index: 0, part: summary })
      : "";
    return opened + send("response.reasoning_summary_text.delta", { ...at, summary_index: 0, delta: text });
  };

  const endPart = (opaque: Opaque | null): string => {
    if (open === null) return "";
    const { id, pieces, held } = open;
    const part = completed(open.part, pieces.join(""), opaque, held);
    open = null;
    const item = write(part, "completed", id);
    const at = place(item);
    let text = "";
    if (part.type === "tool-call") {
      const isCustom = part.kind === "custom";
      const name = isCustom ? "custom_tool_call_input" : "function_call_arguments";
      if (held) text += send(`response.${name}.delta`, { ...at, delta: part.input });
      text += send(`response.${name}.done`, { ...at, [isCustom ? "input" : "arguments"]: part.input });
    } else if (part.type === "thinking") {
      if (pieces.length > 0) {
        text += send("response.reasoning_summary_text.done", { ...at, summary_index: 0, text: part.text });
        const summary = { type: "summary_text", text: part.text };
        text += send("response.reasoning_summary_part.done", { ...at, summary_index: 0, part: summary });
      }
    } else {
      const isText = part.type === "text";
      const whole: JsonObject = isText ? { text: part.text, logprobs: [] } : { refusal: part.text };
      text += send(isText ? "response.output_text.done" : "response.refusal.done", {
        ...at,
        content_index: 0,
        ...whole,
      });
      text += send("response.content_part.done", {
        ...at,
        content_index: 0,
        part: contentOf(part, part.text),
      });
    }
    text += send("response.output_item.done", { output_index: output.length, item });
    output.push(item);
    return text;
  };

  const writeEvent = (event: ReplyEvent): string => {
    if (event.type === "start") {
      startUsage = event.usage;
      return start(event.id, event.model);
    }
    const before = started ? "" : start("", "");
    if (event.type === "part-start") {
      const { part } = event;
      if (part.type === "tool-call") {
        const held = part.kind === "function" && custom.has(part.name);
        const kind = held ? "custom" : part.kind;
        return before + startPart({ ...part, kind, input: "" }, held);
      }
      const begun: ReplyPart =
        part.type === "thinking"
          ? { type: "thinking", text: "", opaque: null }
          : { type: part.type, text: "" };
      return before + startPart(begun, false);
    }
    if (event.type === "part-delta") return delta(event.text);
    if (event.type === "part-end") return endPart(event.opaque);
    if (event.type === "error") {
      const { code, message } = openaiError(event.problem);
      const error = { code: code ?? "invalid_prompt", message: message! };
      return before + send("response.failed", { response: { ...head, status: "failed", error, output } });
    }
    const usage = event.usage ?? startUsage;
    const end = ending(event.stopReason);
    const response = { ...head, ...end, output, usage: usage ? writeUsage(usage) : null };
    return before + send(`response.${end.status as string}`, { response });
  };
  return { headers: EVENT_STREAM_HEADERS, write: writeEvent };
}

function completed(part: ReplyPart, text: string, opaque: Opaque | null, held: boolean): ReplyPart {
  if (part.type === "thinking") return { ...part, text, opaque };
  if (part.type !== "tool-call") return { ...part, text };
  return { ...part, input: held ? unwrapCustomInput(text) : text };
}

function contentOf(part: { type: "text" | "refusal" }, text: string): JsonObject {
  if (part.type === "refusal") return { type: "refusal", refusal: text };
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
