import fs from "node:fs";
import { readFully, writeFully } from "../files/whole-pieces.ts";

const FLUSH_BYTES = 2 * 2 ** 10;
/** All flush buffers together: with thousands of buckets each gets less. */
const ALL_FLUSH_BYTES = 8 * 2 ** 20;
const WORD = Uint32Array.BYTES_PER_ELEMENT;

/** Records of a few 32-bit words, collected in buckets and taken up again bucket by bucket. */
export interface RecordBuckets {
  put(bucket: number, first: number, second: number, third?: number): void;
  /** The words of a bucket's records in the order in which they were put, valid until the next is taken. Nothing may be put into it any more. */
  take(bucket: number): Uint32Array;
  /** Removes the temporary file. */
  close(): void;
}

/** However many records there are, memory is a small buffer for each bucket and the largest one; the rest waits in a temporary file. */
export function createRecordBuckets(path: string, count: number, width: 2 | 3): RecordBuckets {
  const bytesEach = Math.min(FLUSH_BYTES, ALL_FLUSH_BYTES / count);
  const capacity = Math.max(1, Math.floor(bytesEach / WORD / width)) * width;
  const buffers = Array.from({ length: count }, () => new Uint32Array(capacity));
  const used = new Uint32Array(count);
  const pieces = Array.from({ length: count }, (): number[] => []);
  const descriptor = fs.openSync(path, "wx+");
  let written = 0;
  let taken = new Uint32Array(0);

  const flush = (bucket: number) => {
    writeFully(descriptor, buffers[bucket], capacity * WORD, written * WORD);
    pieces[bucket].push(written);
    written += capacity;
    used[bucket] = 0;
  };
  return {
    put(bucket, first, second, third) {
      if (used[bucket] === capacity) flush(bucket);
      const buffer = buffers[bucket];
      let at = used[bucket];
      buffer[at++] = first;
      buffer[at++] = second;
      if (third !== undefined) buffer[at++] = third;
      used[bucket] = at;
    },
    take(bucket) {
      const length = pieces[bucket].length * capacity + used[bucket];
      // With room to spare: one bucket is often a little larger than the one before.
      if (length > taken.length) taken = new Uint32Array(1.5 * length);
      for (const [i, start] of pieces[bucket].entries()) {
        readFully(descriptor, taken, i * capacity * WORD, capacity * WORD, start * WORD);
      }
      taken.set(buffers[bucket].subarray(0, used[bucket]), pieces[bucket].length * capacity);
      return taken.subarray(0, length);
    },
    close() {
      fs.closeSync(descriptor);
      fs.rmSync(path);
    },
  };
}
