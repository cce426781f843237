import type { IncomingMessage, ServerResponse } from "node:http";
import zlib from "node:zlib";

/** Nothing from elsewhere, no inline script; only widths of bars are set in attributes. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

const SMALL = 1400;

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const packs = bytes.length > SMALL && /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const content = packs ? zlib.gzipSync(bytes, { level: 5 }) : bytes;
  response.writeHead(status, {
    ...HEADERS,
    "content-type": type,
    "content-length": content.length,
    ...(packs ? { "content-encoding": "gzip" } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : content);
}

export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  value: unknown,
): void {
  send(request, response, status, "application/json; charset=utf-8", JSON.stringify(value, finiteOnly));
}

/** JSON knows neither NaN nor infinities. */
function finiteOnly(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}
