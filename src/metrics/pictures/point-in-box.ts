import { type BoxTextError, readGroups } from "./box-text.ts";

/** A labelled point, as submitted. */
export type LabelledPoint = { label: string; x: number; y: number };

/** A labelled true rectangle. */
export type LabelledRectangle = LabelledPoint & { width: number; height: number };

/** The true rectangles and predicted points of one page; a missing cell on either side is an empty list. */
export type Page = { truth: readonly LabelledRectangle[]; predicted: readonly LabelledPoint[] };

/** Reads groups of "label x y" between single blanks; any other blank, even a cell of blanks only, is an error. */
export function parsePoints(text: string): LabelledPoint[] | BoxTextError {
  return readGroups(text.split(" "), 3, 1, 2, ([x, y], [label]) => ({ label, x, y }));
}

/** Reads groups of "label x y width height" between single blanks. */
export function parseRectangles(text: string): LabelledRectangle[] | BoxTextError {
  return readGroups(text.split(" "), 5, 1, 4, ([x, y, width, height], [label]) => ({
    label,
    x,
    y,
    width,
    height,
  }));
}

/**
 * F1 over all pages: each rectangle, in order, takes the first unused point of its label strictly inside it. Greedy,
 * so not always the best assignment; a point on the edge is outside.
 */
export function pointInBoxF1(pages: readonly Page[]): number {
  let hits = 0;
  let predictions = 0;
  let truths = 0;
  for (const page of pages) {
    hits += matchedRectangles(page);
    predictions += page.predicted.length;
    truths += page.truth.length;
  }
  if (hits === 0) return 0;
  const precision = hits / predictions;
  const recall = hits / truths;
  return (2 * precision * recall) / (precision + recall);
}

function matchedRectangles(page: Page): number {
  const unused = new Map<string, LabelledPoint[]>();
  for (const point of page.predicted) {
    const sameLabel = unused.get(point.label);
    if (sameLabel) sameLabel.push(point);
    else unused.set(point.label, [point]);
  }
  let hits = 0;
  for (const box of page.truth) {
    const points = unused.get(box.label) ?? [];
    const first = points.findIndex(
      ({ x, y }) => box.x < x && x < box.x + box.width && box.y < y && y < box.y + box.height,
    );
    if (first < 0) continue;
    points.splice(first, 1);
    hits++;
  }
  return hits;
}
