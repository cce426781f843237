import { argsortDescending } from "./argsort.ts";

/** Ranks from 1 for the smallest value; equal values share their mean rank. NaN has no rank: keep it out. */
export function averageRanks(values: Float64Array): Float64Array {
  const count = values.length;
  const order = argsortDescending(values);
  const ranks = new Float64Array(count);
  for (let start = 0; start < count; ) {
    let end = start + 1;
    while (end < count && values[order[end]] === values[order[start]]) end++;
    const shared = (count - end + 1 + (count - start)) / 2;
    for (let i = start; i < end; i++) ranks[order[i]] = shared;
    start = end;
  }
  return ranks;
}
