import type http from "node:http";
import type { CallProblem, ModelCall } from "../call.ts";
import { textWithoutSecrets, withoutSecrets, worthMasking } from "../masking.ts";
import type { Protocol } from "../protocols/protocol.ts";
import { eventsOfReply } from "../reply-events.ts";
import type { Tried } from "../transport/retry.ts";
import { type Got, parseJson } from "./ask-provider.ts";
import { type Exchange, ended, tell } from "./exchange.ts";
import type { KeepAlive } from "./keep-alive.ts";
import { brokenReply, invalid, systemMessage } from "./problems.ts";

export interface Delivery {
  /** The protocol the provider spoke. */
  from: Protocol;
  /** Set where it is not the client's. */
  call: ModelCall | null;
  key: string | null;
  alive: KeepAlive;
  /** Aborted when the client or the trial is gone: then nobody is to blame for a broken stream. */
  signal: AbortSignal;
}

/** Passes on to the client what a provider said, whole or as it comes. */
export async function deliver(exchange: Exchange, tried: Tried<Got>, delivery: Delivery): Promise<void> {
  if (tried.status === "failed") {
    const message = withoutKey(tried.problem.message, delivery.key);
    return giveUp(exchange, { ...tried.problem, message });
  }
  const got = tried.value;
  switch (got.kind) {
    case "refused":
      return passRefusal(exchange, got, delivery);
    case "whole":
      exchange.metered = got.metered;
      exchange.requestId = requestIdOf(got.headers, delivery.key);
      return delivery.call === null
        ? passWhole(exchange, got, delivery)
        : translateWhole(exchange, withoutSecrets(got.bytes, worthMasking([delivery.key])), delivery);
    case "stream":
      exchange.requestId = requestIdOf(got.headers, delivery.key);
      try {
        if (delivery.call === null) await passStream(exchange, got, delivery);
        else await translateStream(exchange, got.chunks, delivery, delivery.call);
      } finally {
        got.release();
      }
  }
}

/** Trying again did not help, or the deadline is too near to. */
async function giveUp(exchange: Exchange, problem: CallProblem): Promise<void> {
  ended(exchange, "failed", "provider", problem.message);
  // A time to wait would keep a client waiting for what will not come.
  await tell(exchange, { ...problem, retryAfterMs: null });
}

/** The provider's own words where the client speaks its protocol; never its word on our key. */
async function passRefusal(
  exchange: Exchange,
  { status, headers, bytes, problem }: Extract<Got, { kind: "refused" }>,
  { call, key }: Delivery,
): Promise<void> {
  const { client } = exchange;
  exchange.requestId = requestIdOf(headers, key);
  const ours = problem.kind === "auth" || problem.kind === "billing";
  const blame = ours
    ? "user"
    : problem.kind === "invalid" || problem.kind === "context"
      ? "agent"
      : "provider";
  ended(exchange, "failed", blame, withoutKey(problem.message, key));
  if (ours) {
    const message =
      problem.kind === "auth"
        ? "The provider does not accept the harness's key."
        : "The provider's account is out of money.";
    return tell(exchange, invalid(message), 400);
  }
  if (call !== null || client.started || parseJson(bytes) === undefined)
    return tell(exchange, { ...problem, message: withoutKey(problem.message, key) });
  const text = Buffer.from(withoutKey(bytes.toString("latin1"), key), "latin1");
  client.begin(status, { ...replyHeaders(headers, key), "content-length": String(text.length) });
  await client.write(text);
  client.end();
}

async function passWhole(
  exchange: Exchange,
  { status, headers, bytes: said }: Extract<Got, { kind: "whole" }>,
  { key }: Delivery,
): Promise<void> {
  const { client } = exchange;
  const bytes = withoutSecrets(said, worthMasking([key]));
  if (client.started)
    return tell(exchange, brokenReply("The provider sent a whole reply where a stream was asked for."));
  client.begin(status, { ...replyHeaders(headers, key), "content-length": String(bytes.length) });
  await client.write(bytes);
  client.end();
  finished(exchange);
}

