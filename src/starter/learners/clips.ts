import type { DenseMatrix } from "../../learning/matrix.ts";
import type { Draw } from "../making/draw.ts";
import { type Method, methodOf, type Target, type View } from "../making/method.ts";
import { columnSubset } from "./column-subset.ts";
import { drawLearner, type Effort, type LearnerKind } from "./draw-learners.ts";
import { readBytes } from "./read-table.ts";

const HEADER_BYTES = 44;

/** The samples of a 16-bit WAV file of one channel, from -1 to 1. */
export function readClip(folder: string, id: string): Float64Array {
  const bytes = readBytes(folder, `${id}.wav`);
  return Float64Array.from(
    { length: (bytes.length - HEADER_BYTES) / 2 },
    (_, i) => bytes.readInt16LE(HEADER_BYTES + 2 * i) / 2 ** 15,
  );
}

/** A row for each item; all rows are equally long. */
export function tableOf<T>(items: readonly T[], row: (item: T) => ArrayLike<number>): DenseMatrix {
  const rows = items.map(row);
  const values = new Float64Array(rows.length * rows[0].length);
  for (const [i, own] of rows.entries()) values.set(own, i * own.length);
  return { rows: rows.length, columns: rows[0].length, values };
}

/** From the first loud sample on, filled up with silence. */
export function fromOnset(clip: Float64Array): Float64Array {
  const peak = clip.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const start = clip.findIndex((value) => Math.abs(value) > 0.2 * peak);
  const moved = new Float64Array(clip.length);
  moved.set(clip.subarray(Math.max(0, start - 32)));
  return moved;
}

export function loudest(clip: Float64Array): Float64Array {
  const peak = clip.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-6);
  return clip.map((value) => value / peak);
}

/** How the energy falls over the clip, and how often the wave crosses zero early and late. */
export function waveShapes(clip: Float64Array): Float64Array {
  const moved = loudest(fromOnset(clip));
  const parts = 8;
  const size = Math.floor(moved.length / parts);
  const shapes: number[] = [];
  for (let part = 0; part < parts; part++) {
    const own = moved.subarray(part * size, (part + 1) * size);
    shapes.push(Math.log(own.reduce((sum, value) => sum + value * value, 1e-4) / size));
    let crossings = 0;
    for (let i = 1; i < own.length; i++) if (own[i] < 0 !== own[i - 1] < 0) crossings++;
    shapes.push(crossings / size);
  }
  return Float64Array.from(shapes);
}

const KINDS: readonly LearnerKind[] = [
  "linear",
  "linear",
  "neighbours",
  "neighbours",
  "bayes",
  "tree",
  "forest",
  "boosting",
  "network",
];

/** A learner on a part of the columns of a view; those who mean it listen to bands of frequencies. */
export function drawClipMethod(
  draw: Draw,
  views: readonly View<DenseMatrix>[],
  target: Target,
  { serious, kinds, effort }: { serious: boolean; kinds: readonly LearnerKind[]; effort: Effort },
): Method {
  const view = draw.pick(serious ? views.filter(({ name }) => name.includes("bands")) : views);
  const share = draw.pick(serious ? [0.7, 1, 1] : [0.3, 0.5, 0.7, 1, 1]);
  const learner = drawLearner(draw, draw.pick(serious ? kinds : KINDS), effort, "classes");
  return methodOf(columnSubset(view, share, draw), learner, target);
}
