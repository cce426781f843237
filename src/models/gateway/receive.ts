import type http from "node:http";
import zlib from "node:zlib";
import type { JsonValue } from "../call.ts";

/** Conversations with pictures are large; what is larger than this is not a conversation. */
const MAX_REQUEST_BYTES = 64 * 2 ** 20;

export type Received =
  | { status: "received"; bytes: Buffer; body: JsonValue }
  | { status: "refused"; code: number; message: string };

/** What all requests of a gateway may hold together: one agent must not exhaust the memory of a harness of many. */
const MAX_TOGETHER_BYTES = 256 * 2 ** 20;

/** The bytes of requests that are under way. */
export interface Intake {
  bytes: number;
}

/** Reads a request's body whole, unpacks it and parses it. Whoever asks gives the bytes back when the call is over. */
export async function receiveBody(
  request: http.IncomingMessage,
  intake: Intake,
  onBytes: (bytes: number) => void = () => {},
): Promise<Received> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    intake.bytes += (chunk as Buffer).length;
    onBytes((chunk as Buffer).length);
    if (intake.bytes > MAX_TOGETHER_BYTES)
      return refused(413, `All requests at a time may have ${MAX_TOGETHER_BYTES} bytes together.`);
    if (length > MAX_REQUEST_BYTES) return refused(413, `A request may have ${MAX_REQUEST_BYTES} bytes.`);
    chunks.push(chunk as Buffer);
  }
  const packed = Buffer.concat(chunks);
  const bytes = await unpack(packed, request.headers["content-encoding"]);
  if (typeof bytes === "string") return refused(400, bytes);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refused(400, "The body is not valid UTF-8.");
  }
  try {
    return { status: "received", bytes, body: JSON.parse(text) as JsonValue };
  } catch (error) {
    return refused(400, `The body is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

async function unpack(packed: Buffer, encoding: string | undefined): Promise<Buffer | string> {
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
