import type { GrayImage } from "../../learning/features/gray-image.ts";
import type { DenseMatrix } from "../../learning/matrix.ts";

const PATCH = 2;
const BOXES = [1, 2, 4, 8, 16];
const EXTREMES = [1, 3];

/** What is around each pixel: the patch, means and deviations of growing boxes, extremes, its place, the whole picture. */
export function pixelFeatures(layers: readonly GrayImage[]): DenseMatrix {
  const [{ width, height }] = layers;
  const rows = width * height;
  const perLayer = layers.map((layer) => layerColumns(layer));
  const columns = [...perLayer.flat(), ...places(width, height)];
  const values = new Float32Array(rows * columns.length);
  for (const [column, own] of columns.entries())
    for (let row = 0; row < rows; row++) values[row * columns.length + column] = own[row];
  return { rows, columns: columns.length, values };
}

function layerColumns({ width, height, pixels }: GrayImage): Float32Array[] {
  const columns: Float32Array[] = [];
  for (let dy = -PATCH; dy <= PATCH; dy++)
    for (let dx = -PATCH; dx <= PATCH; dx++)
      columns.push(eachPixel(width, height, (x, y) => at(x + dx, y + dy)));
  const sums = summedArea(width, height, (i) => pixels[i]);
  const squares = summedArea(width, height, (i) => pixels[i] * pixels[i]);
  for (const radius of BOXES) {
    const means = eachPixel(width, height, (x, y) => boxMean(sums, width, height, x, y, radius));
    columns.push(means);
    columns.push(
      eachPixel(width, height, (x, y) => {
        const mean = means[y * width + x];
        return Math.sqrt(Math.max(0, boxMean(squares, width, height, x, y, radius) - mean * mean));
      }),
    );
  }
  for (const radius of EXTREMES)
    for (const pick of [Math.min, Math.max]) {
      const across = eachPixel(width, height, (x, y) => extreme(pick, radius, (d) => at(x + d, y)));
      const read = (x: number, y: number) => across[clamp(y, height) * width + x];
      columns.push(eachPixel(width, height, (x, y) => extreme(pick, radius, (d) => read(x, y + d))));
    }
  const sorted = Float32Array.from(pixels).sort();
  for (const share of [0.1, 0.5, 0.9])
    columns.push(new Float32Array(width * height).fill(sorted[Math.floor(share * (sorted.length - 1))]));
  columns.push(new Float32Array(width * height).fill(borderMean()));
  return columns;

  function at(x: number, y: number): number {
    return pixels[clamp(y, height) * width + clamp(x, width)];
  }

  function borderMean(): number {
    let [sum, count] = [0, 0];
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        if (x > 1 && y > 1 && x < width - 2 && y < height - 2) continue;
        sum += pixels[y * width + x];
        count++;
      }
    return sum / count;
  }
}

function places(width: number, height: number): Float32Array[] {
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
  return [
    eachPixel(width, height, (x) => x / width),
    eachPixel(width, height, (_, y) => y / height),
    eachPixel(width, height, (x, y) => Math.hypot((x - middleX) / width, (y - middleY) / height)),
  ];
}

function eachPixel(width: number, height: number, value: (x: number, y: number) => number): Float32Array {
  const result = new Float32Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) result[y * width + x] = value(x, y);
  return result;
}

/** Sums over all that lies above and to the left, with a row and a column of zeros before them. */
function summedArea(width: number, height: number, value: (i: number) => number): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let line = 0;
    for (let x = 0; x < width; x++) {
      line += value(y * width + x);
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + line;
    }
  }
  return sums;
}

function boxMean(
  sums: Float64Array,
  width: number,
  height: number,
  x: number,
  y: number,
  radius: number,
): number {
  const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
  const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
  const line = width + 1;
  const sum =
    sums[bottom * line + right] -
    sums[top * line + right] -
    sums[bottom * line + left] +
    sums[top * line + left];
  return sum / ((right - left) * (bottom - top));
}

function extreme(
  pick: (a: number, b: number) => number,
  radius: number,
  read: (d: number) => number,
): number {
  let found = read(0);
  for (let d = 1; d <= radius; d++) found = pick(found, pick(read(d), read(-d)));
  return found;
}

function clamp(value: number, size: number): number {
  return value < 0 ? 0 : value >= size ? size - 1 : value;
}
