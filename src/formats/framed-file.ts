import { open } from "node:fs/promises";
import { type FormatProblem, unreadable } from "./format-problem.ts";

export type Framing = {
  /** How many bytes tell the length of a record. */
  headBytes: number;
  /** The whole record's length including the head, or null if the head makes no sense. */
  recordBytes(head: Buffer): number | null;
  /** A longer record is taken for damage, before memory is spent on it. */
  longestRecord: number;
};

const chunkBytes = 8 * 1024 * 1024;

/**
 * Visits each record of a file of length-prefixed records, in order, in bounded memory. The buffer handed out is reused:
 * a visitor that keeps bytes must copy them. A visitor may stop the reading by answering a problem.
 */
export async function readFramedFile(
  path: string,
  framing: Framing,
  visit: (record: Buffer) => FormatProblem | null,
): Promise<FormatProblem | null> {
  const file = await open(path, "r");
  try {
    let buffer = Buffer.allocUnsafe(chunkBytes);
    let filled = 0;
    let records = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, null);
      filled += bytesRead;
      let at = 0;
      let needed = framing.headBytes;
      while (filled - at >= framing.headBytes) {
        const length = framing.recordBytes(buffer.subarray(at, at + framing.headBytes));
        if (length === null || length < framing.headBytes || length > framing.longestRecord) {
          return unreadable(path, `has an impossible length before record ${records + 1}`);
        }
        needed = length;
        if (filled - at < length) break;
        const problem = visit(buffer.subarray(at, at + length));
        if (problem) return problem;
        at += length;
        records++;
        needed = framing.headBytes;
      }
      const left = filled - at;
      if (bytesRead === 0) return left === 0 ? null : unreadable(path, `is cut off in record ${records + 1}`);
      const next = needed > buffer.length ? Buffer.allocUnsafe(needed) : buffer;
      buffer.copy(next, 0, at, filled);
      buffer = next;
      filled = left;
    }
  } finally {
    await file.close();
  }
}
