import { closeSync, fstatSync, openSync } from "node:fs";
import { type ArchiveProblem, refuse } from "./archive-problem.ts";
import { readAt, toSafeNumber } from "./zip-numbers.ts";

const aes = Buffer.from([0x06, 0xf1, 0x07, 0x01]);
const longestHeaderRead = 1 << 16;

/**
 * What the outermost bytes of a 7z tell before 7-Zip is started. An archive with encrypted headers must be caught here:
 * 7-Zip as WebAssembly dies on it without a word.
 */
export function checkSevenZipHeader(path: string, label: string): ArchiveProblem | null {
  const fd = openSync(path, "r");
  try {
    const start = readAt(fd, 0, 32);
    if (start.length < 32) return refuse("TRUNCATED", label, null, "is cut off");
    const offset = toSafeNumber(start.readBigUInt64LE(12)) + 32;
    const size = toSafeNumber(start.readBigUInt64LE(20));
    if (offset + size > fstatSync(fd).size) return refuse("TRUNCATED", label, null, "is cut off");
    const header = readAt(fd, offset, Math.min(size, longestHeaderRead));
    // Property 23: the header proper is itself packed, and how is told here.
    const encrypted = header[0] === 23 && header.includes(aes);
    return encrypted ? refuse("ENCRYPTED", label, null, "is encrypted, names included") : null;
  } finally {
    closeSync(fd);
  }
}
