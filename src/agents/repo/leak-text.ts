import path from "node:path";
import { constants, gunzipSync } from "node:zlib";
import { readWindow } from "../../files/window.ts";

/** A notebook with its pictures has a few million characters. Of a larger file the beginning and the end are read. */
const MAX_BYTES = 32_000_000;
const MAX_END = 1_000_000;
const MAX_UNPACKED = 8_000_000;

/**
 * What an agent could read in a file, whatever the file is: text in one or two bytes for a character, text with noughts in
 * it, the names that stand in an archive or a pickle, and a packed text.
 */
export function readableText(root: string, file: string): string {
  const place = path.join(root, file);
  const head = readWindow(place, 0, MAX_BYTES);
  if (head === null) return "";
  const end = head.size > MAX_BYTES ? readWindow(place, "end", MAX_END)?.bytes : undefined;
  const whole = end === undefined ? head.bytes : Buffer.concat([head.bytes, Buffer.from("\n"), end]);
  return isPacked(whole) ? plain(unpacked(whole)) : plain(whole);
}

/** Without noughts, two bytes for a character read like one; every word of ours is in ASCII or in UTF-8. */
function plain(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}

const isPacked = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** As much as there is of it; of what would become too large, or is damaged further down, a beginning. */
function unpacked(bytes: Buffer): Buffer {
  for (let length = bytes.length; length > 0; length = Math.floor(length / 2)) {
    try {
      const part = bytes.subarray(0, length);
      return gunzipSync(part, { maxOutputLength: MAX_UNPACKED, finishFlush: constants.Z_SYNC_FLUSH });
    } catch {
      // Half of it, then.
    }
  }
  return Buffer.alloc(0);
}
