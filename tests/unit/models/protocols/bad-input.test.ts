import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue, ModelCall, ModelReply, ReplyEvent } from "../../../../src/models/call.ts";
import type { Endpoint, Protocol } from "../../../../src/models/protocols/protocol.ts";
import { protocols } from "../../../../src/models/protocols/protocols.ts";
import { collectReply, eventsOfReply } from "../../../../src/models/reply-events.ts";
import { calls, NAMES, replies } from "./made-up.ts";
import { providers } from "./pairs/providers.ts";

const CALL: ModelCall = {
  model: "m",
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hello" }] }],
  tools: [],
  toolChoice: null,
  settings: {},
  stream: true,
  notes: [],
};
const ENDPOINT: Endpoint = { kind: "call", model: "m", stream: true };
const MEGABYTE = 1024 * 1024;

const read = (protocol: Protocol, chunks: Uint8Array[]) => {
  const reader = protocol.streamReader();
  const collector = collectReply();
  const events: ReplyEvent[] = [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
  for (const event of events) collector.add(event);
  return { events, outcome: collector.outcome };
};
const written = (protocol: Protocol, reply: ModelReply) => {
  const writer = protocol.streamWriter(CALL);
  return Buffer.from(
    eventsOfReply(reply)
      .map((event) => writer.write(event))
      .join(""),
  );
};
const reply = (input: string): ModelReply => ({
  id: "resp_1",
  model: "m",
  parts: [{ type: "tool-call", id: "call_1", name: "write", kind: "function", input }],
  usage: null,
  stopReason: "tools",
  notes: [],
});

describe.each(NAMES)("%s", (name) => {
  const protocol = protocols[name];

  test("any JSON as a request, a reply or an error is answered with a typed outcome", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = value as JsonValue;
        expect(protocol.readRequest({ body, endpoint: ENDPOINT })).toHaveProperty("ok");
        expect(protocol.readReply(body)).toMatchObject({ ok: false });
        expect(protocol.readError(500, {}, Buffer.from(JSON.stringify(body))).message).not.toBe("");
        protocol.peek({ body, endpoint: ENDPOINT });
        protocol.providerTools(body);
        protocol.withoutProviderTools(body);
        protocol.askForUsage(body);
      }),
    );
  });

  test("a request with anything in place of any of its values is read or refused, and what is read can be written", () => {
    fc.assert(
      fc.property(calls, fc.nat(), fc.jsonValue({ maxDepth: 1 }), (call, place, value) => {
        const request = protocol.writeRequest(call);
        if (!request.ok) throw new Error(request.problem.message);
        const body = replaced(JSON.parse(JSON.stringify(request.value.body)), place, value as JsonValue);
        const outcome = protocol.readRequest({ body, endpoint: ENDPOINT });
        if (!outcome.ok) expect(outcome.problem).toMatchObject({ kind: "invalid", retryable: false });
        else
          for (const other of NAMES)
            expect(protocols[other].writeRequest(outcome.value)).toHaveProperty("ok");
      }),
      { numRuns: 300 },
    );
  });

  test("a reply with anything in place of any of its values is read or a problem, whole and streamed", () => {
    const change = fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 1 }));
    fc.assert(
      fc.property(replies, change, (made, [place, value]) => {
        const body = JSON.parse(JSON.stringify(protocol.writeReply(made, CALL).body));
        const outcome = protocol.readReply(replaced(body, place, value as JsonValue));
        if (outcome.ok) for (const other of NAMES) protocols[other].writeReply(outcome.value, CALL);
        const blocks = written(protocol, made).toString().split("\n\n").slice(0, -1);
        const spoilt = blocks.map((block, index) => {
          const [, head = "", data = ""] = /^([\s\S]*?data: )([\s\S]*)$/.exec(block) ?? [];
          if (index !== place % blocks.length || data === "[DONE]") return block;
          return `${head}${JSON.stringify(replaced(JSON.parse(data), place, value as JsonValue))}`;
        });
        const { events, outcome: streamed } = read(protocol, [Buffer.from(`${spoilt.join("\n\n")}\n\n`)]);
        expect(streamed).not.toBeNull();
        expect(wellOrdered(events)).toBe(true);
        for (const other of NAMES) {
          const writer = protocols[other].streamWriter(CALL);
          for (const event of events) writer.write(event);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("any bytes as a stream end in a problem, never in an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(read(protocol, [bytes]).outcome).toMatchObject({ ok: false, problem: { kind: "broken" } });
      }),
    );
  });

  test("an error inside a reply of status 200 is a problem of its kind", () => {
    const overloaded = protocol.writeError({
      kind: "overloaded",
      message: "too many of you",
      retryable: true,
      retryAfterMs: null,
      status: null,
      code: null,
      param: null,
    }).body;
    const problem = { kind: "overloaded", message: "too many of you", retryable: true };
    expect(protocol.readReply(overloaded)).toMatchObject({ ok: false, problem });
    const meter = protocol.meter(false);
    meter.push(Buffer.from(JSON.stringify(overloaded)));
    expect(meter.end()).toMatchObject({ usage: null, problem });
    expect(read(protocol, [Buffer.from(`data: ${JSON.stringify(overloaded)}\n\n`)]).outcome).toMatchObject({
      ok: false,
      problem,
    });
  });

  test("a page of a proxy is called one, with its title", () => {
    const page = Buffer.from("<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>");
    expect(protocol.readError(502, {}, page)).toMatchObject({
      kind: "server",
      retryable: true,
      message: 'an HTML page ("502 Bad Gateway") came instead of a reply (status 502)',
    });
    const meter = protocol.meter(false);
    meter.push(page);
    expect(meter.end().problem).toMatchObject({
      kind: "broken",
      message: expect.stringContaining("HTML page"),
    });
    expect(read(protocol, [page]).outcome).toMatchObject({ ok: false, problem: { kind: "broken" } });
  });

  test("a reply without usage has none, and its characters are counted for an estimate", () => {
    const made: ModelReply = {
      ...reply('{"a":1}'),
      parts: [{ type: "text", text: "12345" }],
      stopReason: "end",
    };
    const text = written(protocol, made)
      .toString()
      .replace(/,"usage":\{[^}]*\}/g, "");
    const meter = protocol.meter(true);
    meter.push(Buffer.from(text));
    expect(meter.end()).toMatchObject({ usage: null, outputCharacters: 5, problem: null });
  });

  test("10 MB of tool arguments arrive whole, in one piece and in many", () => {
    const input = JSON.stringify({ text: "x\\ß".repeat((10 * MEGABYTE) / 4) });
    const made = reply(input);
    const whole = protocol.readReply(JSON.parse(JSON.stringify(protocol.writeReply(made, CALL).body)));
    expect(whole.ok && whole.value.parts).toEqual(made.parts);
    const bytes = written(protocol, made);
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += 4096) chunks.push(bytes.subarray(at, at + 4096));
    const { outcome } = read(protocol, chunks);
    expect(outcome?.ok && outcome.value.parts).toEqual(made.parts);
  });

  test("invalid UTF-8 in a stream becomes a replacement character and spoils nothing else", () => {
    const made: ModelReply = { ...reply(""), parts: [{ type: "text", text: "a?b" }], stopReason: "end" };
    const bytes = written(protocol, made);
    const spoilt = Buffer.from(bytes.map((byte) => (byte === 0x3f ? 0xff : byte)));
    const { outcome } = read(protocol, [spoilt]);
    expect(outcome?.ok && outcome.value.parts).toEqual([{ type: "text", text: "a\ufffdb" }]);
  });

  test("the same id for two tool calls of a reply becomes two", () => {
    const parts = ["ls", "pwd"].map((command) => ({ ...reply(JSON.stringify({ command })).parts[0]! }));
    const made = { ...reply(""), parts };
    const ids = (outcome: ReturnType<Protocol["readReply"]> | null) =>
      outcome?.ok ? outcome.value.parts.map((part) => part.type === "tool-call" && part.id) : null;
    expect(ids(protocol.readReply(JSON.parse(JSON.stringify(protocol.writeReply(made, CALL).body))))).toEqual(
      ["call_1", "call_1_2"],
    );
    expect(ids(read(protocol, [written(protocol, made)]).outcome)).toEqual(["call_1", "call_1_2"]);
  });

  test("a server that numbers the calls of each turn from 0 gets its results to the right calls", () => {
    const turn = (command: string, result: string): ModelCall["messages"] => [
      {
        role: "assistant",
        parts: [{ type: "tool-call", id: "0", name: "bash", kind: "function", input: `{"c":"${command}"}` }],
      },
      {
        role: "user",
        parts: [
          {
            type: "tool-result",
            callId: "0",
            name: null,
            content: [{ type: "text", text: result }],
            isError: false,
          },
        ],
      },
    ];
    const request = protocol.writeRequest({
      ...CALL,
      messages: [...CALL.messages, ...turn("ls", "one"), ...turn("pwd", "two")],
    });
    const text = JSON.stringify(request.ok && request.value.body);
    expect(text).toContain('"0"');
    expect(text).toContain('"0_2"');
    expect(request.ok && JSON.stringify(request.value.body).split('"0_2"').length).toBe(3);
  });

  test("a result without its call is refused by its name", () => {
    const parts = [{ type: "tool-result" as const, callId: "lost", name: null, content: [], isError: false }];
    expect(protocol.writeRequest({ ...CALL, messages: [{ role: "user", parts }] })).toMatchObject({
      ok: false,
      problem: { kind: "invalid", message: expect.stringContaining('"lost"') },
    });
  });

  test("a made-up provider's reply is metered as the reader reads it", () => {
    const stream = protocol.meter(true);
    stream.push(Buffer.from(providers[name].stream(1)));
    const usage = { inputUncached: 20, cacheRead: 10, cacheWrite: 0, output: 12, reasoning: 0 };
    expect(stream.end()).toMatchObject({ usage, stopReason: "tools", model: "m-served", problem: null });
    const whole = protocol.meter(false);
    whole.push(Buffer.from(JSON.stringify(providers[name].whole(1))));
    expect(whole.end()).toMatchObject({ usage, stopReason: "tools", model: "m-served", problem: null });
  });
});

/** A copy with another value at one of its places, counted through. */
function replaced(value: JsonValue, place: number, other: JsonValue): JsonValue {
  const places: (() => void)[] = [];
  const walk = (inner: JsonValue): void => {
    if (typeof inner !== "object" || inner === null) return;
    const holder = inner as Record<string, JsonValue>;
    for (const key of Object.keys(inner)) {
      places.push(() => {
        holder[key] = other;
      });
      walk(holder[key]!);
    }
  };
  const copy = structuredClone(value);
  walk(copy);
  places[place % Math.max(1, places.length)]?.();
  return copy;
}

/** Parts open and close in order, and exactly one event is the last. */
function wellOrdered(events: ReplyEvent[]): boolean {
  let open = -1;
  let next = 0;
  for (const [at, event] of events.entries()) {
    const last = event.type === "finish" || event.type === "error";
    if (last !== (at === events.length - 1)) return false;
    if (event.type === "part-start") {
      if (open >= 0 || event.index !== next) return false;
      open = next++;
    } else if (event.type === "part-delta" && event.index !== open) return false;
    else if (event.type === "part-end") {
      if (event.index !== open) return false;
      open = -1;
    } else if (event.type === "finish" && open >= 0) return false;
  }
  return true;
}
