import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import type { Seen } from "./code-view.ts";

/** Shorter ones are keys and digests. */
const MIN_LENGTH = 40;
const MAX_BYTES = 4_000_000;

/** What stands in texts as base64 or in hexadecimal digits, packed or not, where it is text again. */
export function unpacked(strings: readonly (Seen & { value: string })[]): (Seen & { value: string })[] {
  return strings.flatMap(({ value, ...seen }) => {
    const plain = value.replace(/\\n|\s+/g, "");
    if (plain.length < MIN_LENGTH || plain.length > MAX_BYTES) return [];
    const bytes = /^(0x)?([\da-f]{2})+$/i.test(plain)
      ? Buffer.from(plain.replace(/^0x/i, ""), "hex")
      : /^[\w+/-]+={0,2}$/.test(plain)
        ? Buffer.from(plain, "base64")
        : null;
    if (bytes === null) return [];
    const text = [bytes, ...opened(bytes)].map((one) => one.toString("utf8")).find(isText);
    return text === undefined ? [] : [{ ...seen, value: text }];
  });
}

function opened(bytes: Buffer): Buffer[] {
  return [inflateSync, gunzipSync, inflateRawSync].flatMap((open) => {
    try {
      return [open(bytes, { maxOutputLength: MAX_BYTES })];
    } catch {
      return [];
    }
  });
}

const isText = (text: string) => text.length > 0 && !/[^\t\n\r\x20-\x7e\u00a0-\ufffc]/.test(text);
