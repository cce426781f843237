import type { CallProblem, JsonObject, Opaque, ReplyEvent, StartedPart, StopReason, Usage } from "../call.ts";
import { isObject, parseJson } from "./json.ts";
import { problem, problemInside } from "./problems.ts";
import type { StreamReader } from "./protocol.ts";
import { type ServerSentEvent, splitEvents } from "./server-sent-events.ts";

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

function partStream(): PartStream {
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

/**
 * The same id twice in one reply (servers that number from 0) would join two calls into one: the second gets a suffix. Where the
 * last search ended is remembered: a hundred thousand calls of one id must not be searched for a minute.
 */
export function uniqueIds(): (id: string) => string {
  const seen = new Set<string>();
  const suffixes = new Map<string, number>();
  return (id) => {
    let candidate = id;
    if (seen.has(id)) {
      let n = suffixes.get(id) ?? 2;
      while (seen.has(`${id}_${n}`)) n++;
      suffixes.set(id, n + 1);
      candidate = `${id}_${n}`;
    }
    seen.add(candidate);
    return candidate;
  };
}

/** What one protocol makes of its stream; it writes into the part stream it was given. */
interface OwnStream {
  /** One event; `name` is its `event:` line. It is an object and holds no error. */
  read(data: JsonObject, name: string): void;
  /** `[DONE]`, in the protocols that know it. */
  done?(): void;
  /** The connection is at its end: a reply that is complete by then is finished here. */
  end?(): void;
  /** An error that only this protocol finds in an event. */
  failed?(data: JsonObject, name: string): CallProblem | null;
}

/** Reads server-sent events of JSON objects. What is none, an error inside one, and half a stream end the reply. */
export function streamReaderOf(open: (out: PartStream) => OwnStream): () => StreamReader {
  return () => {
    const splitter = splitEvents();
    const out = partStream();
    const own = open(out);
    const isDone = ({ data }: ServerSentEvent) => own.done !== undefined && data.trim() === "[DONE]";

    const read = (event: ServerSentEvent): void => {
      if (out.done) return;
      if (isDone(event)) {
        own.done?.();
        return;
      }
      const data = parseJson(event.data);
      if (!isObject(data)) {
        out.fail(problem("broken", "the provider's stream has an event that is not a JSON object"));
        return;
      }
      const inside = own.failed?.(data, event.event) ?? problemInside(data);
      if (inside) out.fail(inside);
      else own.read(data, event.event);
    };

    return {
      push(bytes) {
        for (const event of splitter.push(bytes)) read(event);
        if (splitter.overflown) out.fail(problem("broken", "one event of the provider's stream is too long"));
        return out.take();
      },
      end() {
        const last = splitter.end();
        if (last && (isDone(last) || parseJson(last.data) !== undefined)) read(last);
        own.end?.();
        out.fail(problem("broken", "the provider's stream ended before the reply was complete"));
        return out.take();
      },
    };
  };
}
