import type { WriteSubmission } from "../learners/read-table.ts";
import type { Solution } from "./field.ts";

/** The same answer in each row. */
export function constantRule(name: string, value: string | number, write: WriteSubmission): Solution {
  return { name, family: "constant", solve: () => write(() => value) };
}

/** For each group of training rows what `summarise` makes of its targets; `otherwise` for a group never seen. */
export function byGroup<Key>(
  keys: readonly Key[],
  target: Float64Array,
  summarise: (targets: number[]) => number,
  otherwise: number,
): (testRow: number) => number {
  const groups = new Map<Key, number[]>();
  for (const [row, value] of target.entries()) {
    const own = groups.get(keys[row]);
    if (own) own.push(value);
    else groups.set(keys[row], [value]);
  }
  const summaries = new Map([...groups].map(([key, targets]) => [key, summarise(targets)]));
  return (row) => summaries.get(keys[target.length + row]) ?? otherwise;
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

export function median(values: ArrayLike<number>): number {
  return Float64Array.from(values).sort()[values.length >> 1];
}

export function commonest(values: ArrayLike<number>): number {
  const counts = new Map<number, number>();
  for (let i = 0; i < values.length; i++) counts.set(values[i], (counts.get(values[i]) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || a - b)[0][0];
}
