import type { ModelReply, Outcome, ReplyEvent, ReplyPart } from "./call.ts";

/** A whole reply as the events of a stream, for a client that asked for one. */
export function eventsOfReply(reply: ModelReply): ReplyEvent[] {
  const events: ReplyEvent[] = [{ type: "start", id: reply.id, model: reply.model, usage: reply.usage }];
  for (const [index, part] of reply.parts.entries()) {
    if (part.type === "tool-call") {
      const { type, id, name, kind } = part;
      events.push({ type: "part-start", index, part: { type, id, name, kind } });
    } else events.push({ type: "part-start", index, part: { type: part.type } });
    const text = part.type === "tool-call" ? part.input : part.text;
    if (text !== "") events.push({ type: "part-delta", index, text });
    events.push({ type: "part-end", index, opaque: part.type === "thinking" ? part.opaque : null });
  }
  const { stopReason, usage, reportedCost } = reply;
  events.push({ type: "finish", stopReason, usage, ...(reportedCost === undefined ? {} : { reportedCost }) });
  return events;
}

/** Puts the events of a stream together again, one at a time; `outcome` is null until the last one has come. */
export interface ReplyCollector {
  add(event: ReplyEvent): void;
  readonly outcome: Outcome<ModelReply> | null;
}

/** `parts` fills as they arrive, for whoever wants what there was before a stream broke off. */
export function collectReply(parts: ReplyPart[] = []): ReplyCollector {
  let id = "";
  let model = "";
  let pieces: string[] = [];
  let outcome: Outcome<ModelReply> | null = null;
  return {
    add(event) {
      if (event.type === "start") ({ id, model } = event);
      else if (event.type === "part-start") {
        pieces = [];
        const { part } = event;
        if (part.type === "tool-call") parts.push({ ...part, input: "" });
        else if (part.type === "thinking") parts.push({ type: "thinking", text: "", opaque: null });
        else parts.push({ type: part.type, text: "" });
      } else if (event.type === "part-delta") pieces.push(event.text);
      else if (event.type === "part-end") {
        const part = parts.at(-1);
        if (part?.type === "tool-call") part.input = pieces.join("");
        else if (part) part.text = pieces.join("");
        if (part?.type === "thinking") part.opaque = event.opaque;
      } else if (event.type === "finish") {
        const { stopReason, usage, reportedCost } = event;
        const cost = reportedCost === undefined ? {} : { reportedCost };
        outcome = { ok: true, value: { id, model, parts, usage, stopReason, ...cost, notes: [] } };
      } else {
        const part = parts.at(-1);
        if (part?.type === "tool-call" && part.input === "") part.input = pieces.join("");
        else if (part !== undefined && part.type !== "tool-call" && part.text === "")
          part.text = pieces.join("");
        outcome = { ok: false, problem: event.problem };
      }
    },
    get outcome() {
      return outcome;
    },
  };
}
