/** Shared elements over all elements. Null for two empty sets: one original scores them 0, another refuses the file. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number | null {
  let shared = 0;
  for (const element of a) if (b.has(element)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? null : shared / all;
}
