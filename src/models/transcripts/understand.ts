import type { JsonValue, ModelCall, Outcome, ReplyPart } from "../call.ts";
import type { Protocol } from "../protocols/protocol.ts";
import { protocols } from "../protocols/protocols.ts";
import { collectReply } from "../reply-events.ts";
import type { KeptCall } from "./read.ts";
import { readLeniently } from "./read-leniently.ts";

/** What a kept call says, in the internal form. Bodies are an agent's and a provider's: any of it may be unreadable. */
export interface UnderstoodCall {
  /** A sentence where the request was not kept or cannot be read. */
  request: ModelCall | { unreadable: string };
  /** Empty where there was no reply, or none that can be read. */
  reply: ReplyPart[];
  /** Why the reply is none, or what cut it short; null for a whole one, and for one that was not kept. */
  replyProblem: string | null;
}

export function understand(kept: KeptCall): UnderstoodCall {
  const protocol = protocols[kept.protocol as keyof typeof protocols] ?? protocols.chat;
  return { request: requestOf(kept, protocol), ...replyOf(kept, protocol) };
}

function requestOf({ request, note }: KeptCall, protocol: Protocol): UnderstoodCall["request"] {
  const body = parsed(request);
  if (body === undefined) return { unreadable: note ?? "the request is not readable" };
  return readLeniently(body, protocol);
}

function replyOf({ reply }: KeptCall, protocol: Protocol): Pick<UnderstoodCall, "reply" | "replyProblem"> {
  if (reply === null || reply.length === 0) return { reply: [], replyProblem: null };
  const body = parsed(reply);
  if (body !== undefined) return partsOf(protocol.readReply(body));
  const reader = protocol.streamReader();
  const seen: ReplyPart[] = [];
  const collector = collectReply(seen);
  for (const event of [...reader.push(reply), ...reader.end()]) collector.add(event);
  // What had arrived before a stream broke off is worth showing.
  const whole = collector.outcome;
  return { reply: seen, replyProblem: whole === null || whole.ok ? null : whole.problem.message };
}

function partsOf(read: Outcome<{ parts: ReplyPart[] }>): Pick<UnderstoodCall, "reply" | "replyProblem"> {
  return read.ok
    ? { reply: read.value.parts, replyProblem: null }
    : { reply: [], replyProblem: read.problem.message };
}

function parsed(bytes: Buffer | null): JsonValue | undefined {
  try {
    return bytes === null ? undefined : (JSON.parse(bytes.toString("utf8")) as JsonValue);
  } catch {
    return undefined;
  }
}
