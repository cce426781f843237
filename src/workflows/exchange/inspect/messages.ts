import type { ModelCall, ReplyPart } from "../../../models/call.ts";
import { argumentsOf, resultText, spokenText } from "../calls.ts";

/** A chat message as Inspect writes it. */
export type InspectMessage = { id: string; role: string; content: unknown } & Record<string, unknown>;

/** The conversation of one request. */
export function inspectMessages({ system, messages }: ModelCall): Omit<InspectMessage, "id">[] {
  const written: Omit<InspectMessage, "id">[] = system.map((text) => ({ role: "system", content: text }));
  const names = new Map<string, string>();
  for (const { role, parts } of messages) {
    if (role === "assistant") {
      for (const part of parts) if (part.type === "tool-call") names.set(part.id, part.name);
      written.push(assistantMessage(parts, null));
      continue;
    }
    for (const part of parts)
      if (part.type === "tool-result")
        written.push({
          role: "tool",
          content: resultText(part),
          tool_call_id: part.callId,
          function: part.name ?? names.get(part.callId) ?? "unknown",
          ...(part.isError ? { error: { type: "unknown", message: "the tool said so" } } : {}),
        });
    const text = spokenText(parts);
    const pictures = parts.filter(({ type }) => type === "image").length;
    const content = pictures === 0 ? text : `${text}\n(${pictures} images)`.trim();
    if (content !== "") written.push({ role, content, source: "input" });
  }
  return written;
}

export function assistantMessage(
  parts: readonly ReplyPart[],
  model: string | null,
): Omit<InspectMessage, "id"> {
  const thinking = parts.flatMap((part) =>
    part.type === "thinking" ? [{ type: "reasoning", reasoning: part.text, redacted: part.text === "" }] : [],
  );
  const text = spokenText(parts);
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ id: part.id, function: part.name, arguments: argumentsOf(part.input), type: "function" }]
      : [],
  );
  return {
    role: "assistant",
    content: thinking.length === 0 ? text : [...thinking, { type: "text", text }],
    source: "generate",
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(model === null ? {} : { model }),
  };
}

/**
 * Messages by their content: a conversation of five hundred turns repeats itself five hundred times, and is written once.
 * `range` gives the half-open ranges into `messages` that make up a request.
 */
export function messagePool(identify: (text: string) => string) {
  const messages: InspectMessage[] = [];
  const known = new Map<string, number>();
  return {
    messages,
    range(list: readonly Omit<InspectMessage, "id">[]): [number, number][] {
      const ranges: [number, number][] = [];
      for (const message of list) {
        const text = JSON.stringify(message);
        let at = known.get(text);
        if (at === undefined) {
          at = messages.length;
          known.set(text, at);
          messages.push({ id: identify(`message ${at} ${text}`), ...message } as InspectMessage);
        }
        const last = ranges.at(-1);
        if (last !== undefined && last[1] === at) last[1] = at + 1;
        else ranges.push([at, at + 1]);
      }
      return ranges;
    },
  };
}
