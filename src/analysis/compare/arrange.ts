import { arrangeSeeds, type Seeds } from "../aggregate/seeds.ts";
import type { ReadReport } from "../reports.ts";

export type ArrangedPair = { ok: true; a: Seeds; b: Seeds } | { ok: false; message: string };

/**
 * Lines both agents' runs up with all their seeds; runs that are missing stay visible as such, instead of seeds being
 * dropped until none is. A competition without any run on one side is refused, unless `padMissing`.
 */
export function arrangePair(
  a: readonly ReadReport[],
  b: readonly ReadReport[],
  competitions: readonly string[],
  padMissing: boolean,
): ArrangedPair {
  const sides: Seeds[] = [];
  for (const reports of [a, b]) {
    // Without padding the arrangement refuses exactly those that lack a competition.
    const complete = padMissing ? null : arrangeSeeds(reports, { competitions, padMissing: false });
    if (complete !== null && !complete.ok) return complete;
    const padded = arrangeSeeds(reports, { competitions, padMissing: true });
    if (!padded.ok) return padded;
    sides.push(padded.seeds);
  }
  return { ok: true, a: sides[0], b: sides[1] };
}
