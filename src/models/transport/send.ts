import http from "node:http";
import https from "node:https";

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
    sent.end(body ?? undefined);
  });
}

/** A reply that is longer than this is not one. */
const MAX_REPLY_BYTES = 64 * 2 ** 20;

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

/** Runs `onStall` when nothing has happened for so long; without a time never. */
export function stallTimer(milliseconds: number | undefined, onStall: () => void) {
  let timer = milliseconds === undefined ? undefined : setTimeout(onStall, milliseconds);
  return {
    again: () => void timer?.refresh(),
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
