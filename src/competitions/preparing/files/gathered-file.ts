import fs from "node:fs";
import { createChunkedFile } from "../../../table/csv/chunked-file.ts";
import { readFully, writeFully } from "./whole-pieces.ts";

const BUCKET_BYTES = 8 * 2 ** 20;
const FLUSH_BYTES = 16 * 2 ** 10;
/** Each has a flush buffer; beyond this the buckets become larger instead. */
const MAX_BUCKETS = 512;
const PIECE_BYTES = 2 ** 20;
const RECORD_HEAD = 8;
/** A call into the runtime costs more than a loop up to here, and leaves garbage. */
const LOOPED_BYTES = 256;

/** A file whose rows arrive in one order and are to be written in another. */
export interface GatheredFile {
  /** Hands over the row at a position of the file. The bytes are copied. */
  put(position: number, bytes: Uint8Array, start: number, end: number): void;
  /** Writes the file, a part at each step. Every position must have been put once. */
  finish(): Generator<void>;
  /** Removes the temporary file. Harmless when repeated. */
  close(): void;
}

interface Bucket {
  bytes: Buffer;
  used: number;
  /** Where its earlier pieces lie in the spill file: offset and length of each, one after the other, for there may be very many. */
  readonly pieces: number[];
}

/**
 * Collects rows in buckets of neighbouring positions, spills full buckets to one temporary file, and at the end sorts bucket by bucket.
 * All disk access is in large pieces, and memory is one bucket plus a flush buffer for each, however long the file: picking the rows
 * from the source one by one would be a seek per row.
 */
export function createGatheredFile(
  path: string,
  header: Uint8Array,
  rowCount: number,
  expectedBytes: number,
  spillPath: string,
): GatheredFile {
  const count = Math.max(1, Math.min(rowCount, MAX_BUCKETS, Math.ceil(expectedBytes / BUCKET_BYTES)));
  const rowsEach = Math.max(1, Math.ceil(rowCount / count));
  const buckets: Bucket[] = Array.from({ length: count }, () => ({
    bytes: Buffer.allocUnsafe(FLUSH_BYTES),
    used: 0,
    pieces: [],
  }));
  let spill = -1;
  let spilled = 0;

  const makeRoom = (bucket: Bucket, needed: number) => {
    if (count === 1 || needed > FLUSH_BYTES) {
      const larger = Buffer.allocUnsafe(Math.max(bucket.bytes.length * 2, bucket.used + needed));
      bucket.bytes.copy(larger, 0, 0, bucket.used);
      bucket.bytes = larger;
      return;
    }
    if (spill === -1) spill = fs.openSync(spillPath, "wx+");
    writeFully(spill, bucket.bytes, bucket.used, spilled);
    bucket.pieces.push(spilled, bucket.used);
    spilled += bucket.used;
    bucket.used = 0;
  };

  return {
    put(position, bytes, start, end) {
      const number = Math.floor(position / rowsEach);
      const bucket = buckets[number];
      const length = end - start;
      if (bucket.used + RECORD_HEAD + length > bucket.bytes.length) makeRoom(bucket, RECORD_HEAD + length);
      const target = bucket.bytes;
      const at = bucket.used;
      writeUint(target, at, position - number * rowsEach);
      writeUint(target, at + 4, length);
      copyBytes(bytes, start, end, target, at + RECORD_HEAD);
      bucket.used = at + RECORD_HEAD + length;
    },
    *finish() {
      const file = createChunkedFile(path);
      try {
        file.writeBytes(header);
        const largest = Math.max(...buckets.map(sizeOf));
        const writeSorted = createSorter(rowsEach, largest, (bytes) => file.writeBytes(bytes));
        for (const bucket of buckets) {
          writeSorted(bucket, spill);
          yield;
        }
      } finally {
        file.close();
      }
    },
    close() {
      if (spill === -1) return;
      fs.closeSync(spill);
      fs.rmSync(spillPath);
      spill = -1;
    },
  };
}

function sizeOf({ used, pieces }: Bucket): number {
  let size = used;
  for (let i = 1; i < pieces.length; i += 2) size += pieces[i];
  return size;
}

/** Writes the rows of one bucket after another in order, in the same memory each time. */
function createSorter(
  rows: number,
  largest: number,
  write: (bytes: Uint8Array) => void,
): (bucket: Bucket, spill: number) => void {
  const starts = new Uint32Array(rows);
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  // Once, for the largest: what a growing buffer leaves behind would be the peak of the whole preparation.
  const memory = Buffer.allocUnsafe(largest);

  const collected = (bucket: Bucket, spill: number): Buffer => {
    if (bucket.pieces.length === 0) return bucket.bytes.subarray(0, bucket.used);
    let used = 0;
    for (let i = 0; i < bucket.pieces.length; i += 2) {
      readFully(spill, memory, used, bucket.pieces[i + 1], bucket.pieces[i]);
      used += bucket.pieces[i + 1];
    }
    bucket.bytes.copy(memory, used, 0, bucket.used);
    return memory.subarray(0, used + bucket.used);
  };

  return (bucket, spill) => {
    const arrived = collected(bucket, spill);
    bucket.bytes = Buffer.alloc(0);
    let last = -1;
    for (let at = 0; at < arrived.length; at += RECORD_HEAD + readUint(arrived, at + 4)) {
      const position = readUint(arrived, at);
      starts[position] = at;
      if (position > last) last = position;
    }
    let filled = 0;
    for (let position = 0; position <= last; position++) {
      const start = starts[position] + RECORD_HEAD;
      const end = start + readUint(arrived, start - 4);
      if (filled + end - start > PIECE_BYTES) {
        write(piece.subarray(0, filled));
        filled = 0;
      }
      if (end - start > PIECE_BYTES) write(arrived.subarray(start, end));
      else {
        copyBytes(arrived, start, end, piece, filled);
        filled += end - start;
      }
    }
    write(piece.subarray(0, filled));
  };
}

function readUint(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

function writeUint(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (end - start > LOOPED_BYTES) to.set(from.subarray(start, end), at);
  else for (let i = start, j = at; i < end; i++, j++) to[j] = from[i];
}
