import type http from "node:http";
import type { Readable } from "node:stream";
import zlib from "node:zlib";
import type { CallProblem, JsonValue } from "../call.ts";
import { editBody } from "../protocols/edit-body.ts";
import type { Metered, Protocol } from "../protocols/protocol.ts";
import type { Pace } from "../transport/pace.ts";
import { type Attempt, type Tried, withRetries } from "../transport/retry.ts";
import {
  arrived,
  MAX_REPLY_BYTES,
  type ProviderReply,
  readWhole,
  send,
  stallTimer,
} from "../transport/send.ts";
import { brokenReply, invalid, REDIRECT, systemMessage } from "./problems.ts";

/** A request to a provider that is ready to be sent. */
export interface ProviderCall {
  protocol: Protocol;
  url: URL;
  headers: Record<string, string>;
  body: Buffer;
  pace: Pace;
  /** The trial that asks. */
  who: object;
  signal: AbortSignal;
  deadline: number;
  retryMs: number;
  tries: number;
  stallMs: number;
  streamBytes: number;
  onWaited(milliseconds: number): void;
  /** Whether the provider may be at work; false again once it has said no. */
  onReached(working: boolean): void;
  onNote(note: string): void;
}

export type Got =
  | { kind: "whole"; status: number; headers: http.IncomingHttpHeaders; bytes: Buffer; metered: Metered }
  /** The first bytes are here; whoever reads on must call `release` at the end. */
  | {
      kind: "stream";
      headers: http.IncomingHttpHeaders;
      chunks: AsyncGenerator<Buffer>;
      /** Ends the stream with this error. */
      cut: (error: Error) => void;
      release: () => void;
    }
  /** The provider's own refusal, which trying again does not change. */
  | {
      kind: "refused";
      status: number;
      headers: http.IncomingHttpHeaders;
      bytes: Buffer;
      problem: CallProblem;
    };

const MAX_ERROR_BYTES = 2 ** 20;
/** A model may think this many times longer before its first word than it may be silent after it. */
export const THINKING = 4;
/** Settings that models without sampling refuse; everything else a client sends is its own business. */
const DROPPABLE = new Set(["temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty"]);

/** Asks until there is an answer worth showing, or trying again cannot help. Nothing has reached the client then. */
export function askProvider(call: ProviderCall): Promise<Tried<Got>> {
  let { body } = call;
  const dropped = new Set<string>();

  async function attempt(): Promise<Attempt<Got>> {
    const from = performance.now();
    const release = await call.pace.take(call.signal, call.who).finally(() => {
      call.onWaited(performance.now() - from);
    });
    let kept = false;
    try {
      const got = await ask(call, body, release);
      if (got.status === "retry") call.onReached(false);
      if (got.status === "done" && got.value.kind === "stream") kept = true;
      if (got.status === "done" && got.value.kind === "refused") {
        const { code, param } = got.value.problem;
        const unsupported = code === "unsupported_parameter" || code === "unsupported_value";
        if (unsupported && param !== null && DROPPABLE.has(param) && !dropped.has(param)) {
          dropped.add(param);
          body = Buffer.from(editBody(body, { [param]: undefined }));
          call.onNote(`${param} was left out: the model does not take it`);
          release();
          return await attempt();
        }
      }
      return got;
    } finally {
      if (!kept) release();
    }
  }

  return withRetries(attempt, {
    deadline: call.deadline,
    signal: call.signal,
    firstWaitMs: call.retryMs,
    tries: call.tries,
    onAsked: (milliseconds) => call.pace.pause(milliseconds),
  });
}

async function ask(call: ProviderCall, body: Buffer, release: () => void): Promise<Attempt<Got>> {
  const { protocol, signal, stallMs } = call;
  let reply: ProviderReply;
  try {
    call.onReached(true);
    const patienceMs = stallMs * THINKING;
    reply = await send({ url: call.url, method: "POST", headers: call.headers, body, signal, patienceMs });
  } catch (error) {
    signal.throwIfAborted();
    return retry(brokenReply(`The provider cannot be reached: ${systemMessage(error)}.`));
  }
  const { status, headers } = reply;
  try {
    if (status > 299 && status < 400) return redirection(reply, call.url.href);
    if (status < 200 || status > 299) return await refusal(protocol, reply, stallMs);
    if (isEventStream(headers)) return await openStream(call, reply, release);
    const bytes = unpacked(await readWhole(reply.stream, { stallMs }), headers);
    const metered = meterWhole(protocol, bytes);
    if (metered.problem === null)
      return { status: "done", value: { kind: "whole", status, headers, bytes, metered } };
    const { problem } = metered;
    return problem.retryable
      ? retry(problem)
      : { status: "done", value: { kind: "refused", status: 502, headers, bytes, problem } };
  } catch (error) {
    reply.stream.destroy();
    signal.throwIfAborted();
    return retry(brokenReply(`The provider's reply broke off: ${systemMessage(error)}.`));
  }
}

