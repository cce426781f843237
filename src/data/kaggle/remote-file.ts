import type { IncomingHttpHeaders } from "node:http";
import type { RemoteFile } from "./partial-file.ts";

/** The size of the whole file that a 200 announces, or null. */
export function announcedSize(headers: IncomingHttpHeaders): number | null {
  const text = headers["content-length"];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The md5 of the whole file, in hexadecimal, from a 200: Google's own header first, then the standard one. */
export function announcedMd5(headers: IncomingHttpHeaders): string | null {
  const google = /(?:^|,)\s*md5=([A-Za-z0-9+/]{22}==)/.exec(String(headers["x-goog-hash"] ?? ""))?.[1];
  const standard = /^[A-Za-z0-9+/]{22}==$/.exec(String(headers["content-md5"] ?? "").trim())?.[0];
  const base64 = google ?? standard;
  return base64 === undefined ? null : Buffer.from(base64, "base64").toString("hex");
}

/** What a later attempt needs to recognise the file, or null when the server gives it nothing to do so. */
export function recognisable(headers: IncomingHttpHeaders): RemoteFile | null {
  const size = announcedSize(headers);
  const validator = validatorOf(headers);
  if (size === null || validator === null) return null;
  return { validator, size, md5: announcedMd5(headers) };
}

/** Whether a 206 goes on exactly where our part ends, in a file that is still the same. */
export function continues(headers: IncomingHttpHeaders, at: number, remote: RemoteFile): boolean {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers["content-range"] ?? "");
  if (range === null) return false;
  const [first, last, total] = range.slice(1).map(Number);
  // A server may leave the validator out of a 206; if it is there, it has to be the same.
  const { etag } = headers;
  const sameEtag = etag === undefined || !remote.validator.startsWith('"') || etag === remote.validator;
  return first === at && last === remote.size - 1 && total === remote.size && sameEtag;
}

/** A weak ETag only promises equal meaning, not equal bytes, so If-Range may not carry it. */
function validatorOf({ etag, "last-modified": lastModified }: IncomingHttpHeaders): string | null {
  if (etag?.startsWith('"')) return etag;
  return lastModified ?? null;
}
