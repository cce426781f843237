import type { JsonObject, JsonValue, ModelCall } from "../call.ts";
import { isObject, listOf, objectOf, objectsOf, textOf } from "../protocols/json.ts";
import type { Endpoint, Protocol } from "../protocols/protocol.ts";

/** Gemini names its model in the path, which is not kept; the ledger says which one it was. */
const ENDPOINT: Endpoint = { kind: "call", model: "unknown", stream: null };

/** So much of a request may have no place in the internal form. */
const MAX_ODD = 200;

/**
 * Reads a request for a person. What cannot be carried to another protocol (a tool of the provider, probabilities, a document) does not
 * matter here: it passed byte for byte, or was taken out. So it is left out, or named in the place where it stood.
 */
export function readLeniently(body: JsonValue, protocol: Protocol): ModelCall | { unreadable: string } {
  let left = isObject(body) ? without(body, protocol.withoutProviderTools(body)) : body;
  for (let odd = 0; ; odd++) {
    const read = protocol.readRequest({ body: left, endpoint: ENDPOINT });
    if (read.ok) return read.value;
    const { param, message } = read.problem;
    const next = odd < MAX_ODD && isObject(left) && param !== null ? withoutOdd(left, param, message) : null;
    if (next === null) return { unreadable: `the request is not readable: ${message}` };
    left = next;
  }
}

function without(body: JsonObject, edits: Record<string, JsonValue | undefined>): JsonObject {
  const edited = Object.entries({ ...body, ...edits }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(edited) as JsonObject;
}

/** The request without what its reader stumbled over: `messages[3]`, `logprobs`, `generationConfig.logprobs`. Null: it is not there. */
function withoutOdd(body: JsonObject, param: string, why: string): JsonObject | null {
  const [, list, index] = /^(\w+)\[(\d+)\]$/.exec(param) ?? [];
  if (list !== undefined) {
    const items = listOf(body[list]);
    const at = Number(index);
    if (at >= items.length) return null;
    return { ...body, [list]: items.with(at, placeholder(objectOf(items[at]), list, why)) };
  }
  const [field, inner] = param.split(".", 2);
  const name = [field, snake(field)].find((one) => Object.hasOwn(body, one));
  if (name === undefined) return null;
  if (inner === undefined) return without(body, { [name]: undefined });
  const outer = objectOf(body[name]);
  if (![inner, snake(inner)].some((one) => Object.hasOwn(outer, one))) return null;
  return { ...body, [name]: without(outer, { [inner]: undefined, [snake(inner)]: undefined }) };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What an item says in words, and what about it cannot be shown. */
function placeholder(item: JsonObject, list: string, why: string): JsonObject {
  const said = typeof item.content === "string" ? [item.content] : textsOf(item.content ?? item.parts);
  const text = [...said, `(${why.replace(/, which cannot be carried over$/, "")}; it is not shown)`].join(
    "\n",
  );
  const isOwn = item.role === "assistant" || item.role === "model";
  if (list === "contents") return { role: isOwn ? "model" : "user", parts: [{ text }] };
  return { role: isOwn ? "assistant" : "user", content: text };
}

function textsOf(parts: JsonValue | undefined): string[] {
  return objectsOf(parts).flatMap((part) => textOf(part.text) ?? []);
}