/** Never followed: our key would go with it, to wherever it points. */
function redirection({ status, headers, stream }: ProviderReply, asked: string): Attempt<Got> {
  stream.destroy();
  const { location = "" } = headers;
  const to = URL.canParse(location, asked) ? new URL(location, asked).origin : "elsewhere";
  const message = `The provider's address only points to ${to} (status ${status}). Correct its base_url: a redirection is never followed.`;
  const found = invalid(message, { code: REDIRECT, status });
  const value = { kind: "refused" as const, status: 502, headers, bytes: Buffer.alloc(0), problem: found };
  return { status: "done", value };
}

async function refusal(protocol: Protocol, reply: ProviderReply, stallMs: number): Promise<Attempt<Got>> {
  const { status, headers, stream } = reply;
  const packed = await readWhole(stream, { maxBytes: MAX_ERROR_BYTES, stallMs }).catch(() => Buffer.alloc(0));
  const bytes = unpacked(packed, headers);
  const problem = protocol.readError(status, headers, bytes);
  const word = headers["x-should-retry"];
  if (word === "true" || word === "false") problem.retryable = word === "true" && problem.kind !== "billing";
  if (problem.retryable) return retry(problem);
  return { status: "done", value: { kind: "refused", status, headers, bytes, problem } };
}

/** Waits for the first bytes: a stream that begins with an error can still be asked for again. */
async function openStream(
  call: ProviderCall,
  { headers, stream }: ProviderReply,
  release: () => void,
): Promise<Attempt<Got>> {
  const { protocol, signal } = call;
  const chunks = chunksOf(stream, headers, call);
  const first = await chunks.next();
  if (first.done) return retry(brokenReply("The provider's stream ended before it began."));
  if (looksLikeError(first.value)) {
    const meter = protocol.meter(true);
    meter.push(first.value);
    const { problem } = meter.end();
    if (problem?.retryable && problem.kind !== "broken") {
      stream.destroy();
      signal.throwIfAborted();
      return retry(problem);
    }
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield first.value as Buffer;
      yield* chunks;
    } finally {
      stream.destroy();
    }
  }
  const cut = (error: Error) => void stream.destroy(error);
  return { status: "done", value: { kind: "stream", headers, chunks: all(), cut, release } };
}

async function* chunksOf(
  stream: http.IncomingMessage,
  headers: http.IncomingHttpHeaders,
  { stallMs, streamBytes }: ProviderCall,
): AsyncGenerator<Buffer> {
  const stalled = stallTimer(stallMs, () =>
    stream.destroy(new Error(`it said nothing for ${stallMs / 1000} s`)),
  );
  const plain = decoder(headers);
  try {
    const source: Readable = plain === null ? stream : stream.pipe(plain);
    if (plain !== null) stream.on("error", (error) => plain.destroy(error));
    let bytes = 0;
    for await (const chunk of arrived(source)) {
      bytes += chunk.length;
      if (bytes > streamBytes) throw new Error(`it does not end: ${bytes} bytes have come`);
      // A client that is slow to read is not the provider's silence.
      stalled.hold();
      yield chunk;
      stalled.again();
    }
    if (!stream.complete) throw new Error("the connection broke in the middle of its reply");
  } finally {
    stalled.stop();
  }
}

function looksLikeError(chunk: Buffer): boolean {
  return /^\s*(event:\s*error|data:\s*\{\s*"(type"\s*:\s*")?error")/.test(
    chunk.subarray(0, 200).toString("latin1"),
  );
}

function meterWhole(protocol: Protocol, bytes: Buffer): Metered {
  const meter = protocol.meter(false);
  meter.push(bytes);
  return meter.end();
}

/** A few kilobytes can be gigabytes. */
const UNPACKED = { maxOutputLength: MAX_REPLY_BYTES };

/** We ask for plain replies; who packs them all the same is unpacked. */
function unpacked(bytes: Buffer, headers: http.IncomingHttpHeaders): Buffer {
  switch (headers["content-encoding"]) {
    case "gzip":
      return zlib.gunzipSync(bytes, UNPACKED);
    case "deflate":
      return zlib.inflateSync(bytes, UNPACKED);
    case "br":
      return zlib.brotliDecompressSync(bytes, UNPACKED);
    default:
      return bytes;
  }
}

function decoder(
  headers: http.IncomingHttpHeaders,
): zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress | null {
  switch (headers["content-encoding"]) {
    case "gzip":
      return zlib.createGunzip();
    case "deflate":
      return zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    default:
      return null;
  }
}

function isEventStream(headers: http.IncomingHttpHeaders): boolean {
  return headers["content-type"]?.includes("event-stream") === true;
}

export function parseJson(bytes: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(bytes.toString("utf8")) as JsonValue;
  } catch {
    return undefined;
  }
}

function retry(problem: CallProblem): Attempt<Got> {
  return { status: "retry", problem };
}
