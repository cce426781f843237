import { createHash } from "node:crypto";
import type { Message, ModelCall, Outcome, ReplyPart, Tool, ToolCallPart, UserPart } from "../call.ts";
import { customInputSchema, unwrapCustomInput, wrapCustomInput } from "./arguments.ts";
import { uniqueIds } from "./part-stream.ts";
import { refusal } from "./problems.ts";

/** What a provider takes as the id of a tool call. */
export interface IdRule {
  pattern: RegExp;
  maxLength: number;
}

/**
 * The conversation with ids a provider takes: unknown characters and long ids are replaced, an id used twice (servers that number
 * the calls of each turn from 0) becomes two, each result follows its own call and knows its tool's name.
 */
export function fitIds(messages: Message[], rule: IdRule): Outcome<Message[]> {
  const unique = uniqueIds();
  const names = new Map<string, string>();
  const waiting = new Map<string, { turn: number; ids: string[] }>();
  const fitted: Message[] = [];
  for (const [turn, message] of messages.entries()) {
    if (message.role === "assistant") {
      const parts = message.parts.map((part): ReplyPart => {
        if (part.type !== "tool-call") return part;
        const id = unique(fitId(part.id, rule));
        names.set(id, part.name);
        const before = waiting.get(part.id);
        if (before?.turn === turn) before.ids.push(id);
        else waiting.set(part.id, { turn, ids: [id] });
        return { ...part, id };
      });
      fitted.push({ role: "assistant", parts });
    } else if (message.role === "user") {
      const parts: UserPart[] = [];
      for (const part of message.parts) {
        if (part.type !== "tool-result") parts.push(part);
        else {
          const ids = waiting.get(part.callId)?.ids;
          if (!ids) {
            return refusal(
              `a tool result names the call "${part.callId}", which is not in the conversation before it`,
            );
          }
          const callId = ids.length > 1 ? ids.shift()! : ids[0]!;
          parts.push({ ...part, callId, name: part.name ?? names.get(callId) ?? null });
        }
      }
      fitted.push({ role: "user", parts });
    } else fitted.push(message);
  }
  return { ok: true, value: fitted };
}

function fitId(id: string, rule: IdRule): string {
  if (id !== "" && id.length <= rule.maxLength && rule.pattern.test(id)) return id;
  return `call_${createHash("sha256").update(id).digest("hex").slice(0, 24)}`;
}

/** The call without custom tools, for a protocol that has only functions: each takes its text as one argument. */
export function withFunctionsOnly(call: ModelCall, notes: Set<string>): ModelCall {
  const custom = call.tools.filter((tool) => tool.kind === "custom");
  const called = (part: ReplyPart) => part.type === "tool-call" && part.kind === "custom";
  const used = call.messages.some((message) => message.role === "assistant" && message.parts.some(called));
  if (custom.length === 0 && !used) return call;
  if (custom.some((tool) => tool.format !== null)) notes.add("the grammar of a custom tool");
  const tools = call.tools.map((tool): Tool => {
    return tool.kind === "custom"
      ? { ...tool, kind: "function", schema: customInputSchema(), format: null }
      : tool;
  });
  const messages = call.messages.map((message): Message => {
    if (message.role !== "assistant") return message;
    const parts = message.parts.map((part) => {
      if (part.type !== "tool-call" || part.kind !== "custom") return part;
      return { ...part, kind: "function" as const, input: wrapCustomInput(part.input) };
    });
    return { role: "assistant", parts };
  });
  return { ...call, tools, messages };
}

/** The tools the client of this call knows as custom ones, though the model may have called them as functions. */
export function customNames(call: ModelCall): Set<string> {
  return new Set(call.tools.filter((tool) => tool.kind === "custom").map((tool) => tool.name));
}

/** A tool call as its client knows the tool. */
export function asClientCalls(part: ToolCallPart, custom: Set<string>): ToolCallPart {
  if (part.kind === "custom" || !custom.has(part.name)) return part;
  return { ...part, kind: "custom", input: unwrapCustomInput(part.input) };
}

/** Neighbours of one role in one message, where a protocol wants the roles to alternate. */
export function joinNeighbours<T extends { role: string; content: unknown[] }>(messages: T[]): T[] {
  const joined: T[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    // One by one: a hundred thousand parts are too many arguments.
    if (last?.role === message.role) for (const part of message.content) last.content.push(part);
    else joined.push({ ...message, content: [...message.content] });
  }
  return joined;
}

/** An instruction in the middle of a conversation, for protocols that know none. */
export function asUserText(text: string): string {
  return `<system>\n${text}\n</system>`;
}

export const JSON_ONLY = "Answer with one JSON object and nothing else.";
