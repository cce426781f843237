import fs from "node:fs";
import type { AuditLimits } from "../audit-limits.ts";
import { matArrays } from "./mat-file.ts";
import type { PublicFile } from "./public-files.ts";

const TEXT = /\.(csv|tsv|json|jsonl|ndjson|geojson|txt|xml|html?|md|ya?ml|log|nmea|rtf|ini)$/i;

export function isTextName(name: string): boolean {
  return TEXT.test(name);
}

/**
 * What can be read in a file: a text up to the limit; of a MATLAB file all its texts; of anything else the two ends,
 * where metadata lies, without NULs, so that wide characters read like others.
 */
export function readableText({ path, location, bytes }: PublicFile, limits: AuditLimits): string {
  if (isTextName(path)) return readPart(location!, 0, Math.min(bytes, limits.textBytes)).toString("utf8");
  if (/\.mat$/i.test(path) && bytes <= limits.archiveBytes) {
    const arrays = matArrays(readPart(location!, 0, bytes));
    if (arrays !== null) return arrays.map(({ path, text }) => `${path} ${text}`).join("\n");
  }
  const head = readPart(location!, 0, Math.min(bytes, limits.headBytes));
  const tailStart = Math.max(head.length, bytes - limits.tailBytes);
  const tail = readPart(location!, tailStart, bytes - tailStart);
  return Buffer.concat([head, tail]).toString("latin1").replaceAll("\0", "");
}

/** Where a text stands in a file's first bytes; null when it is further on, or packed. */
export function offsetIn(file: PublicFile, text: string, limits: AuditLimits): number | null {
  const at = readPart(file.location!, 0, Math.min(file.bytes, limits.textBytes)).indexOf(text, 0, "utf8");
  return at < 0 ? null : at;
}

function readPart(location: string, start: number, length: number): Buffer {
  const buffer = Buffer.alloc(Math.max(0, length));
  const descriptor = fs.openSync(location, "r");
  try {
    let done = 0;
    while (done < buffer.length) {
      const count = fs.readSync(descriptor, buffer, done, buffer.length - done, start + done);
      if (count === 0) break;
      done += count;
    }
    return buffer.subarray(0, done);
  } finally {
    fs.closeSync(descriptor);
  }
}
