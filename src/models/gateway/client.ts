import { createHash } from "node:crypto";
import { once } from "node:events";
import type http from "node:http";

/** A client that is slower than its provider may have so much still to read; beyond it the provider waits. */
const MAX_UNREAD_BYTES = 512 * 1024;

/** What is kept of a reply for transcripts and recordings. */
const MAX_KEPT_BYTES = 32 * 2 ** 20;

/** The client's side of an exchange: everything that is written to it is counted and kept. */
export interface Client {
  /** Aborted when the client goes away before its reply is complete. */
  readonly gone: AbortSignal;
  readonly started: boolean;
  readonly status: number | null;
  readonly contentType: string;
  readonly firstByteAt: number | null;
  readonly bytes: number;
  begin(status: number, headers: Record<string, string>): void;
  /** Waits while the client has much to read. */
  write(chunk: Uint8Array): Promise<void>;
  /** Bytes that are not part of the reply, such as those that keep it alive. */
  writeAside(text: string): void;
  end(): void;
  /** Cuts the connection: what came so far must not look whole. */
  cut(): void;
  sha256(): string | null;
  kept(): Buffer;
}

/** `patienceMs`: whoever reads nothing for so long has gone. */
export function clientOf(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  patienceMs: number,
): Client {
  const gone = new AbortController();
  const hash = createHash("sha256");
  const chunks: Uint8Array[] = [];
  let keptBytes = 0;
  let bytes = 0;
  let firstByteAt: number | null = null;
  let status: number | null = null;
  let contentType = "";
  let finished = false;
  const leave = () => {
    if (!finished) gone.abort(new Error("The client went away before its reply was complete."));
  };
  const { socket } = request;
  response.once("close", () => {
    leave();
    socket.off("close", leave);
  });
  response.on("error", leave);
  // The second request on a connection whose first one is not answered yet hears nothing of its own.
  socket.once("close", leave);
  return {
    gone: gone.signal,
    get started() {
      return status !== null;
    },
    get status() {
      return status;
    },
    get contentType() {
      return contentType;
    },
    get firstByteAt() {
      return firstByteAt;
    },
    get bytes() {
      return bytes;
    },
    begin(code, headers) {
      status = code;
      contentType = headers["content-type"] ?? "";
      response.writeHead(code, headers);
      response.flushHeaders();
    },
    async write(chunk) {
      if (chunk.length === 0 || gone.signal.aborted) return;
      firstByteAt ??= performance.now();
      bytes += chunk.length;
      hash.update(chunk);
      if (keptBytes + chunk.length <= MAX_KEPT_BYTES) {
        chunks.push(chunk);
        keptBytes += chunk.length;
      }
      if (response.write(chunk) || response.writableLength < MAX_UNREAD_BYTES) return;
      const waiting = new AbortController();
      const stop = () => waiting.abort();
      const patience = setTimeout(() => {
        gone.abort(new Error(`The client has read nothing for ${patienceMs / 1000} s.`));
        response.destroy();
      }, patienceMs);
      gone.signal.addEventListener("abort", stop, { once: true });
      await once(response, "drain", { signal: waiting.signal }).catch(() => {});
      gone.signal.removeEventListener("abort", stop);
      clearTimeout(patience);
    },
    writeAside(text) {
      if (!gone.signal.aborted) response.write(text);
    },
    end() {
      finished = true;
      response.end();
    },
    cut() {
      finished = true;
      // What was written last is on its way only after this turn of the loop.
      setImmediate(() => response.destroy());
    },
    sha256: () => (bytes === 0 ? null : hash.copy().digest("hex")),
    kept: () => Buffer.concat(chunks),
  };
}
