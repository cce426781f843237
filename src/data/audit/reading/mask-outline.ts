import { readJson } from "../../../table/json/reader.ts";
import type { JsonValue } from "../../../table/json/value.ts";

export type Point = readonly [x: number, y: number];

const MAX_POINTS = 4000;

/** Whether a cell is a mask as pairs of start and length. */
export function isRunLengthText(cell: string): boolean {
  return /^\d+ \d+(?: \d+ \d+)+ ?\d*$/.test(cell.trim());
}

/** Every pair of numbers in a JSON text that is a member of a list of such pairs, in either order of nesting. */
export function outlinePoints(text: string): Point[] {
  const outcome = readJson(text);
  const points: Point[] = [];
  if (outcome.ok) collect(outcome.value, points);
  if (points.length <= MAX_POINTS) return points;
  const step = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, i) => i % step === 0);
}

function collect(value: JsonValue, points: Point[]): void {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value) && value.length > 0 && value.every(isPair)) {
    for (const [x, y] of value) points.push([Number(x), Number(y)]);
    return;
  }
  for (const inner of value.values()) collect(inner, points);
}

function isPair(value: JsonValue): value is (number | bigint)[] {
  const isNumber = (item: JsonValue) => typeof item === "number" || typeof item === "bigint";
  return Array.isArray(value) && value.length === 2 && value.every(isNumber);
}

/**
 * The share of outline points that lie on the mask or next to it, and the same for the outline turned by 180°, which
 * is what chance gives. Runs count down the columns, as is the custom, or along the rows: the better fit counts.
 */
export function outlineFit(
  points: readonly Point[],
  runs: string,
  width: number,
  height: number,
): { own: number; mirrored: number } {
  const numbers = runs.trim().split(/\s+/).map(Number);
  const starts = Float64Array.from(numbers.filter((_, i) => i % 2 === 0));
  const ends = starts.map((start, i) => start + (numbers[2 * i + 1] ?? 0));
  const order = Uint32Array.from(starts.keys()).sort((a, b) => starts[a] - starts[b]);
  const inMask = (position: number) => {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[order[middle]] <= position) low = middle + 1;
      else high = middle;
    }
    return low > 0 && position < ends[order[low - 1]];
  };
  const layouts = [(x: number, y: number) => x * height + y + 1, (x: number, y: number) => y * width + x + 1];
  const fits = layouts.map((at) => {
    const touches = ([x, y]: Point) =>
      NEIGHBOURS.some(([dx, dy]) => {
        const [column, row] = [Math.round(x) + dx, Math.round(y) + dy];
        return column >= 0 && row >= 0 && column < width && row < height && inMask(at(column, row));
      });
    const share = (chosen: readonly Point[]) => chosen.filter(touches).length / chosen.length;
    return {
      own: share(points),
      mirrored: share(points.map(([x, y]) => [width - 1 - x, height - 1 - y] as const)),
    };
  });
  return fits[0].own - fits[0].mirrored >= fits[1].own - fits[1].mirrored ? fits[0] : fits[1];
}

const NEIGHBOURS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));
