import { readSync } from "node:fs";

/** Reads up to `length` bytes; fewer at the end of the file. */
export function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const count = readSync(fd, buffer, got, length - got, position + got);
    if (count === 0) break;
    got += count;
  }
  return buffer.subarray(0, got);
}

/** A 64-bit size. One beyond 2^53 is a lie: it becomes Infinity, which fails every bound it is checked against. */
export function toSafeNumber(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value);
}
