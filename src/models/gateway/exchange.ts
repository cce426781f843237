import { createHash } from "node:crypto";
import type { CallProblem, JsonValue, ProtocolName, Usage } from "../call.ts";
import { requestKey } from "../cassettes/key.ts";
import type { CallBlame, CallOutcome, LedgerLine } from "../ledger/schema.ts";
import { valueWithoutSecrets, withoutSecrets } from "../masking.ts";
import { priceOf } from "../prices/answered.ts";
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
  /** Tokens of the request at most, once it is known. */
  mostInput: number;
  /** What the reply may hold at most, once it is known. */
  mostOutput: number;
  waitingMs: number;
  retries: number;
  /** The provider was asked to tell its usage, which the client has not asked for. */
  usageAdded: boolean;
  /** True while the provider may be at work, and once it has answered. */
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
    mostInput: 0,
    mostOutput: 0,
    waitingMs: 0,
    retries: 0,
    usageAdded: false,
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
  // A client that went away at the end of the reply has had all of it.
  const isWhole = outcome === "answered" || (outcome === "cancelled" && metered?.stopReason != null);
  const broken = !isWhole;
  if (metered?.usage != null && !broken) return { usage: metered.usage, source: "reported" };
  if (!reached) return { usage: null, source: null };
  // A call that was refused by the provider costs nothing; one that was cut off costs what had been said.
  if (broken && outcome !== "cancelled" && (metered === null || client.firstByteAt === null))
    return { usage: null, source: null };
  // Only the first of several replies is read.
  const said = estimatedTokens(metered?.outputCharacters ?? 0) * exchange.choices;
  const output = outcome === "cancelled" ? Math.max(said, unseenOutput(exchange)) : said;
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

/** Tokens a second: what most models write, and what thinking costs that nobody is shown. */
const USUAL_SPEED = 50;

/** Who goes away before the end has not heard what it cost: a model was at work all the time. */
function unseenOutput({ startedAt, waitingMs, mostOutput }: Exchange): number {
  const seconds = Math.max(0, performance.now() - startedAt - waitingMs) / 1000;
  return Math.min(mostOutput, Math.round(seconds * USUAL_SPEED));
}

/** Writes the exchange down: ledger, transcript, recording. Returns what it cost. */
export function settle(exchange: Exchange, options: GatewayOptions): LedgerLine {
  const { client, model, metered, request } = exchange;
  if (client.kept().length < client.bytes) exchange.notes.push("the reply is too long to be kept");
  if (exchange.outcome !== "refused" && options.recorder?.isFull())
    exchange.notes.push("not recorded: the cassette is full");
  const { usage, source } = usageOf(exchange);
  const reported = metered?.reportedCost ?? null;
  const price = model === null ? null : priceOf(model.model, metered?.model ?? null, exchange.notes);
  const priced = usage === null ? null : costOf(usage, price);
  const cost = reported ?? priced;
  const now = performance.now();
  const line: Omit<LedgerLine, "seq"> = {
    time: exchange.time,
    role: model?.role ?? null,
    modelAsked: clipped(exchange.asked),
    model: model?.model.name ?? null,
    modelAnswered: clipped(metered?.model ?? null),
    protocolIn: exchange.protocol.name,
    protocolOut: exchange.protocolOut,
    streamed: exchange.streamed,
    outcome: exchange.outcome,
    blame: exchange.blame,
    problem: clipped(exchange.problem, MAX_PROBLEM),
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
    requestId: clipped(exchange.requestId ?? metered?.id ?? null),
    requestSha256: request === null ? null : createHash("sha256").update(request).digest("hex"),
    replySha256: client.sha256(),
    bytesIn: request?.length ?? 0,
    bytesOut: client.bytes,
    replayed: exchange.recorded !== null,
    notes: [...new Set(exchange.notes)].slice(0, MAX_NOTES).map((note) => clipped(note, MAX_PROBLEM)),
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

/** Agents and providers choose these words; a line of the ledger is a line all the same. */
const MAX_NAME = 200;
const MAX_PROBLEM = 2000;
const MAX_NOTES = 50;

function clipped<T extends string | null>(text: T, most = MAX_NAME): T | string {
  return text === null || text.length <= most ? text : `${text.slice(0, most)}…`;
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
