import type { JsonObject } from "../../call.ts";
import { isObject, numberOf, objectOf, textOf } from "../json.ts";
import { streamReaderOf } from "../part-stream.ts";
import { readStop, readUsage, toolUseId } from "./reply.ts";
import { readThinking } from "./thinking.ts";

export const streamReader = streamReaderOf((out) => {
  /** Cumulative: each event replaces the counts it names. */
  let usage: JsonObject | null = null;
  let stopReason: string | null = null;
  /** The index of the open block; null for one that has no counterpart. */
  let open: number | null = null;
  let thinking: { text: string[]; signature: string[]; block: JsonObject } | null = null;

  const close = (): void => {
    if (thinking) {
      const { text, signature, block } = thinking;
      const whole =
        block.type === "thinking"
          ? { ...block, thinking: text.join(""), signature: signature.join("") }
          : block;
      out.close(readThinking(whole)?.opaque ?? null);
    } else out.close();
    thinking = null;
    open = null;
  };

  const addUsage = (value: JsonObject[string] | undefined): void => {
    if (!isObject(value)) return;
    const said = Object.fromEntries(Object.entries(value).filter(([, count]) => count !== null));
    usage = { ...(usage ?? {}), ...said };
  };

  const openBlock = (index: number | null, block: JsonObject): void => {
    close();
    if (block.type === "text") {
      out.open({ type: "text" });
      out.delta(textOf(block.text) ?? "");
    } else if (block.type === "tool_use") {
      out.open({
        type: "tool-call",
        id: toolUseId(block.id),
        name: textOf(block.name) ?? "",
        kind: "function",
      });
      // The input starts as {} and follows in pieces; a server that has it whole sends it here.
      if (isObject(block.input) && Object.keys(block.input).length > 0)
        out.delta(JSON.stringify(block.input));
    } else if (block.type === "thinking" || block.type === "redacted_thinking") {
      const text = textOf(block.thinking) ?? "";
      out.open({ type: "thinking" });
      out.delta(text);
      thinking = { text: [text], signature: [textOf(block.signature) ?? ""], block };
    } else return;
    open = index;
  };

  const readDelta = (index: number | null, delta: JsonObject): void => {
    if (open === null || index !== open) return;
    if (delta.type === "signature_delta") thinking?.signature.push(textOf(delta.signature) ?? "");
    else if (delta.type === "thinking_delta") {
      const text = textOf(delta.thinking) ?? "";
      thinking?.text.push(text);
      out.delta(text);
    } else out.delta(textOf(delta.text) ?? textOf(delta.partial_json) ?? "");
  };

  const finish = (): void => {
    close();
    out.finish(readStop(stopReason), readUsage(usage ?? undefined));
  };

  const read = (data: JsonObject): void => {
    const index = numberOf(data.index);
    if (data.type === "message_start") {
      const message = objectOf(data.message);
      addUsage(message.usage);
      out.start(textOf(message.id) ?? "", textOf(message.model) ?? "", readUsage(message.usage));
    } else if (data.type === "content_block_start") openBlock(index, objectOf(data.content_block));
    else if (data.type === "content_block_delta") readDelta(index, objectOf(data.delta));
    else if (data.type === "content_block_stop") close();
    else if (data.type === "message_delta") {
      stopReason = textOf(objectOf(data.delta).stop_reason) ?? stopReason;
      addUsage(data.usage);
    } else if (data.type === "message_stop") finish();
  };

  return {
    read,
    end: () => {
      if (stopReason !== null) finish();
    },
  };
});
