import { randomUUID } from "node:crypto";
import type { JsonObject, ModelCall, ReplyEvent, Usage } from "../../call.ts";
import { unwrapCustomInput } from "../arguments.ts";
import { customNames } from "../conversation.ts";
import { openaiError } from "../openai/family.ts";
import type { StreamWriter } from "../protocol.ts";
import { EVENT_STREAM_HEADERS, formatEvent } from "../server-sent-events.ts";
import { writeStop, writeUsage } from "./reply.ts";

export function streamWriter(call: ModelCall): StreamWriter {
  const custom = customNames(call);
  const head: JsonObject = {
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion.chunk",
    created: Math.floor(Date.now() / 1000),
    model: call.model,
  };
  let toolIndex = -1;
  let open: "text" | "refusal" | "thinking" | "function" | "custom" | null = null;
  /** The arguments of a custom tool that the model called as a function: its text is known only when they are complete. */
  let held: string[] | null = null;
  let startUsage: Usage | null = null;

  const chunk = (delta: JsonObject, finish: string | null = null, usage: Usage | null = null): string =>
    formatEvent({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(usage ? { usage: writeUsage(usage) } : {}),
    });
  const piece = (text: string): string => {
    if (open === "text") return chunk({ content: text });
    if (open === "refusal") return chunk({ refusal: text });
    if (open === "thinking") return chunk({ reasoning_content: text });
    const inner = open === "custom" ? { custom: { input: text } } : { function: { arguments: text } };
    return chunk({ tool_calls: [{ index: toolIndex, ...inner }] });
  };

  const write = (event: ReplyEvent): string => {
    if (event.type === "start") {
      if (event.id) head.id = event.id;
      if (event.model) head.model = event.model;
      startUsage = event.usage;
      return chunk({ role: "assistant", content: "" });
    }
    if (event.type === "part-start") {
      const { part } = event;
      if (part.type !== "tool-call") {
        open = part.type;
        return "";
      }
      toolIndex++;
      open = part.kind === "custom" || custom.has(part.name) ? "custom" : "function";
      held = open === "custom" && part.kind === "function" ? [] : null;
      const inner = open === "custom" ? { name: part.name, input: "" } : { name: part.name, arguments: "" };
      return chunk({ tool_calls: [{ index: toolIndex, id: part.id, type: open, [open]: inner }] });
    }
    if (event.type === "part-delta") {
      if (!held) return piece(event.text);
      held.push(event.text);
      return "";
    }
    if (event.type === "part-end") {
      const text = held ? piece(unwrapCustomInput(held.join(""))) : "";
      held = null;
      open = null;
      return text;
    }
    if (event.type === "error")
      return formatEvent({ error: openaiError(event.problem) }) + formatEvent("[DONE]");
    const usage = event.usage ?? startUsage;
    const apart = call.settings.usageChunk === true;
    const last = chunk({}, writeStop(event.stopReason), apart ? null : usage);
    const counted = apart && usage ? formatEvent({ ...head, choices: [], usage: writeUsage(usage) }) : "";
    return last + counted + formatEvent("[DONE]");
  };
  return { headers: EVENT_STREAM_HEADERS, write };
}
