import type { JsonObject, JsonValue, Usage } from "../../call.ts";
import { isCompleteJson } from "../arguments.ts";
import { isObject, numberOf, objectOf, objectsOf, textOf } from "../json.ts";
import { streamReaderOf } from "../part-stream.ts";
import { callId, readCost, readStop, readUsage } from "./reply.ts";

/** A tool call of which more may come. Only one is passed on at a time; the others wait. */
interface OpenCall {
  index: number | null;
  id: string;
  name: string;
  kind: "function" | "custom";
  pieces: string[];
}

export const streamReader = streamReaderOf((out) => {
  let usage: Usage | null = null;
  let tier: JsonValue | undefined;
  let cost: number | null = null;
  let finishReason: string | null = null;
  /** The first is the one whose pieces are passed on at once. */
  let calls: OpenCall[] = [];

  const begin = (call: OpenCall): void => {
    const { id, name, kind } = call;
    out.open({ type: "tool-call", id, name, kind });
    out.delta(call.pieces.join(""));
  };
  const flushCalls = (): void => {
    for (const [place, call] of calls.entries()) {
      if (place > 0) begin(call);
      out.close();
    }
    calls = [];
  };

  /** Pieces of a call belong together by index; a new id under an old index is a new call (servers that number nothing). */
  const readCall = (fragment: JsonObject): void => {
    const index = numberOf(fragment.index);
    const id = textOf(fragment.id);
    const custom = isObject(fragment.custom);
    const inner = objectOf(custom ? fragment.custom : fragment.function);
    const piece =
      textOf(custom ? inner.input : inner.arguments) ??
      (isObject(inner.arguments) ? JSON.stringify(inner.arguments) : "");
    const known = calls.findLast((call) => call.index === index && (!id || call.id === id || !call.id));
    if (known) {
      known.pieces.push(piece);
      if (known === calls[0]) out.delta(piece);
      return;
    }
    if (!id && textOf(inner.name) === null) return;
    const call: OpenCall = {
      index,
      id: callId(fragment.id),
      name: textOf(inner.name) ?? "",
      kind: custom || fragment.type === "custom" ? "custom" : "function",
      pieces: [piece],
    };
    const first = calls[0];
    if (
      first &&
      calls.length === 1 &&
      isCompleteJson(first.pieces.join("")) &&
      first.pieces.join("").trim() !== ""
    ) {
      out.close();
      calls = [];
    }
    calls.push(call);
    if (calls.length === 1) begin(call);
  };

  const readChunk = (chunk: JsonObject): void => {
    out.start(textOf(chunk.id) ?? "", textOf(chunk.model) ?? "", null);
    tier = chunk.service_tier ?? tier;
    if (isObject(chunk.usage)) {
      usage = readUsage(chunk.usage, tier);
      cost = readCost(chunk.usage) ?? cost;
    }
    for (const choice of objectsOf(chunk.choices)) {
      if ((numberOf(choice.index) ?? 0) !== 0) continue;
      const delta = objectOf(choice.delta);
      const thinking = textOf(delta.reasoning_content) ?? textOf(delta.reasoning) ?? "";
      const text = textOf(delta.content) ?? "";
      const refused = textOf(delta.refusal) ?? "";
      if (thinking + text + refused !== "" && calls.length > 0) flushCalls();
      if (thinking !== "") out.text("thinking", thinking);
      if (text !== "") out.text("text", text);
      if (refused !== "") out.text("refusal", refused);
      for (const fragment of objectsOf(delta.tool_calls)) readCall(fragment);
      finishReason = textOf(choice.finish_reason) ?? finishReason;
    }
  };

  const finish = (): void => {
    flushCalls();
    out.finish(readStop(finishReason, out.hasToolCall), usage, cost);
  };

  return {
    read: readChunk,
    done: finish,
    end: () => {
      if (finishReason !== null) finish();
    },
  };
});
