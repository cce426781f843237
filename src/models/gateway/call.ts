import { setMaxListeners } from "node:events";
import type http from "node:http";
import type { Reservation, Spending } from "../budget.ts";
import type { JsonValue } from "../call.ts";
import { isObject } from "../protocols/json.ts";
import type { Endpoint, Protocol } from "../protocols/protocol.ts";
import { admit, spentBy } from "./admit.ts";
import { askOffline, replay } from "./answer-ourselves.ts";
import { clientOf } from "./client.ts";
import { beginExchange, type Exchange, ended, settle, tell } from "./exchange.ts";
import { counted } from "./intake.ts";
import { type GatewayOptions, USUAL_TIMING } from "./options.ts";
import { findModel, withoutNetwork } from "./policy.ts";
import { invalid } from "./problems.ts";
import { receiveBody } from "./receive.ts";
import { askRemote, edited } from "./remote.ts";
import { isAllowed, WRONG_TOKEN } from "./routes.ts";

export interface CallContext {
  protocol: Protocol;
  endpoint: Endpoint;
  request: http.IncomingMessage;
  response: http.ServerResponse;
  /** Aborted when the trial has ended. */
  closing: AbortSignal;
}

/** Who goes away in the middle of a stream ends the provider's work, but not before what is on its way has said what it cost. */
const LAST_WORDS_MS = 500;

/** One model call, from the client's request to the line in the ledger. */
export async function callWithin(options: GatewayOptions, context: CallContext): Promise<void> {
  const { protocol, request, response, closing } = context;
  const client = clientOf(request, response, options.timing?.stallMs ?? USUAL_TIMING.stallMs);
  const exchange = beginExchange(protocol, client);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const abort = () => stop.abort(client.gone.aborted ? client.gone.reason : closing.reason);
  const leave = () => {
    if (client.started && exchange.reached) lastWords = setTimeout(abort, LAST_WORDS_MS);
    else abort();
  };
  let lastWords: NodeJS.Timeout | undefined;
  client.gone.addEventListener("abort", leave, { once: true });
  closing.addEventListener("abort", abort, { once: true });
  if (closing.aborted) abort();
  const reservations: Reservation[] = [];
  let taken = 0;
  try {
    await serve(options, context, exchange, stop.signal, reservations, (bytes) => {
      taken += bytes;
    });
  } catch (error) {
    await explain(exchange, error, closing);
  } finally {
    clearTimeout(lastWords);
    if (client.gone.aborted) ended(exchange, "cancelled", "agent", (client.gone.reason as Error).message);
    // Whatever becomes of the record (a full disk): those who wait for this call's budget must not wait for ever.
    let spent: Spending = { cost: 0, tokens: 0, calls: 1 };
    try {
      spent = spentBy(
        counted(options.intake, () => settle(exchange, options)),
        exchange,
      );
    } finally {
      for (const reservation of reservations) reservation.settle(spent);
      options.intake.bytes -= taken;
      closing.removeEventListener("abort", abort);
    }
    if (!request.complete) request.destroy();
  }
}

async function serve(
  options: GatewayOptions,
  context: CallContext,
  exchange: Exchange,
  signal: AbortSignal,
  reservations: Reservation[],
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { protocol, endpoint, request } = context;
  if (!isAllowed(request, options)) return refuse(exchange, WRONG_TOKEN.message, 401);
  if (options.ledger.isFull())
    return refuse(exchange, "This trial has made as many calls as can be kept on record.");
  const received = await receiveBody(request, {
    intake: options.intake,
    signal,
    onBytes,
    onWaited: (milliseconds) => {
      exchange.waitingMs += milliseconds;
    },
  });
  if (received.status === "refused") return refuse(exchange, received.message, received.code);
  exchange.request = received.bytes;
  exchange.body = received.body;
  const peeked = protocol.peek({ body: received.body, endpoint });
  exchange.asked = peeked.model;
  exchange.streamed = peeked.stream;
  exchange.choices = peeked.choices;
  const roleHeader = request.headers["x-mlebench-role"];
  const found = findModel(peeked.model, typeof roleHeader === "string" ? roleHeader : undefined, options);
  if ("refusal" in found) return refuse(exchange, found.refusal);
  exchange.model = found;
  if (namesAnother(received.body, endpoint))
    return refuse(
      exchange,
      "The body names another model than the path; servers disagree on which one counts.",
    );
  const policy = counted(options.intake, () =>
    withoutNetwork(protocol, received.body, options.providerTools),
  );
  if (policy.status === "refused") {
    options.onProviderTool?.(policy.names);
    return refuse(exchange, policy.message);
  }
  exchange.notes.push(...policy.notes);
  if (policy.removed.length > 0) {
    options.onProviderTool?.(policy.removed);
    exchange.notes.push(`taken out, since they run at the provider: ${policy.removed.join(", ")}`);
  }
  if (!(await admit(options, exchange, peeked.maxOutputTokens, signal, reservations))) return;
  const { answers, model } = found;
  if (answers.by === "recording") return replay(exchange, answers.cassette, options);
  const more = { endpoint, signal };
  if (answers.by === "us")
    return askOffline(exchange, answers.offline, options, { ...more, body: edited(exchange, policy.edits) });
  if (model.kind === "remote")
    return askRemote(exchange, model, options, { ...more, request, edits: policy.edits });
}

/** Where the path names the model, a body may name the same one only. */
function namesAnother(body: JsonValue, endpoint: Endpoint): boolean {
  if (endpoint.kind !== "call" || endpoint.model === null || !isObject(body)) return false;
  const bare = (name: string) => name.replace(/^models\//, "");
  return typeof body.model === "string" && bare(body.model) !== bare(endpoint.model);
}

async function refuse(exchange: Exchange, message: string, status = 400): Promise<void> {
  ended(exchange, "refused", "agent", message);
  await tell(exchange, status === 401 ? WRONG_TOKEN : invalid(message), status);
}

/** A call that was cut short, or a mistake of ours. */
async function explain(exchange: Exchange, error: unknown, closing: AbortSignal): Promise<void> {
  if (exchange.client.gone.aborted) return;
  if (closing.aborted) {
    ended(exchange, "cancelled", "budget", "The trial ended before the reply was complete.");
    exchange.client.cut();
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  ended(exchange, "failed", "harness", `The gateway failed: ${message}`);
  await tell(exchange, invalid("The gateway failed; this is not your fault.", { kind: "server" })).catch(
    () => {
      exchange.client.cut();
    },
  );
}
