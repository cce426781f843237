import type { FormatProblem } from "./format-problem.ts";
import { readFramedFile } from "./framed-file.ts";

const longestRecord = 512 * 1024 * 1024;

/**
 * Visits the payload of each TFRecord, valid during the visit only. The checksum of each length is verified, which keeps
 * the reader in step; that of the payload is not: it would cost minutes on 25 GB of pictures nobody decodes.
 */
export function readTfRecords(
  path: string,
  visit: (payload: Buffer) => FormatProblem | null,
): Promise<FormatProblem | null> {
  const framing = { headBytes: 12, recordBytes, longestRecord };
  return readFramedFile(path, framing, (record) => visit(record.subarray(12, record.length - 4)));
}

function recordBytes(head: Buffer): number | null {
  if (maskedCrc32c(head.subarray(0, 8)) !== head.readUInt32LE(8)) return null;
  const length = head.readBigUInt64LE(0);
  return length > BigInt(longestRecord) ? null : Number(length) + 16;
}

/**
 * The first bytes value of a feature of a tf.train.Example, or null. Only the path Example → features → entry → bytes
 * list is walked; a key that is there twice counts as the last one, as protobuf maps do.
 */
export function exampleBytes(payload: Buffer, feature: string): Buffer | null {
  let found: Buffer | null = null;
  for (const features of messageFields(payload, 1)) {
    for (const entry of messageFields(features, 1)) {
      const key = last(messageFields(entry, 1));
      if (key?.toString("utf8") !== feature) continue;
      const value = last(messageFields(entry, 2));
      const list = value && last(messageFields(value, 1));
      found = list ? (first(messageFields(list, 1)) ?? null) : null;
    }
  }
  return found;
}

/** The length-delimited fields of one number in a protobuf message; a damaged message ends early. */
function* messageFields(message: Buffer, wanted: number): Generator<Buffer> {
  for (let at = 0; at < message.length; ) {
    const tag = varint(message, at);
    if (tag === null) return;
    at = tag.next;
    const wire = tag.value & 7;
    if (wire === 2) {
      const length = varint(message, at);
      if (length === null || length.next + length.value > message.length) return;
      at = length.next + length.value;
      if (Math.floor(tag.value / 8) === wanted) yield message.subarray(length.next, at);
    } else if (wire === 0) {
      const value = varint(message, at);
      if (value === null) return;
      at = value.next;
    } else if (wire === 1 || wire === 5) {
      at += wire === 1 ? 8 : 4;
    } else {
      return;
    }
  }
}

function varint(bytes: Buffer, at: number): { value: number; next: number } | null {
  let value = 0;
  for (let i = 0; i < 10 && at + i < bytes.length; i++) {
    value += (bytes[at + i] & 0x7f) * 2 ** (7 * i);
    if (bytes[at + i] < 0x80) return { value, next: at + i + 1 };
  }
  return null;
}

function first<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}

function last<T>(items: Iterable<T>): T | undefined {
  let result: T | undefined;
  for (const item of items) result = item;
  return result;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

/** CRC-32C (Castagnoli, not zlib's polynomial), rotated and shifted as the format wants. */
function maskedCrc32c(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = crcTable[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
