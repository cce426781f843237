import type { ModelReply, ReplyEvent, ReplyPart, StartedPart } from "../call.ts";

/** A whole reply as the events of a stream. */
export function* replyEvents({ id, model, parts, usage, stopReason }: ModelReply): Generator<ReplyEvent> {
  yield { type: "start", id, model, usage };
  for (const [index, part] of parts.entries()) {
    yield { type: "part-start", index, part: startOf(part) };
    const text = part.type === "tool-call" ? part.input : part.text;
    if (text !== "") yield { type: "part-delta", index, text };
    yield { type: "part-end", index, opaque: "opaque" in part ? (part.opaque ?? null) : null };
  }
  yield { type: "finish", stopReason, usage };
}

function startOf(part: ReplyPart): StartedPart {
  if (part.type !== "tool-call") return { type: part.type };
  const { type, id, name, kind } = part;
  return { type, id, name, kind };
}
