import fs from "node:fs";
import type { Mt19937 } from "../../../random/mt19937.ts";
import { shufflePartners } from "../../../random/numpy-legacy.ts";
import type { Preparation } from "../../preparer.ts";
import { readFully, writeFully } from "../files/whole-pieces.ts";
import { pause } from "../pause.ts";

const BUCKET_BITS = 14;
const BUCKET = 2 ** BUCKET_BITS;
const NONE = -1;

/**
 * Writes, for each item, the place where numpy's permutation puts it, as 32-bit numbers in a file. It is drawn in the memory of a few blocks
 * of items, however many there are, for the shuffle only ever looks downwards: item i changes places with an item j ≤ i, from the last
 * i to the first. So all that can happen to place i has happened when its turn comes, and what it hands to j waits in j's
 * bucket until the shuffle arrives there.
 */
export async function storePermutation(
  preparation: Pick<Preparation, "progress" | "signal">,
  file: string,
  generator: Mt19937,
  count: number,
): Promise<void> {
  const buckets = Math.ceil(count / BUCKET);
  const moves = createRecordBuckets(`${file}.moves`, buckets, 3);
  const places = createRecordBuckets(`${file}.places`, buckets, 2);
  try {
    const shuffleBucket = createShuffler(shufflePartners(generator, count), places.put, moves.put);
    for (let bucket = buckets - 1; bucket >= 0; bucket--) {
      shuffleBucket(bucket, Math.min(count, (bucket + 1) * BUCKET), moves.take(bucket));
      preparation.progress({ what: "drawing the split", done: buckets - bucket, total: buckets });
      await pause(preparation);
    }
    writePlaces(file, places, buckets);
  } finally {
    moves.close();
    places.close();
  }
}

function writePlaces(file: string, places: RecordBuckets, buckets: number): void {
  const descriptor = fs.openSync(file, "wx");
  try {
    const window = new Uint32Array(BUCKET);
    for (let bucket = 0; bucket < buckets; bucket++) {
      const pairs = places.take(bucket);
      for (let i = 0; i < pairs.length; i += 2) window[pairs[i] % BUCKET] = pairs[i + 1];
      fs.writeFileSync(descriptor, window.subarray(0, pairs.length / 2));
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

type Put = RecordBuckets["put"];

/** Shuffles the places of one bucket, from the last to the first: tells which item ends where, and hands on what goes to earlier buckets. */
function createShuffler(partnerOf: (place: number) => number, putPlace: Put, putMove: Put) {
  // What waits for each place of the bucket, first come first served: lists linked by index.
  const first = new Int32Array(BUCKET);
  const last = new Int32Array(BUCKET);
  let waiting = { from: new Uint32Array(0), item: new Uint32Array(0), next: new Int32Array(0) };
  let used = 0;
  const wait = (place: number, from: number, item: number) => {
    waiting.from[used] = from;
    waiting.item[used] = item;
    waiting.next[used] = NONE;
    if (first[place] === NONE) first[place] = used;
    else waiting.next[last[place]] = used;
    last[place] = used++;
  };
  return (bucket: number, end: number, arrived: Uint32Array): void => {
    const start = bucket * BUCKET;
    const most = arrived.length / 3 + BUCKET;
    if (most > waiting.from.length) {
      const room = 1.5 * most;
      waiting = { from: new Uint32Array(room), item: new Uint32Array(room), next: new Int32Array(room) };
    }
    first.fill(NONE);
    used = 0;
    for (let i = 0; i < arrived.length; i += 3) wait(arrived[i] - start, arrived[i + 1], arrived[i + 2]);
    for (let place = end - 1; place >= start; place--) {
      let item = place;
      for (let at = first[place - start]; at !== NONE; at = waiting.next[at]) {
        putPlace(item >>> BUCKET_BITS, item, waiting.from[at]);
        item = waiting.item[at];
      }
      const partner = place === 0 ? 0 : partnerOf(place);
      if (partner === place) putPlace(item >>> BUCKET_BITS, item, place);
      else if (partner >= start) wait(partner - start, place, item);
      else putMove(partner >>> BUCKET_BITS, partner, place, item);
    }
  };
}

const FLUSH_BYTES = 2 * 2 ** 10;
/** All flush buffers together: with thousands of buckets each gets less. */
const ALL_FLUSH_BYTES = 8 * 2 ** 20;
const WORD = Uint32Array.BYTES_PER_ELEMENT;

/** Records of a few 32-bit words, collected in buckets and taken up again bucket by bucket. */
interface RecordBuckets {
  put(bucket: number, first: number, second: number, third?: number): void;
  /** The words of a bucket's records in the order in which they were put, valid until the next is taken. Nothing may be put into it any more. */
  take(bucket: number): Uint32Array;
  /** Removes the temporary file. */
  close(): void;
}

/** However many records there are, memory is a small buffer for each bucket and the largest one; the rest waits in a temporary file. */
function createRecordBuckets(path: string, count: number, width: 2 | 3): RecordBuckets {
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