async function passStream(
  exchange: Exchange,
  { headers, chunks }: Extract<Got, { kind: "stream" }>,
  { from, alive, signal, key }: Delivery,
): Promise<void> {
  const { client } = exchange;
  const meter = from.meter(true);
  const keys = worthMasking([key]);
  if (!client.started) client.begin(200, replyHeaders(headers, key));
  let failure: unknown = null;
  let border = true;
  try {
    for await (const chunk of chunks) {
      await client.write(withoutSecrets(chunk, keys));
      border = endsEvent(chunk);
      alive.flowed(border);
      meter.push(chunk);
      if (client.gone.aborted) break;
    }
  } catch (error) {
    failure = error;
  }
  exchange.metered = meter.end();
  signal.throwIfAborted();
  if (failure === null && exchange.metered.problem === null) {
    client.end();
    return finished(exchange);
  }
  const message =
    failure === null
      ? exchange.metered.problem!.message
      : `The provider's stream broke off: ${systemMessage(failure)}.`;
  ended(exchange, "failed", "provider", message);
  // An error that the provider put into its stream has been passed on with it.
  if (failure === null) client.end();
  else if (border) await tell(exchange, brokenReply(message));
  else client.cut();
}

async function translateWhole(
  exchange: Exchange,
  bytes: Uint8Array,
  { from, call }: Delivery,
): Promise<void> {
  const json = parseJson(Buffer.from(bytes));
  const read = json === undefined ? null : from.readReply(json);
  if (read === null || !read.ok) {
    const problem = read?.ok === false ? read.problem : brokenReply("The provider's reply is not JSON.");
    ended(exchange, "failed", "provider", problem.message);
    return tell(exchange, problem);
  }
  exchange.notes.push(...read.value.notes);
  await writeReply(exchange, { ...read.value }, call!);
  finished(exchange);
}

/** Writes a reply of the internal form, whole or as a stream, as the client asked for it. */
export async function writeReply(
  exchange: Exchange,
  reply: Parameters<Protocol["writeReply"]>[0],
  call: ModelCall,
): Promise<void> {
  const { client, protocol } = exchange;
  if (!exchange.streamed) {
    const written = protocol.writeReply(reply, call);
    const bytes = Buffer.from(JSON.stringify(written.body));
    client.begin(written.status, { ...written.headers, "content-length": String(bytes.length) });
    await client.write(bytes);
    client.end();
    return;
  }
  const writer = protocol.streamWriter(call);
  if (!client.started) client.begin(200, writer.headers);
  for (const event of eventsOfReply(reply)) await client.write(Buffer.from(writer.write(event)));
  client.end();
}

async function translateStream(
  exchange: Exchange,
  chunks: AsyncGenerator<Buffer>,
  { from, alive, signal, key }: Delivery,
  call: ModelCall,
): Promise<void> {
  const { client } = exchange;
  const keys = worthMasking([key]);
  const meter = from.meter(true);
  const reader = from.streamReader();
  const writer = exchange.protocol.streamWriter(call);
  let problem: CallProblem | null = null;
  if (!client.started) client.begin(200, writer.headers);
  const pass = async (events: ReturnType<typeof reader.push>) => {
    for (const event of events) {
      if (event.type === "error") problem = event.problem;
      await client.write(Buffer.from(writer.write(event)));
    }
  };
  try {
    for await (const chunk of chunks) {
      meter.push(chunk);
      await pass(reader.push(withoutSecrets(chunk, keys)));
      alive.flowed(true);
      if (client.gone.aborted) break;
    }
    if (!client.gone.aborted) await pass(reader.end());
  } catch (error) {
    if (!signal.aborted && problem === null) {
      problem = brokenReply(`The provider's stream broke off: ${systemMessage(error)}.`);
      await client.write(Buffer.from(writer.write({ type: "error", problem })));
    }
  }
  exchange.metered = meter.end();
  signal.throwIfAborted();
  client.end();
  if (problem === null) finished(exchange);
  else ended(exchange, "failed", "provider", (problem as CallProblem).message);
}

export function finished(exchange: Exchange): void {
  ended(exchange, "answered", null, null);
}

/** Of a provider's headers a client gets those that say something about the reply. */
function replyHeaders(headers: http.IncomingHttpHeaders, key: string | null): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (
      /^(content-type|x-request-id|request-id|openai-|anthropic-(?!ratelimit|organization))/.test(name) &&
      typeof value === "string"
    )
      kept[name] = withoutKey(value, key);
  return kept;
}

function requestIdOf(headers: http.IncomingHttpHeaders, key: string | null): string | null {
  const id = headers["x-request-id"] ?? headers["request-id"] ?? headers["x-goog-request-id"] ?? null;
  return typeof id === "string" ? withoutKey(id, key).slice(0, 200) : null;
}

function withoutKey(text: string, key: string | null): string {
  return textWithoutSecrets(text, worthMasking([key]));
}

function endsEvent(chunk: Buffer): boolean {
  const end = chunk.subarray(-4).toString("latin1");
  return end.endsWith("\n\n") || end.endsWith("\r\n\r\n") || end.endsWith("\r\r");
}
