import type http from "node:http";
import type { JsonValue, ModelCall } from "../call.ts";
import { editBody } from "../protocols/edit-body.ts";
import type { BodyEdits, Endpoint, Protocol } from "../protocols/protocol.ts";
import { protocols } from "../protocols/protocols.ts";
import { endpointUrl } from "../providers/address.ts";
import { providers } from "../providers/providers.ts";
import type { RemoteModel } from "../resolve.ts";
import { askProvider, type ProviderCall, THINKING } from "./ask-provider.ts";
import { deliver } from "./deliver.ts";
import { type Exchange, ended, tell } from "./exchange.ts";
import { counted } from "./intake.ts";
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
  const outgoing = counted(options.intake, () =>
    same
      ? passThrough(exchange, model, context)
      : translated(exchange, protocols[model.protocols[0]], model, context),
  );
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
    who: options,
    signal: context.signal,
    deadline: options.deadline,
    retryMs: timing.retryMs,
    tries: timing.tries,
    streamBytes: timing.streamBytes,
    stallMs: model.stallSeconds === null ? timing.stallMs : model.stallSeconds * 1000,
    onWaited: (milliseconds) => {
      exchange.waitingMs += milliseconds;
    },
    onReached: (working) => {
      exchange.reached = working;
    },
    onNote: (note) => exchange.notes.push(note),
  };
  const alive = keepAlive(exchange, timing.keepAliveMs);
  try {
    const tried = await askProvider(call);
    exchange.retries = tried.retries;
    exchange.waitingMs += tried.waitedMs;
    await deliver(tried, {
      exchange,
      from: protocol,
      call: outgoing.call,
      readCall() {
        const read = exchange.protocol.readRequest({ body: exchange.body, endpoint: context.endpoint });
        return read.ok ? read.value : null;
      },
      quietMs: call.stallMs * THINKING,
      key: found.key,
      alive,
      signal: context.signal,
    });
  } finally {
    alive.stop();
  }
}

function passThrough(
  exchange: Exchange,
  model: RemoteModel,
  context: { request: http.IncomingMessage; endpoint: Endpoint; edits: BodyEdits },
): Outgoing {
  const { protocol, streamed, request, body } = exchange;
  const edits: BodyEdits = { ...context.edits };
  // Gemini names the model in the path.
  const named = context.endpoint.kind === "call" && context.endpoint.model !== null;
  const asked = protocol.peek({ body, endpoint: context.endpoint }).model;
  if (!named && asked !== model.id) edits.model = model.id;
  const usage = streamed ? protocol.askForUsage(body) : null;
  exchange.usageAdded = usage !== null;
  Object.assign(edits, usage);
  const headers: Record<string, string> = {};
  for (const name of protocol.forwardedHeaders) {
    const value = context.request.headers[name];
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return {
    protocol,
    path: withQuery(exchange, protocol.callPath(model.id, streamed), context.request.url ?? ""),
    headers,
    body: Object.keys(edits).length === 0 ? request! : Buffer.from(editBody(request!, edits)),
    call: null,
  };
}

/** Of the client's own query what the protocol knows, such as `?beta=true`. */
function withQuery({ protocol, notes }: Exchange, path: string, asked: string): string {
  const [target, query] = path.split("?", 2);
  const merged = new URLSearchParams(query);
  for (const [name, value] of new URLSearchParams(asked.split("?", 2)[1]?.split("#", 1)[0] ?? "")) {
    if (merged.has(name) || name === "key") continue;
    if (protocol.forwardedQuery.includes(name)) merged.set(name, value);
    else notes.push(`"${name.slice(0, 60)}" was left out of the query`);
  }
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
  const written = target.writeRequest(asked, { compatible: providers[model.provider].copies === true });
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
