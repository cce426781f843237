import type { Message, ReplyPart, ToolCallPart, ToolResultPart } from "../call.ts";
import type { KeptCall } from "./read.ts";

/** A tool call of a reply, and what it takes to know it again in a later prompt. */
export interface AskedTool {
  part: ToolCallPart;
  /** Which tool call of its reply it is. */
  nth: number;
  /** The reply itself names it; Gemini's mostly do not, and every reader makes up another id. */
  named: boolean;
}

export function askedTools(reply: readonly ReplyPart[], body: KeptCall["reply"]): AskedTool[] {
  return toolCalls(reply).map((part, nth) => ({ part, nth, named: body?.includes(part.id) === true }));
}

/**
 * Finds what came back, where a later prompt tells. Other conversations may use the same id: theirs asked for something
 * else.
 */
export function resultsIn(messages: readonly Message[]): (asked: AskedTool) => ToolResultPart | undefined {
  const calls = new Map<string, ToolCallPart>();
  const results = new Map<string, ToolResultPart>();
  let last: ToolCallPart[] = [];
  for (const { role, parts } of messages) {
    if (role === "assistant") {
      last = toolCalls(parts);
      for (const call of last) calls.set(call.id, call);
    }
    if (role === "user")
      for (const part of parts) if (part.type === "tool-result") results.set(part.callId, part);
  }
  return ({ part, nth, named }) => {
    const again = named ? calls.get(part.id) : last[nth];
    // A prompt that goes on from an earlier one need not say again what was asked.
    if (again === undefined ? !named : !isSame(again, part)) return undefined;
    return results.get(again?.id ?? part.id);
  };
}

function toolCalls(parts: readonly Message["parts"][number][]): ToolCallPart[] {
  return parts.filter((part): part is ToolCallPart => part.type === "tool-call");
}

function isSame(a: ToolCallPart, b: ToolCallPart): boolean {
  return a.name === b.name && plain(a.input) === plain(b.input);
}

/** A client may write the same JSON in another way, and none as an empty object. */
function plain(input: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(input === "" ? "{}" : input)));
  } catch {
    return input;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, sorted(one)]);
}
