import type { Runs } from "../../metrics/pictures/run-length.ts";
import type { Volume } from "../../metrics/pictures/volume.ts";
import type { Column } from "../../table/columns/column.ts";
import { compareTexts, textAt } from "../../table/columns/text-store.ts";

interface Scan {
  height: number;
  width: number;
  slices: Runs[][];
  latestId: string;
}

/**
 * Stacks masks to scans by their ids, `<scan>_slice_<number>`: equal ids form one slice, in which the classes merge;
 * slices and scans follow the ids as texts, so `day13` comes before `day2`. `clash` names the first row, in that
 * order, whose image has another size than its scan.
 */
export function buildVolumes(
  ids: Column,
  masks: readonly Runs[],
  { heights, widths }: { heights: Float64Array; widths: Float64Array },
): Volume[] | { clash: number } {
  const texts = ids.texts!;
  const order = Array.from(masks, (_, row) => row).sort((a, b) => compareTexts(texts, a, texts, b));
  const scans = new Map<string, Scan>();
  for (const row of order) {
    const id = textAt(texts, row);
    const [name] = id.split("_slice_", 1);
    const size = { height: heights[row], width: widths[row] };
    const scan = scans.get(name) ?? { ...size, slices: [], latestId: "" };
    scans.set(name, scan);
    if (scan.height !== size.height || scan.width !== size.width) return { clash: row };
    if (scan.slices.length === 0 || scan.latestId !== id) scan.slices.push([]);
    scan.slices.at(-1)!.push(masks[row]);
    scan.latestId = id;
  }
  return [...scans.values()];
}
