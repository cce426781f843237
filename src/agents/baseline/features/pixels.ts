import type { GrayImage } from "../../../learning/features/gray-image.ts";
import type { DenseMatrix } from "../../../learning/matrix.ts";

const PATCH = 2;
const BOXES = [1, 2, 4, 8, 16];
const EXTREMES = [1, 3];
/** As wide as the widest patch and extreme reach. */
const RIM = 3;

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

/** The loops go over plain arrays, with the picture's rim repeated: a call for every cell would take most of the time. */
function layerColumns(image: GrayImage): Float32Array[] {
  const { width, height, pixels } = image;
  const padded = padImage(image);
  const columns: Float32Array[] = [];
  for (let dy = -PATCH; dy <= PATCH; dy++)
    for (let dx = -PATCH; dx <= PATCH; dx++) columns.push(shifted(padded, width, height, dx, dy));
  const sums = summedArea(width, height, pixels);
  const squares = summedArea(
    width,
    height,
    Float64Array.from(pixels, (value) => value * value),
  );
  for (const radius of BOXES) {
    const means = boxMeans(sums, width, height, radius);
    const deviations = boxMeans(squares, width, height, radius);
    for (let i = 0; i < means.length; i++)
      deviations[i] = Math.sqrt(Math.max(0, deviations[i] - means[i] * means[i]));
    columns.push(Float32Array.from(means), Float32Array.from(deviations));
  }
  for (const radius of EXTREMES)
    for (const sign of [1, -1]) columns.push(extremes(padded, width, height, radius, sign));
  const sorted = Float32Array.from(pixels).sort();
  for (const share of [0.1, 0.5, 0.9])
    columns.push(new Float32Array(width * height).fill(sorted[Math.floor(share * (sorted.length - 1))]));
  columns.push(new Float32Array(width * height).fill(rimMean(image)));
  return columns;
}

function rimMean({ width, height, pixels }: GrayImage): number {
  let [sum, count] = [0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (x > 1 && y > 1 && x < width - 2 && y < height - 2) continue;
      sum += pixels[y * width + x];
      count++;
    }
  return sum / count;
}

/** The picture with its rim repeated `RIM` times on each side. */
function padImage({ width, height, pixels }: GrayImage): Float32Array {
  const stride = width + 2 * RIM;
  const padded = new Float32Array(stride * (height + 2 * RIM));
  for (let y = -RIM; y < height + RIM; y++)
    for (let x = -RIM; x < width + RIM; x++)
      padded[(y + RIM) * stride + x + RIM] = pixels[clamp(y, height) * width + clamp(x, width)];
  return padded;
}

function shifted(padded: Float32Array, width: number, height: number, dx: number, dy: number): Float32Array {
  const result = new Float32Array(width * height);
  const stride = width + 2 * RIM;
  for (let y = 0; y < height; y++) {
    const from = (y + dy + RIM) * stride + dx + RIM;
    result.set(padded.subarray(from, from + width), y * width);
  }
  return result;
}

/** The least (sign 1) or the greatest (sign −1) value of the square around each pixel. */
function extremes(
  padded: Float32Array,
  width: number,
  height: number,
  radius: number,
  sign: number,
): Float32Array {
  const stride = width + 2 * RIM;
  const lines = height + 2 * RIM;
  const across = new Float32Array(stride * lines);
  for (let i = RIM; i < across.length - RIM; i++) {
    let found = sign * padded[i - radius];
    for (let d = 1 - radius; d <= radius; d++) {
      const value = sign * padded[i + d];
      if (value < found) found = value;
    }
    across[i] = found;
  }
  const result = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y + RIM) * stride + x + RIM;
      let found = across[at - radius * stride];
      for (let d = 1 - radius; d <= radius; d++) {
        const value = across[at + d * stride];
        if (value < found) found = value;
      }
      result[y * width + x] = sign * found;
    }
  return result;
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
function summedArea(width: number, height: number, values: ArrayLike<number>): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let line = 0;
    for (let x = 0; x < width; x++) {
      line += values[y * width + x];
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + line;
    }
  }
  return sums;
}

/** The mean of the square around each pixel, as far as it lies in the picture. */
function boxMeans(sums: Float64Array, width: number, height: number, radius: number): Float64Array {
  const result = new Float64Array(width * height);
  const line = width + 1;
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - radius) * line;
    const bottom = Math.min(height, y + radius + 1) * line;
    const tall = (bottom - top) / line;
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
      const sum = sums[bottom + right] - sums[top + right] - sums[bottom + left] + sums[top + left];
      result[y * width + x] = sum / ((right - left) * tall);
    }
  }
  return result;
}

function clamp(value: number, size: number): number {
  return value < 0 ? 0 : value >= size ? size - 1 : value;
}
