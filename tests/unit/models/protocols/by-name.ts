import type {
  JsonObject,
  JsonValue,
  ModelCall,
  ProtocolName,
  ReplyEvent,
} from "../../../../src/models/call.ts";
import type { Endpoint } from "../../../../src/models/protocols/protocol.ts";
import { protocols } from "../../../../src/models/protocols/protocols.ts";
import { collectReply } from "../../../../src/models/reply-events.ts";

export const ENDPOINT: Endpoint = { kind: "call", model: "m", stream: true };

export function readCall(name: ProtocolName, body: JsonValue): ModelCall {
  const read = protocols[name].readRequest({ body, endpoint: ENDPOINT });
  if (!read.ok) throw new Error(read.problem.message);
  return read.value;
}

export function bodyFor(name: ProtocolName, call: ModelCall): JsonObject {
  const written = protocols[name].writeRequest(call);
  if (!written.ok) throw new Error(written.problem.message);
  return written.value.body;
}

export function readStream(name: ProtocolName, text: string) {
  const reader = protocols[name].streamReader();
  const events: ReplyEvent[] = [...reader.push(Buffer.from(text)), ...reader.end()];
  const collector = collectReply();
  for (const event of events) collector.add(event);
  return { events, outcome: collector.outcome };
}
