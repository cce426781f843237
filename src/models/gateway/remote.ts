import type http from "node:http";
import type { JsonValue, ModelCall } from "../call.ts";
import { editBody } from "../protocols/edit-body.ts";
import type { BodyEdits, Endpoint, Protocol } from "../protocols/protocol.ts";
import { protocols } from "../protocols/protocols.ts";
import { endpointUrl } from "../providers/address.ts";
import { providers } from "../providers/providers.ts";
import type { RemoteModel } from "../resolve.ts";
import { askProvider, type ProviderCall } from "./ask-provider.ts";
import { deliver } from "./deliver.ts";
import { type Exchange, ended, tell } from "./exchange.ts";
import { keepAlive } from "./keep-alive.ts";
import { type GatewayOptions, USUAL_TIMING } from "./options.ts";
import { invalid } from "./problems.ts";

/** What to send, and in which protocol the reply will come. `call` is set where two protocols meet. */
interface Outgoing {
  protocol: Protocol;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  call: ModelCall | null;
}

/** Asks a provider, in the client's own protocol where it speaks it, and passes the reply on. */
export async function askRemote(
  exchange: Exchange,
  model: RemoteModel,
  options: GatewayOptions,
  context: { request: http.IncomingMessage; endpoint: Endpoint; edits: BodyEdits; signal: AbortSignal },
): Promise<void> {
  const found = options.keyOf(model);
  if ("code" in found) {
    ended(exchange, "failed", "user", found.message);
    return tell(exchange, invalid("The harness has no key for this model."), 400);
  }
  const same = model.protocols.includes(exchange.protocol.name);
  const outgoing = same
    ? passThrough(exchange, model, context)
    : translated(exchange, protocols[model.protocols[0]], model, context);
  if ("refusal" in outgoing) {
    ended(exchange, "refused", "agent", outgoing.refusal);
    return tell(exchange, invalid(outgoing.refusal), 400);
  }
  const { protocol } = outgoing;
  exchange.protocolOut = protocol.name;
  const timing = { ...USUAL_TIMING, ...options.timing };
  const authorize = providers[model.provider].authorize ?? protocol.authorize;
  const call: ProviderCall = {
    protocol,
    url: endpointUrl(model.baseUrl, outgoing.path),
    headers: {
      ...outgoing.headers,
      "content-type": "application/json",
      accept: exchange.streamed ? "text/event-stream" : "application/json",
      "accept-encoding": "identity",
      "user-agent": "mlebench",
      ...(found.key === null ? {} : authorize(found.key)),
    },
    body: outgoing.body,
    pace: options.paces.of(`${model.provider} ${model.baseUrl}`, model),
    signal: context.signal,
    deadline: options.deadline,
    retryMs: timing.retryMs,
    stallMs: model.stallSeconds === null ? timing.stallMs : model.stallSeconds * 1000,
    onWaited: (milliseconds) => {
      exchange.waitingMs += milliseconds;
    },
    onReached: () => {
      exchange.reached = true;
    },
    onNote: (note) => exchange.notes.push(note),
  };
  const alive = keepAlive(exchange, timing.keepAliveMs);
  try {
    const tried = await askProvider(call);
    exchange.retries = tried.retries;
    exchange.waitingMs += tried.waitedMs;
    await deliver(exchange, tried, {
      from: protocol,
      call: outgoing.call,
      key: found.key,
      alive,
      signal: context.signal,
    });
  } finally {
    alive.stop();
  }
}

function passThrough(
  { protocol, streamed, request, body }: Exchange,
  model: RemoteModel,
  context: { request: http.IncomingMessage; endpoint: Endpoint; edits: BodyEdits },
): Outgoing {
  const edits: BodyEdits = { ...context.edits };
  // Gemini names the model in the path.
  const named = context.endpoint.kind === "call" && context.endpoint.model !== null;
  const asked = protocol.peek({ body, endpoint: context.endpoint }).model;
  if (!named && asked !== model.id) edits.model = model.id;
  if (streamed) Object.assign(edits, protocol.askForUsage(body));
  const headers: Record<string, string> = {};
  for (const name of protocol.forwardedHeaders) {
    const value = context.request.headers[name];
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return {
    protocol,
    path: withQuery(protocol.callPath(model.id, streamed), context.request.url ?? ""),
    headers,
    body: Object.keys(edits).length === 0 ? request! : Buffer.from(editBody(request!, edits)),
    call: null,
  };
}

/** The client's own query, such as `?beta=true`, less its key. */
function withQuery(path: string, asked: string): string {
  const [target, query] = path.split("?", 2);
  const merged = new URLSearchParams(asked.split("?", 2)[1] ?? "");
  merged.delete("key");
  for (const [name, value] of new URLSearchParams(query)) merged.set(name, value);
  const text = merged.toString();
  return text === "" ? target : `${target}?${text}`;
}

function translated(
  exchange: Exchange,
  target: Protocol,
  model: RemoteModel,
  { endpoint, edits }: { endpoint: Endpoint; edits: BodyEdits },
): Outgoing | { refusal: string } {
  const body = edited(exchange, edits);
  const read = exchange.protocol.readRequest({ body, endpoint });
  if (!read.ok) return { refusal: read.problem.message };
  const call = read.value;
  const asked = { ...call, model: model.id, settings: { ...call.settings } };
  if (!model.sampling) {
    for (const name of ["temperature", "topP", "topK"] as const) {
      if (asked.settings[name] === undefined) continue;
      delete asked.settings[name];
      exchange.notes.push(`${name} was left out: the model does not take it`);
    }
  }
  const written = target.writeRequest(asked);
  if (!written.ok) return { refusal: written.problem.message };
  exchange.notes.push(...call.notes, ...written.value.notes);
  const bytes = Buffer.from(JSON.stringify(written.value.body));
  const usage = exchange.streamed ? target.askForUsage(written.value.body) : null;
  return {
    protocol: target,
    path: written.value.path,
    headers: written.value.headers,
    body: usage === null ? bytes : Buffer.from(editBody(bytes, usage)),
    call,
  };
}

export function edited(exchange: Exchange, edits: BodyEdits): JsonValue {
  if (Object.keys(edits).length === 0) return exchange.body;
  return JSON.parse(Buffer.from(editBody(exchange.request!, edits)).toString("utf8")) as JsonValue;
}
