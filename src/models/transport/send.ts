import http from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";

export interface ProviderRequest {
  url: URL;
  method: "POST" | "GET";
  headers: Record<string, string>;
  body: Uint8Array | null;
  signal: AbortSignal;
  /** Until the reply's head must be there; without it for ever. */
  patienceMs?: number;
}

export interface ProviderReply {
  status: number;
  /** Names in lower case. */
  headers: http.IncomingHttpHeaders;
  /** Ends, or fails when the connection breaks before the announced end. */
  stream: http.IncomingMessage;
}

/** Connections to providers are kept open and shared by all trials of a process. */
const plain = new http.Agent({ keepAlive: true, maxFreeSockets: 64, scheduling: "lifo" });
const secure = new https.Agent({ keepAlive: true, maxFreeSockets: 64, scheduling: "lifo" });

/**
 * Sends one request and settles when the reply's head is there. It has no time limit of its own: a model may think for an
 * hour before it says anything, and whoever calls holds the signal. Fails with a system error when no reply came.
 */
export function send(request: ProviderRequest): Promise<ProviderReply> {
  const { url, method, headers, body, signal, patienceMs } = request;
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === "https:";
    const sent = (isSecure ? https : http).request(url, {
      method,
      headers: { ...headers, ...(body === null ? {} : { "content-length": body.length }) },
      agent: isSecure ? secure : plain,
      signal,
    });
    // Small pieces of a stream must not wait for each other.
    sent.setNoDelay(true);
    sent.setSocketKeepAlive(true, 30_000);
    const patience = stallTimer(patienceMs, () =>
      sent.destroy(new Error(`it did not begin to answer for ${(patienceMs ?? 0) / 1000} s`)),
    );
    sent.once("response", (stream) => {
      patience.stop();
      resolve({ status: stream.statusCode ?? 0, headers: stream.headers, stream });
    });
    sent.once("error", (error) => {
      patience.stop();
      reject(error);
    });
    // Whoever changes to another protocol (status 101) ends the request without an error and without a reply.
    sent.once("close", () => {
      patience.stop();
      reject(new Error("it did not answer the request"));
    });
    sent.end(body ?? undefined);
  });
}

/** A reply that is longer than this is not one. */
export const MAX_REPLY_BYTES = 64 * 2 ** 20;

/** Reads a reply whole; throws when the connection breaks, when it stalls or when it never ends. */
export async function readWhole(
  stream: http.IncomingMessage,
  { maxBytes = MAX_REPLY_BYTES, stallMs }: { maxBytes?: number; stallMs?: number } = {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const stalled = stallTimer(stallMs, () =>
    stream.destroy(new Error("it stalled in the middle of its reply")),
  );
  try {
    for await (const chunk of stream) {
      stalled.again();
      length += (chunk as Buffer).length;
      if (length > maxBytes) throw new Error(`its reply is longer than ${maxBytes} bytes`);
      chunks.push(chunk as Buffer);
    }
  } finally {
    stalled.stop();
  }
  if (!stream.complete) throw new Error("the connection broke in the middle of its reply");
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

/** So much is held for a reader who is slower than the connection. */
const MAX_HELD_BYTES = 256 * 1024;

/**
 * The pieces of a stream as they come, and an error only behind all that came before it: a stream's own iterator drops what is
 * still unread when the connection breaks, which may be the very piece that says what the call cost.
 */
export async function* arrived(stream: Readable): AsyncGenerator<Buffer> {
  const pieces: Buffer[] = [];
  let held = 0;
  let end: "ended" | Error | null = null;
  let wake = () => {};
  const finish = (how: "ended" | Error) => {
    end ??= how;
    wake();
  };
  stream.on("data", (piece: Buffer) => {
    pieces.push(piece);
    held += piece.length;
    if (held > MAX_HELD_BYTES) stream.pause();
    wake();
  });
  stream.once("end", () => finish("ended"));
  stream.on("error", finish);
  stream.once("close", () => finish(new Error("the connection broke in the middle of its reply")));
  try {
    for (;;) {
      const piece = pieces.shift();
      if (piece !== undefined) {
        held -= piece.length;
        if (stream.isPaused() && held <= MAX_HELD_BYTES / 2) stream.resume();
        yield piece;
      } else if (end === "ended") return;
      else if (end !== null) throw end;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    stream.destroy();
  }
}

/** Runs `onStall` when nothing has happened for so long; without a time never. Between `hold` and the next call no time passes. */
export function stallTimer(milliseconds: number | undefined, onStall: () => void) {
  let left = milliseconds ?? 0;
  let from = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    clearTimeout(timer);
    if (milliseconds === undefined) return;
    from = performance.now();
    timer = setTimeout(onStall, left);
  };
  const stop = () => clearTimeout(timer);
  start();
  return {
    again() {
      left = milliseconds ?? 0;
      start();
    },
    hold() {
      stop();
      left = Math.max(0, left - (performance.now() - from));
    },
    goOn: start,
    stop,
  };
}
