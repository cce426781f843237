import fs from "node:fs";
import type { Mt19937 } from "../../../random/mt19937.ts";
import { shufflePartners } from "../../../random/numpy-legacy.ts";
import type { Preparation } from "../../preparer.ts";
import { pause } from "../pause.ts";
import { createRecordBuckets, type RecordBuckets } from "../rows/record-buckets.ts";

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
