import { pandasSample, type SampleSize } from "../../random/pandas-sample.ts";
import { stopPreparing } from "./stop-preparing.ts";

/** pandas' `sample` with seed 0: positions in the order drawn. Asking for more items than there are ends the preparation. */
export function sampleItems(count: number, size: SampleSize): Uint32Array {
  const drawn = pandasSample(count, size, 0);
  if (drawn) return drawn;
  return stopPreparing({
    code: "SPLIT_IMPOSSIBLE",
    file: null,
    message: `A sample of ${JSON.stringify(size)} cannot be drawn from ${count} items.`,
    next: "Check that the download is complete, or set another size.",
  });
}
