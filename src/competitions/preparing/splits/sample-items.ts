import { pandasSample, type SampleSize } from "../../../random/pandas-sample.ts";
import { impossibleSplit } from "../stop-preparing.ts";

/** pandas' `sample` with seed 0: positions in the order drawn. Asking for more items than there are ends the preparation. */
export function sampleItems(count: number, size: SampleSize): Uint32Array {
  return (
    pandasSample(count, size, 0) ??
    impossibleSplit(`A sample of ${JSON.stringify(size)} cannot be drawn from ${count} items.`)
  );
}
