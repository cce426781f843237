import type { JsonValue, ModelReply, Outcome, ReplyEvent, StopReason, Usage } from "../call.ts";
import { hasTooManyValues, MAX_VALUES, parseJson } from "./json.ts";
import { notJson, problem } from "./problems.ts";
import type { Meter, Metered, StreamReader } from "./protocol.ts";

/** A reply beyond this is not read; its usage counts as unknown. */
const MAX_WHOLE_BYTES = 256 * 1024 * 1024;

/** Reads usage beside a stream that passes through, with the reader the protocol has anyway. */
export function streamMeter(reader: StreamReader): Meter {
  const metered: Metered = empty();
  let usage: Usage | null = null;
  let stopReason: StopReason | null = null;
  const add = (event: ReplyEvent): void => {
    if (event.type === "start") {
      metered.id = event.id || null;
      metered.model = event.model || null;
      usage = event.usage;
    } else if (event.type === "part-delta") metered.outputCharacters += event.text.length;
    else if (event.type === "finish") {
      stopReason = event.stopReason;
      // The last word counts, also where it cannot be believed: what a stream begins with is less than it ends with.
      usage = event.usage;
      metered.reportedCost = event.reportedCost ?? null;
    } else if (event.type === "error") metered.problem = event.problem;
  };
  return {
    push(chunk) {
      const events = reader.push(chunk);
      for (const event of events) add(event);
      return events.length > 0;
    },
    end() {
      for (const event of reader.end()) add(event);
      return { ...metered, usage, stopReason };
    },
  };
}

export function wholeMeter(readReply: (body: JsonValue) => Outcome<ModelReply>): Meter {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.byteLength;
      if (bytes <= MAX_WHOLE_BYTES) chunks.push(chunk);
      else chunks.length = 0;
      return true;
    },
    end() {
      if (bytes > MAX_WHOLE_BYTES)
        return { ...empty(), problem: problem("broken", "the reply is too long to be read") };
      const text = Buffer.concat(chunks).toString("utf8");
      if (hasTooManyValues(text))
        return { ...empty(), problem: problem("broken", `the reply has more than ${MAX_VALUES} values`) };
      const body = parseJson(text);
      if (body === undefined) return { ...empty(), problem: problem("broken", notJson(text, "status 200")) };
      const outcome = readReply(body);
      if (!outcome.ok) return { ...empty(), problem: outcome.problem };
      const { usage, stopReason, id, model, parts, reportedCost } = outcome.value;
      return {
        usage,
        stopReason,
        id: id || null,
        model: model || null,
        reportedCost: reportedCost ?? null,
        problem: null,
        outputCharacters: parts.reduce(
          (sum, p) => sum + (p.type === "tool-call" ? p.input : p.text).length,
          0,
        ),
      };
    },
  };
}

function empty(): Metered {
  return {
    usage: null,
    reportedCost: null,
    stopReason: null,
    id: null,
    model: null,
    problem: null,
    outputCharacters: 0,
  };
}
