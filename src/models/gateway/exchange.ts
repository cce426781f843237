import { createHash } from "node:crypto";
import type { CallProblem, JsonValue, ProtocolName, Usage } from "../call.ts";
import { requestKey } from "../cassettes/key.ts";
import type { CallBlame, CallOutcome, LedgerLine } from "../ledger/schema.ts";
import { valueWithoutSecrets, withoutSecrets } from "../masking.ts";
import { costOf, estimatedTokens } from "../prices/cost.ts";
import type { Metered, Protocol } from "../protocols/protocol.ts";
import type { Client } from "./client.ts";
import type { GatewayModel, GatewayOptions } from "./options.ts";

/** One call as it goes along; becomes one line of the ledger, whatever happens. */
export interface Exchange {
  startedAt: number;
  time: string;
  protocol: Protocol;
  client: Client;
  streamed: boolean;
  /** Replies asked for at once. */
  choices: number;
  asked: string | null;
  model: GatewayModel | null;
  protocolOut: ProtocolName | null;
  request: Buffer | null;
  body: JsonValue;
  waitingMs: number;
  retries: number;
  /** True once the provider may have begun to work. */
  reached: boolean;
  metered: Metered | null;
  outcome: CallOutcome;
  blame: CallBlame | null;
  problem: string | null;
  requestId: string | null;
  notes: string[];
  /** A recording's own line, which then counts. */
  recorded: Record<string, unknown> | null;
}

export function beginExchange(protocol: Protocol, client: Client): Exchange {
  return {
    startedAt: performance.now(),
    time: new Date().toISOString(),
    protocol,
    client,
    streamed: false,
    choices: 1,
    asked: null,
    model: null,
    protocolOut: null,
    request: null,
    body: null,
    waitingMs: 0,
    retries: 0,
    reached: false,
    metered: null,
    outcome: "failed",
    blame: "harness",
    problem: "it did not end",
    requestId: null,
    notes: [],
    recorded: null,
  };
}

export function ended(
  exchange: Exchange,
  outcome: CallOutcome,
  blame: CallBlame | null,
  problem: string | null,
): void {
  Object.assign(exchange, { outcome, blame, problem });
}

/** Tells the client in its own protocol what is wrong; once a stream has begun, inside the stream. */
export async function tell(exchange: Exchange, problem: CallProblem, status?: number): Promise<void> {
  const { client, protocol } = exchange;
  if (client.gone.aborted) return;
  if (client.started) {
    const text = protocol.streamWriter(EMPTY_CALL).write({ type: "error", problem });
    await client.write(Buffer.from(text));
    client.end();
    return;
  }
  const written = protocol.writeError(problem, status);
  const bytes = Buffer.from(JSON.stringify(written.body));
  client.begin(written.status, { ...written.headers, "content-length": String(bytes.length) });
  await client.write(bytes);
  client.end();
}

const EMPTY_CALL = {
  model: "",
  system: [],
  messages: [],
  tools: [],
  toolChoice: null,
  settings: {},
  stream: true,
  notes: [],
};

/** The usage of a call: the provider's own, or an estimate where it said nothing or was cut off. */
function usageOf(exchange: Exchange): { usage: Usage | null; source: LedgerLine["usageSource"] } {
  const { metered, reached, outcome, client } = exchange;
  const broken = outcome !== "answered";
  if (metered?.usage != null && !broken) return { usage: metered.usage, source: "reported" };
  if (!reached) return { usage: null, source: null };
  // A call that was refused by the provider costs nothing; one that was cut off costs what had been said.
  if (broken && outcome !== "cancelled" && (metered === null || client.firstByteAt === null))
    return { usage: null, source: null };
  // Only the first of several replies is read.
  const output = estimatedTokens(metered?.outputCharacters ?? 0) * exchange.choices;
  if (metered?.usage != null)
    return {
      usage: { ...metered.usage, output: Math.max(output, metered.usage.output) },
      source: "estimated",
    };
  const inputUncached = estimatedTokens(exchange.request?.length ?? 0);
  return {
    usage: { inputUncached, cacheRead: 0, cacheWrite: 0, output, reasoning: 0 },
    source: "estimated",
  };
}

/** Writes the exchange down: ledger, transcript, recording. Returns what it cost. */
export function settle(exchange: Exchange, options: GatewayOptions): LedgerLine {
  const { client, model, metered, request } = exchange;
  if (client.kept().length < client.bytes) exchange.notes.push("the reply is too long to be kept");
  const { usage, source } = usageOf(exchange);
  const reported = metered?.reportedCost ?? null;
  const priced = usage === null || model === null ? null : costOf(usage, model.model.price);
  const cost = reported ?? priced;
  const now = performance.now();
  const line: Omit<LedgerLine, "seq"> = {
    time: exchange.time,
    role: model?.role ?? null,
    modelAsked: exchange.asked,
    model: model?.model.name ?? null,
    modelAnswered: metered?.model ?? null,
    protocolIn: exchange.protocol.name,
    protocolOut: exchange.protocolOut,
    streamed: exchange.streamed,
    outcome: exchange.outcome,
    blame: exchange.blame,
    problem: exchange.problem,
    status: client.status,
    usage,
    usageSource: source,
    cost,
    costSource: cost === null ? null : reported === null ? "price" : "reported",
    milliseconds: {
      waiting: rounded(exchange.waitingMs),
      firstByte: client.firstByteAt === null ? null : rounded(client.firstByteAt - exchange.startedAt),
      total: rounded(now - exchange.startedAt),
    },
    retries: exchange.retries,
    stopReason: metered?.stopReason ?? null,
    requestId: exchange.requestId ?? metered?.id ?? null,
    requestSha256: request === null ? null : createHash("sha256").update(request).digest("hex"),
    replySha256: client.sha256(),
    bytesIn: request?.length ?? 0,
    bytesOut: client.bytes,
    replayed: exchange.recorded !== null,
    notes: [...new Set(exchange.notes)],
    ...exchange.recorded,
  };
  const written = options.ledger.append(valueWithoutSecrets(line, options.secrets));
  // What was refused is in the ledger; its body could be anything, and any number of them.
  if (request !== null && exchange.outcome !== "refused") {
    options.transcripts.keep(written.seq, exchange.protocol.name, request, client.kept());
    record(exchange, options, written);
  }
  return written;
}

/** What a replay must reproduce; times are its own. */
const RECORDED_FIELDS = [
  ...([
    "model",
    "modelAnswered",
    "protocolOut",
    "outcome",
    "blame",
    "problem",
    "usage",
    "usageSource",
  ] as const),
  ...(["cost", "costSource", "retries", "stopReason", "requestId", "notes"] as const),
];

function record(
  exchange: Exchange,
  { recorder, lane, places, secrets }: GatewayOptions,
  line: LedgerLine,
): void {
  const { client, model, outcome } = exchange;
  if (recorder === null || model === null || outcome === "cancelled" || client.status === null) return;
  // What we refuse ourselves is refused again in a replay.
  if (outcome === "refused" || client.kept().length < client.bytes) return;
  const { key, parts } = requestKey(exchange.protocol.name, exchange.body, places);
  const ledger = Object.fromEntries(RECORDED_FIELDS.map((name) => [name, line[name]]));
  recorder.add(
    {
      lane: laneOf(lane, model.role),
      key,
      parts: valueWithoutSecrets(parts, secrets),
      protocol: exchange.protocol.name,
      status: client.status,
      contentType: client.contentType,
      ledger,
    },
    withoutSecrets(client.kept(), secrets),
  );
}

export function laneOf(lane: string, role: string): string {
  return `${lane}, ${role}`;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
