import type { JsonObject } from "../../call.ts";
import { isObject, numberOf, objectOf, objectsOf, textOf } from "../json.ts";
import { streamReaderOf } from "../part-stream.ts";
import { problemInside } from "../problems.ts";
import { readCallItem, readReasoning } from "./items.ts";
import { failedResponse, readOutputItem, readStop, readUsage } from "./reply.ts";

const DELTAS: Record<string, "text" | "refusal" | "thinking" | "tool-call"> = {
  "response.output_text.delta": "text",
  "response.refusal.delta": "refusal",
  "response.reasoning_summary_text.delta": "thinking",
  "response.reasoning_text.delta": "thinking",
  "response.function_call_arguments.delta": "tool-call",
  "response.custom_tool_call_input.delta": "tool-call",
};

export const streamReader = streamReaderOf((out) => {
  /** Items that are complete; the last event repeats them all. */
  const done = new Set<number>();
  /** The item that is open, and whether any of its text has arrived. */
  let open: { index: number; seen: boolean; section: number } | null = null;

  const startItem = (index: number, item: JsonObject): void => {
    finishItem();
    open = { index, seen: false, section: 0 };
    const call = readCallItem(item);
    if (call) {
      const { type, id, name, kind } = call;
      out.open({ type, id, name, kind });
    } else if (item.type === "reasoning") out.open({ type: "thinking" });
  };
  const finishItem = (): void => {
    if (open) done.add(open.index);
    open = null;
    out.close();
  };
  /** An item as a whole: its text where none has arrived in pieces, and the rest of its thinking. */
  const endItem = (index: number, item: JsonObject): void => {
    if (done.has(index)) return;
    if (open?.index !== index) startItem(index, item);
    const seen = open?.seen === true;
    for (const part of readOutputItem(item)) {
      if (part.type === "text" || part.type === "refusal") {
        if (!seen) out.text(part.type, part.text);
      } else if (!seen) out.delta(part.type === "tool-call" ? part.input : part.text);
    }
    if (item.type === "reasoning") out.close(readReasoning(item).opaque);
    finishItem();
  };

  const readDelta = (type: "text" | "refusal" | "thinking" | "tool-call", data: JsonObject): void => {
    const text = textOf(data.delta) ?? "";
    const index = numberOf(data.output_index) ?? open?.index ?? 0;
    if (done.has(index)) return;
    if (type === "tool-call") {
      if (out.openPart?.type !== "tool-call") return;
      out.delta(text);
    } else if (type === "thinking") {
      const section = numberOf(data.summary_index) ?? numberOf(data.content_index) ?? 0;
      if (open?.seen && section !== open.section) out.text("thinking", "\n\n");
      if (open) open.section = section;
      out.text("thinking", text);
    } else out.text(type, text);
    if (open === null) open = { index, seen: true, section: 0 };
    open.seen = true;
  };

  const finish = (response: JsonObject): void => {
    for (const [index, item] of objectsOf(response.output).entries()) endItem(index, item);
    finishItem();
    out.finish(readStop(response, out.hasToolCall), readUsage(response.usage, response.service_tier));
  };

  const typeOf = (data: JsonObject, name: string): string => textOf(data.type) ?? name;

  const read = (data: JsonObject, name: string): void => {
    const type = typeOf(data, name);
    const response = objectOf(data.response);
    const index = numberOf(data.output_index) ?? done.size;
    if (isObject(data.response)) out.start(textOf(response.id) ?? "", textOf(response.model) ?? "", null);
    if (type === "response.output_item.added") startItem(index, objectOf(data.item));
    else if (type === "response.output_item.done") endItem(index, objectOf(data.item));
    else if (type === "response.completed" || type === "response.incomplete") finish(response);
    else {
      const kind = DELTAS[type];
      if (kind) readDelta(kind, data);
    }
  };

  return {
    read,
    // Some servers end with it; the last event has already ended the reply.
    done: () => {},
    failed: (data, name) =>
      typeOf(data, name) === "response.failed"
        ? (problemInside(objectOf(data.response)) ?? failedResponse())
        : null,
  };
});
