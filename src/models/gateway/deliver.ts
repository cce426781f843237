import type http from "node:http";
import type { CallProblem, ModelCall } from "../call.ts";
import { textWithoutSecrets, withoutSecrets, worthMasking } from "../masking.ts";
import type { Protocol } from "../protocols/protocol.ts";
import { eventsOfReply } from "../reply-events.ts";
import type { Tried } from "../transport/retry.ts";
import { type Got, parseJson } from "./ask-provider.ts";
import { gatherStream, passStream, translateStream } from "./deliver-stream.ts";
import { type Exchange, ended, tell } from "./exchange.ts";
import type { KeepAlive } from "./keep-alive.ts";
import { brokenReply, invalid, REDIRECT } from "./problems.ts";

export interface Delivery {
  exchange: Exchange;
  /** The protocol the provider spoke. */
  from: Protocol;
  /** Set where it is not the client's. */
  call: ModelCall | null;
  /** The client's request in the internal form, for a reply that does not come as it was asked for. */
  readCall(): ModelCall | null;
  key: string | null;
  alive: KeepAlive;
  /** A stream that is alive but says nothing of its reply ends after this time. */
  quietMs: number;
  /** Aborted when the client or the trial is gone: then nobody is to blame for a broken stream. */
  signal: AbortSignal;
}

/** Passes on to the client what a provider said, whole or as it comes. */
export async function deliver(tried: Tried<Got>, delivery: Delivery): Promise<void> {
  const { exchange, key } = delivery;
  if (tried.status === "failed") {
    const message = withoutKey(tried.problem.message, key);
    return giveUp(exchange, { ...tried.problem, message });
  }
  const got = tried.value;
  if (got.kind === "refused") return passRefusal(exchange, got, delivery);
  exchange.requestId = requestIdOf(got.headers, key);
  const asAsked = exchange.streamed === (got.kind === "stream");
  const call = delivery.call ?? (asAsked ? null : delivery.readCall());
  if (got.kind === "whole") {
    exchange.metered = got.metered;
    if (call === null) return passWhole(exchange, got, delivery);
    return translateWhole(delivery, withoutSecrets(got.bytes, worthMasking([key])), call);
  }
  try {
    if (call === null) await passStream(delivery, got);
    else if (exchange.streamed) await translateStream(delivery, got, call);
    else await gatherStream(delivery, got, call);
  } finally {
    got.release();
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
  const redirected = problem.code === REDIRECT;
  const ours = problem.kind === "auth" || problem.kind === "billing" || redirected;
  const blame = ours
    ? "user"
    : problem.kind === "invalid" || problem.kind === "context"
      ? "agent"
      : "provider";
  ended(exchange, "failed", blame, withoutKey(problem.message, key));
  if (ours) {
    const message = redirected
      ? "The harness has a wrong address of the provider."
      : problem.kind === "auth"
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

async function translateWhole(
  { exchange, from }: Delivery,
  bytes: Uint8Array,
  call: ModelCall,
): Promise<void> {
  const json = parseJson(Buffer.from(bytes));
  const read = json === undefined ? null : from.readReply(json);
  if (read === null || !read.ok) {
    const problem = read?.ok === false ? read.problem : brokenReply("The provider's reply is not JSON.");
    ended(exchange, "failed", "provider", problem.message);
    return tell(exchange, problem);
  }
  exchange.notes.push(...read.value.notes);
  await writeReply(exchange, read.value, call);
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

export function finished(exchange: Exchange): void {
  ended(exchange, "answered", null, null);
}

/** Of a provider's headers a client gets those that say something about the reply. */
export function replyHeaders(headers: http.IncomingHttpHeaders, key: string | null): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (
      /^(content-type|x-request-id|request-id|openai-(?!organization|project)|anthropic-(?!ratelimit|organization))/.test(
        name,
      ) &&
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
