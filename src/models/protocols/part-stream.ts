import type { CallProblem, Opaque, ReplyEvent, StartedPart, StopReason, Usage } from "../call.ts";
import { problem } from "./problems.ts";

/** The order of a reply's events, kept for a reader: what is open is closed first, ids are unique, the end comes once. */
export interface PartStream {
  start(id: string, model: string, usage: Usage | null): void;
  /** Opens a part and closes the one before. The name of a tool call that is missing is an empty text. */
  open(part: StartedPart): void;
  /** Text of a part of this kind: continues the open one, or opens it. */
  text(type: "text" | "refusal" | "thinking", text: string): void;
  delta(text: string): void;
  close(opaque?: Opaque | null): void;
  finish(stopReason: StopReason, usage: Usage | null, reportedCost?: number | null): void;
  fail(problem: CallProblem): void;
  readonly started: boolean;
  readonly openPart: StartedPart | null;
  readonly hasToolCall: boolean;
  readonly done: boolean;
  /** The events since the last time. */
  take(): ReplyEvent[];
}

export function partStream(): PartStream {
  let events: ReplyEvent[] = [];
  let index = -1;
  let openPart: StartedPart | null = null;
  let started = false;
  let done = false;
  let hasToolCall = false;
  const unique = uniqueIds();

  const stream: PartStream = {
    start(id, model, usage) {
      if (started) return;
      started = true;
      events.push({ type: "start", id, model, usage });
    },
    open(part) {
      stream.start("", "", null);
      stream.close();
      index++;
      openPart = part.type === "tool-call" ? { ...part, id: unique(part.id) } : part;
      hasToolCall ||= part.type === "tool-call";
      events.push({ type: "part-start", index, part: openPart });
    },
    text(type, text) {
      if (openPart?.type !== type) {
        if (text === "") return;
        stream.open({ type });
      }
      stream.delta(text);
    },
    delta(text) {
      if (text !== "" && openPart !== null) events.push({ type: "part-delta", index, text });
    },
    close(opaque = null) {
      if (openPart === null) return;
      openPart = null;
      events.push({ type: "part-end", index, opaque });
    },
    finish(stopReason, usage, reportedCost = null) {
      if (done) return;
      stream.start("", "", null);
      stream.close();
      done = true;
      events.push({ type: "finish", stopReason, usage, ...(reportedCost === null ? {} : { reportedCost }) });
    },
    fail(found) {
      if (done) return;
      done = true;
      events.push({ type: "error", problem: found });
    },
    get started() {
      return started;
    },
    get openPart() {
      return openPart;
    },
    get hasToolCall() {
      return hasToolCall;
    },
    get done() {
      return done;
    },
    take() {
      const taken = events;
      events = [];
      return taken;
    },
  };
  return stream;
}

/** The same id twice in one reply (servers that number from 0) would join two calls into one: the second gets a suffix. */
export function uniqueIds(): (id: string) => string {
  const seen = new Set<string>();
  return (id) => {
    let candidate = id;
    for (let n = 2; seen.has(candidate); n++) candidate = `${id}_${n}`;
    seen.add(candidate);
    return candidate;
  };
}

export function halfStream(): CallProblem {
  return problem("broken", "the provider's stream ended before the reply was complete");
}
