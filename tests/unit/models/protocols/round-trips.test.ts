import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message, ModelCall, ModelReply, ReplyEvent } from "../../../../src/models/call.ts";
import type { Endpoint, Protocol } from "../../../../src/models/protocols/protocol.ts";
import { protocols } from "../../../../src/models/protocols/protocols.ts";
import { collectReply, eventsOfReply } from "../../../../src/models/reply-events.ts";
import { calls, NAMES, replies } from "./made-up.ts";

const CALL: ModelCall = {
  model: "some-model",
  system: [],
  messages: [],
  tools: [],
  toolChoice: null,
  settings: {},
  stream: true,
  notes: [],
};

const json = (value: unknown) => JSON.parse(JSON.stringify(value));

describe.each(NAMES)("%s", (name) => {
  const protocol = protocols[name];

  test("a request that is written can be read again", () => {
    fc.assert(
      fc.property(calls, (call) => {
        const written = protocol.writeRequest(call);
        if (!written.ok) throw new Error(written.problem.message);
        const { path, body } = written.value;
        const endpoint = protocol.match("POST", path);
        expect(endpoint?.kind).toBe("call");
        const read = protocol.readRequest({ body: json(body), endpoint: endpoint as Endpoint });
        if (!read.ok) throw new Error(read.problem.message);
        expect(comparable(read.value)).toEqual(comparable(call));
      }),
    );
  });

  test("a reply that is written can be read again", () => {
    fc.assert(
      fc.property(replies, (reply) => {
        const read = protocol.readReply(json(protocol.writeReply(reply, CALL).body));
        if (!read.ok) throw new Error(read.problem.message);
        expect(read.value).toEqual(reply);
      }),
    );
  });

  test("a stream reads the same however its bytes are cut, with CRLF and with comments", () => {
    const cuts = fc.array(fc.nat(200), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        replies,
        cuts,
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.boolean(),
        (reply, sizes, newline, comments) => {
          const text = streamOf(protocol, reply).replace(/\n\n/g, comments ? "\n\n: a comment\n\n" : "\n\n");
          const bytes = Buffer.from(text.replaceAll("\n", newline));
          expect(collected(protocol, pieces(bytes, sizes))).toEqual({ ok: true, value: reply });
        },
      ),
    );
  });

  test("a stream read byte by byte gives the same events as one read at once", () => {
    fc.assert(
      fc.property(replies, (reply) => {
        const bytes = Buffer.from(streamOf(protocol, reply));
        const withoutIds = (events: ReplyEvent[]) => collectAll(events);
        expect(withoutIds(eventsOf(protocol, pieces(bytes, [1])))).toEqual(
          withoutIds(eventsOf(protocol, [bytes])),
        );
      }),
      { numRuns: 30 },
    );
  });

  test("half a stream is a broken one, wherever it is cut, and never a shorter reply", () => {
    fc.assert(
      fc.property(replies, fc.double({ min: 0, max: 0.999, noNaN: true }), (reply, share) => {
        const bytes = Buffer.from(streamOf(protocol, reply));
        const outcome = collected(protocol, [bytes.subarray(0, Math.floor(bytes.length * share))]);
        if (outcome?.ok) expect({ ...outcome.value, usage: null }).toEqual({ ...reply, usage: null });
        else expect(outcome?.problem).toMatchObject({ kind: "broken", retryable: true });
      }),
    );
  });

  test("usage read beside the bytes is the usage that was written, streamed and whole", () => {
    fc.assert(
      fc.property(replies, (reply) => {
        const stream = protocol.meter(true);
        for (const piece of pieces(Buffer.from(streamOf(protocol, reply)), [7, 50])) stream.push(piece);
        const whole = protocol.meter(false);
        for (const piece of pieces(Buffer.from(JSON.stringify(protocol.writeReply(reply, CALL).body)), [13]))
          whole.push(piece);
        const { usage, model, stopReason, id } = reply;
        expect(stream.end()).toMatchObject({ usage, model, stopReason, id, problem: null });
        expect(whole.end()).toMatchObject({ usage, model, stopReason, id, problem: null });
      }),
    );
  });
});

function streamOf(protocol: Protocol, reply: ModelReply): string {
  const writer = protocol.streamWriter({ ...CALL, settings: { usageChunk: true } });
  return eventsOfReply(reply)
    .map((event) => writer.write(event))
    .join("");
}

function eventsOf(protocol: Protocol, chunks: Uint8Array[]): ReplyEvent[] {
  const reader = protocol.streamReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
}

function collectAll(events: ReplyEvent[]) {
  const collector = collectReply();
  for (const event of events) collector.add(event);
  return collector.outcome;
}

function collected(protocol: Protocol, chunks: Uint8Array[]) {
  return collectAll(eventsOf(protocol, chunks));
}

function pieces(bytes: Uint8Array, sizes: number[]): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length]!);
    cut.push(bytes.subarray(at, at + size));
    at += size;
  }
  return cut;
}

/** What protocols write in their own way: names of tools in results, neighbours of one role, notes. */
function comparable(call: ModelCall) {
  const messages = call.messages.map((message): Message => {
    if (message.role !== "user") return message;
    const parts = message.parts.map((part) => (part.type === "tool-result" ? { ...part, name: null } : part));
    return { role: "user", parts };
  });
  const tools = call.tools.map((tool) => ({ ...tool, strict: null }));
  return { ...call, tools, messages, settings: { ...call.settings, usageChunk: undefined }, notes: [] };
}
