import type { Runs } from "./run-length.ts";

/**
 * A stack of equally large slices. A slice is the union of its masks, whose flat positions run down the rows
 * first, then to the next column.
 */
export type Volume = { height: number; width: number; slices: readonly (readonly Runs[])[] };

/**
 * The foreground of a volume seen from above: for every flat position of the plane, the ascending numbers of the
 * slices that are set there, `slices[offsets[q]] … slices[offsets[q + 1] - 1]`. Grows with the foreground, not
 * with the box around it.
 */
export type SliceColumns = { offsets: Int32Array; slices: Int32Array };

/** Draws the union of a slice's masks into `plane`, which it clears first, and counts the pixels set. */
export function drawSlice(masks: readonly Runs[], plane: Uint8Array): number {
  plane.fill(0);
  let pixels = 0;
  for (const mask of masks) {
    for (let run = 0; run < mask.starts.length; run++) {
      for (let at = mask.starts[run]; at < mask.ends[run]; at++) {
        pixels += 1 - plane[at];
        plane[at] = 1;
      }
    }
  }
  return pixels;
}

/** Turns a volume into columns of slice numbers. */
export function sliceColumns(volume: Volume): SliceColumns {
  const size = volume.height * volume.width;
  const plane = new Uint8Array(size);
  const offsets = new Int32Array(size + 1);
  for (const masks of volume.slices) {
    if (drawSlice(masks, plane) === 0) continue;
    for (let at = 0; at < size; at++) offsets[at + 1] += plane[at];
  }
  for (let at = 0; at < size; at++) offsets[at + 1] += offsets[at];
  const slices = new Int32Array(offsets[size]);
  const next = offsets.slice(0, size);
  for (const [slice, masks] of volume.slices.entries()) {
    if (drawSlice(masks, plane) === 0) continue;
    for (let at = 0; at < size; at++) if (plane[at] === 1) slices[next[at]++] = slice;
  }
  return { offsets, slices };
}
