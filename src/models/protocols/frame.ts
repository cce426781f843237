import { randomUUID } from "node:crypto";
import type { CallProblem, JsonObject, JsonValue, ModelReply, Outcome } from "../call.ts";
import { isObject, numberOf, objectOf, textOf } from "./json.ts";
import { streamMeter, wholeMeter } from "./meter.ts";
import { dropFields } from "./notes.ts";
import { uniqueIds } from "./part-stream.ts";
import { problemInside, readProblem, refusal } from "./problems.ts";
import type { Peeked, Protocol, WrittenReply } from "./protocol.ts";

/** What is alike in all protocols; the rest is what each of them says for itself. */
type Shared = "readError" | "meter" | "writeModels" | "writeTokenCount" | "askForUsage" | Codec;
type Codec = "readRequest" | "writeRequest" | "readReply" | "writeReply" | "streamReader" | "streamWriter";

interface OwnProtocol extends Omit<Protocol, Shared>, Partial<Pick<Protocol, "askForUsage">> {
  codec: Pick<Protocol, Codec>;
  models(names: readonly string[]): JsonValue;
  tokenCount(tokens: number): JsonValue;
}

export function defineProtocol({ codec, models, tokenCount, ...own }: OwnProtocol): Protocol {
  return {
    askForUsage: () => null,
    ...own,
    ...codec,
    readError: readProblem,
    writeModels: (names) => jsonReply(models(names)),
    writeTokenCount: (tokens) => jsonReply(tokenCount(tokens)),
    meter: (stream) => (stream ? streamMeter(codec.streamReader()) : wholeMeter(codec.readReply)),
  };
}

export function jsonReply(body: JsonValue): WrittenReply {
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

/** An id of our own making, where a provider gave none. */
export function madeId(prefix: string): string {
  return `${prefix}${randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

/** A part of a path; one that is badly encoded is taken as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What the gateway decides on, where the body says all of it; `limits` are the fields of an output limit, of which some servers take one and some another: the largest counts. */
export function peekBody(body: JsonValue, limits: readonly string[], choices = 1): Peeked {
  const request = objectOf(body);
  const limit = largest(limits.map((name) => numberOf(request[name])));
  const { model, stream } = request;
  return { model: textOf(model), stream: stream === true, maxOutputTokens: limit, choices };
}

export function largest(numbers: readonly (number | null)[]): number | null {
  const given = numbers.filter((value) => value !== null);
  return given.length === 0 ? null : Math.max(...given);
}

interface OpenedRequest {
  request: JsonObject;
  model: string;
  /** What was left out. */
  notes: Set<string>;
}

/**
 * The head of a request whose body names its model: an object, a model, a list of messages where the protocol calls them so,
 * and no field that cannot be left out.
 */
export function openRequest(
  body: JsonValue,
  fields: { known: ReadonlySet<string>; refused: Record<string, string>; list?: string },
): Outcome<OpenedRequest> {
  if (!isObject(body)) return notAnObject();
  const model = textOf(body.model);
  if (!model) return refusal('"model" is missing', "model");
  const { list } = fields;
  const entries = list === undefined ? undefined : body[list];
  if (list !== undefined && (!Array.isArray(entries) || entries.length === 0))
    return refusal(`"${list}" is missing or empty`, list);
  const dropped = dropFields(body, fields.known, fields.refused);
  return dropped.ok ? { ok: true, value: { request: body, model, notes: new Set(dropped.value) } } : dropped;
}

export const notAnObject = () => refusal("the body of the request is not a JSON object");

/** What a protocol finds in its own reply; id and model are those of the usual names unless it says others. */
type OwnReply = Pick<ModelReply, "parts" | "usage" | "stopReason"> & Partial<ModelReply>;

/** Reads a whole reply: an error inside it is its outcome, and no two calls have the same id. */
export function replyReader(
  read: (reply: JsonObject) => OwnReply | CallProblem,
): (body: JsonValue) => Outcome<ModelReply> {
  return (body) => {
    const reply = objectOf(body);
    const own = problemInside(body) ?? read(reply);
    if ("kind" in own) return { ok: false, problem: own };
    const unique = uniqueIds();
    const parts = own.parts.map((part) =>
      part.type === "tool-call" ? { ...part, id: unique(part.id) } : part,
    );
    const named = { id: textOf(reply.id) ?? "", model: textOf(reply.model) ?? "", notes: [] };
    return { ok: true, value: { ...named, ...own, parts } };
  };
}
