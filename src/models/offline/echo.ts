import { type ModelCall, type ModelReply, NO_USAGE } from "../call.ts";
import { estimatedTokens } from "../prices/cost.ts";
import type { OfflineModel } from "./offline-model.ts";

/** Says the last words of the user again. For trying out that an agent reaches its model at all. */
export function echoModel(): OfflineModel {
  let count = 0;
  return {
    async answer(call) {
      const text = lastUserText(call);
      const reply: ModelReply = {
        id: `echo-${++count}`,
        model: call.model,
        parts: [{ type: "text", text }],
        usage: {
          ...NO_USAGE,
          inputUncached: estimatedTokens(textLength(call)),
          output: Math.max(1, estimatedTokens(text.length)),
        },
        stopReason: "end",
        notes: [],
      };
      return { reply: { ok: true, value: reply } };
    },
  };
}

function lastUserText({ messages }: ModelCall): string {
  const last = messages.findLast(({ role }) => role === "user");
  if (last === undefined || last.role !== "user") return "";
  return last.parts.map((part) => textOf(part)).join("\n");
}

function textOf(part: {
  type: string;
  text?: string;
  content?: readonly { type: string; text?: string }[];
}): string {
  if (part.text !== undefined) return part.text;
  return (part.content ?? []).map(({ text }) => text ?? "").join("\n");
}

/** Characters of everything a call says. */
export function textLength({ system, messages, tools }: ModelCall): number {
  let length = system.reduce((sum, text) => sum + text.length, 0) + JSON.stringify(tools).length;
  for (const { parts } of messages)
    for (const part of parts) {
      length += textOf(part).length;
      if (part.type === "tool-call") length += part.input.length;
    }
  return length;
}
