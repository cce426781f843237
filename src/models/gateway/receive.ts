import type http from "node:http";
import zlib from "node:zlib";
import type { JsonValue } from "../call.ts";
import { shapeOf } from "../transcripts/split.ts";
import { counted, type Intake, takeTurn } from "./intake.ts";

/** Conversations with pictures are large; what is larger than this is not a conversation. */
const MAX_REQUEST_BYTES = 64 * 2 ** 20;

export type Received =
  | { status: "received"; bytes: Buffer; body: JsonValue }
  | { status: "refused"; code: number; message: string };

/** What all requests of a gateway may hold together: one agent must not exhaust the memory of a harness of many. */
const MAX_TOGETHER_BYTES = 256 * 2 ** 20;

/** Ten times what the longest conversations have; each of them costs time that all trials share. */
const MAX_VALUES = 250_000;

/** What a value takes once it is parsed. */
const BYTES_PER_VALUE = 64;

/** Deeper than any conversation or schema, and harmless for whoever walks over it. */
const MAX_DEPTH = 200;

interface Receiving {
  intake: Intake;
  signal: AbortSignal;
  /** Held in memory; whoever asks gives them back when the call is over. */
  onBytes(bytes: number): void;
  onWaited?(milliseconds: number): void;
}

/** Reads a request's body whole, unpacks it, looks at its shape and only then parses it. */
export async function receiveBody(
  request: http.IncomingMessage,
  { intake, signal, onBytes, onWaited }: Receiving,
): Promise<Received> {
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (bytes: number): boolean => {
    intake.bytes += bytes;
    onBytes(bytes);
    return intake.bytes <= MAX_TOGETHER_BYTES;
  };
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (!take((chunk as Buffer).length)) return tooMuch();
    if (length > MAX_REQUEST_BYTES) return refused(413, `A request may have ${MAX_REQUEST_BYTES} bytes.`);
    chunks.push(chunk as Buffer);
  }
  const from = performance.now();
  await takeTurn(intake, signal);
  onWaited?.(performance.now() - from);
  return counted(intake, () => open(Buffer.concat(chunks), request.headers["content-encoding"], take));
}

function open(packed: Buffer, encoding: string | undefined, take: (bytes: number) => boolean): Received {
  const bytes = unpack(packed, encoding);
  if (typeof bytes === "string") return refused(400, bytes);
  const { depth, values, duplicateKey } = shapeOf(bytes, MAX_VALUES);
  if (values > MAX_VALUES) return refused(413, `The body has more than ${MAX_VALUES} values.`);
  if (depth > MAX_DEPTH)
    return refused(400, `The body has more than ${MAX_DEPTH} objects inside each other.`);
  if (!take(bytes.length - packed.length + values * BYTES_PER_VALUE)) return tooMuch();
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refused(400, "The body is not valid UTF-8.");
  }
  let body: JsonValue;
  try {
    body = JSON.parse(text) as JsonValue;
  } catch (error) {
    return refused(400, `The body is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  if (duplicateKey !== null)
    return refused(400, `The body has the key "${duplicateKey.slice(0, 100)}" twice in one object.`);
  return { status: "received", bytes, body };
}

function tooMuch(): Received {
  return refused(413, `All requests at a time may take ${MAX_TOGETHER_BYTES} bytes together.`);
}

function unpack(packed: Buffer, encoding: string | undefined): Buffer | string {
  const options = { maxOutputLength: MAX_REQUEST_BYTES };
  try {
    switch (encoding?.toLowerCase()) {
      case undefined:
      case "":
      case "identity":
        return packed;
      case "gzip":
        return zlib.gunzipSync(packed, options);
      case "deflate":
        return zlib.inflateSync(packed, options);
      case "br":
        return zlib.brotliDecompressSync(packed, options);
      default:
        return `The body is packed as ${encoding}; send it plain, or as gzip, deflate or br.`;
    }
  } catch (error) {
    return `The body cannot be unpacked: ${(error as Error).message}`;
  }
}

function refused(code: number, message: string): Received {
  return { status: "refused", code, message };
}
