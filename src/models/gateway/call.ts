import { setMaxListeners } from "node:events";
import type http from "node:http";
import type { Reservation, Spending } from "../budget.ts";
import type { LedgerLine } from "../ledger/schema.ts";
import { costOf, estimatedTokens } from "../prices/cost.ts";
import type { Endpoint, Protocol } from "../protocols/protocol.ts";
import { shapeOf } from "../transcripts/split.ts";
import { askOffline, replay } from "./answer-ourselves.ts";
import { clientOf } from "./client.ts";
import { beginExchange, type Exchange, ended, settle, tell } from "./exchange.ts";
import type { GatewayModel, GatewayOptions } from "./options.ts";
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

/** Output that is reserved for a call which names no limit and whose model has no known one. */
const USUAL_MAX_OUTPUT = 32_000;

/** Deeper than any conversation or schema, and harmless for whoever walks over it. */
const MAX_DEPTH = 200;

/** One model call, from the client's request to the line in the ledger. */
export async function callWithin(options: GatewayOptions, context: CallContext): Promise<void> {
  const { protocol, request, response, closing } = context;
  const client = clientOf(request, response);
  const exchange = beginExchange(protocol, client);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const abort = () => stop.abort(client.gone.aborted ? client.gone.reason : closing.reason);
  client.gone.addEventListener("abort", abort, { once: true });
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
    if (client.gone.aborted && exchange.outcome !== "answered")
      ended(exchange, "cancelled", "agent", "The client went away before its reply was complete.");
    // Whatever becomes of the record (a full disk): those who wait for this call's budget must not wait for ever.
    let spent: Spending = { cost: 0, tokens: 0, calls: 1 };
    try {
      spent = spentBy(settle(exchange, options));
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
  const received = await receiveBody(request, options.intake, onBytes);
  if (received.status === "refused") return refuse(exchange, received.message, received.code);
  exchange.request = received.bytes;
  exchange.body = received.body;
  const { duplicateKey, depth } = shapeOf(received.bytes);
  if (depth > MAX_DEPTH)
    return refuse(exchange, `The body has more than ${MAX_DEPTH} objects inside each other.`);
  if (duplicateKey !== null)
    return refuse(exchange, `The body has the key "${duplicateKey.slice(0, 100)}" twice in one object.`);
  const peeked = protocol.peek({ body: received.body, endpoint });
  exchange.asked = peeked.model;
  exchange.streamed = peeked.stream;
  exchange.choices = peeked.choices;
  const roleHeader = request.headers["x-mlebench-role"];
  const found = findModel(peeked.model, typeof roleHeader === "string" ? roleHeader : undefined, options);
  if ("refusal" in found) return refuse(exchange, found.refusal);
  exchange.model = found;
  const policy = withoutNetwork(protocol, received.body, options.providerTools);
  if (policy.status === "refused") {
    options.onProviderTool?.(policy.names);
    return refuse(exchange, policy.message);
  }
  exchange.notes.push(...policy.notes);
  if (policy.removed.length > 0) {
    options.onProviderTool?.(policy.removed);
    exchange.notes.push(`taken out, since they run at the provider: ${policy.removed.join(", ")}`);
  }
  if (!(await admit(options, exchange, found, peeked.maxOutputTokens, signal, reservations))) return;
  const { answers, model } = found;
  if (answers.by === "recording") return replay(exchange, answers.cassette, options);
  const more = { endpoint, signal };
  if (answers.by === "us")
    return askOffline(exchange, answers.offline, options, { ...more, body: edited(exchange, policy.edits) });
  if (model.kind === "remote")
    return askRemote(exchange, model, options, { ...more, request, edits: policy.edits });
}

/** Reserves the call's worst with every budget; false when one of them is spent, which the client has then been told. */
async function admit(
  { budgets }: GatewayOptions,
  exchange: Exchange,
  { model }: GatewayModel,
  maxOutput: number | null,
  signal: AbortSignal,
  reservations: Reservation[],
): Promise<boolean> {
  const from = performance.now();
  const asked = maxOutput !== null && maxOutput > 0 ? maxOutput : null;
  const each = asked ?? (model.kind === "remote" ? model.maxOutput : null) ?? USUAL_MAX_OUTPUT;
  const output = each * exchange.choices;
  const usage = {
    inputUncached: estimatedTokens(exchange.request?.length ?? 0),
    cacheRead: 0,
    cacheWrite: 0,
    output,
    reasoning: 0,
  };
  const worst = { cost: costOf(usage, model.price), tokens: usage.inputUncached + output, calls: 1 };
  for (const budget of budgets) {
    const admission = await budget.admit(worst, signal);
    signal.throwIfAborted();
    if (admission.status === "spent") {
      ended(exchange, "refused", "budget", admission.message);
      // 400: coding agents stop at it within seconds, while 429 makes them wait for hours.
      await tell(exchange, invalid(admission.message, { code: "budget_spent" }), 400);
      return false;
    }
    reservations.push(admission.reservation);
  }
  exchange.waitingMs += performance.now() - from;
  return true;
}

/** What counts against a budget. A call nobody worked on is none. */
function spentBy({ outcome, usage, cost }: LedgerLine): Spending {
  if (outcome === "refused") return { cost: 0, tokens: 0, calls: 0 };
  const tokens = usage === null ? 0 : usage.inputUncached + usage.cacheRead + usage.cacheWrite + usage.output;
  return { cost, tokens, calls: 1 };
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
