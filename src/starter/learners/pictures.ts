import fs from "node:fs";
import { join } from "node:path";
import { decodeGrayPng } from "../../formats/png.ts";
import type { GrayImage } from "../../learning/features/gray-image.ts";

/** A picture of a public folder, gray from 0 to 255. */
export function readPicture(folder: string, name: string): GrayImage {
  const image = decodeGrayPng(fs.readFileSync(join(folder, `${name}.png`)), name);
  if (image.status !== "image") throw new Error(`${name} ${image.reason}`);
  return { width: image.width, height: image.height, pixels: Float32Array.from(image.pixels) };
}

/** The same from 0 to 1. */
export function readShades(folder: string, name: string): GrayImage {
  const picture = readPicture(folder, name);
  return { ...picture, pixels: picture.pixels.map((gray) => gray / 255) };
}

/** Pixels made from the pixels around each; beyond the border lie the pixels of the border. */
export type Filter = (picture: GrayImage) => Float32Array;

/** The mean of the square around each pixel. */
export function boxMean({ width, height, pixels }: GrayImage, radius: number): Float32Array {
  if (radius === 0) return Float32Array.from(pixels);
  const across = new Float32Array(pixels.length);
  const result = new Float32Array(pixels.length);
  for (let y = 0; y < height; y++) slideMean(pixels, y * width, 1, width, radius, across);
  for (let x = 0; x < width; x++) slideMean(across, x, width, height, radius, result);
  return result;
}

function slideMean(
  from: ArrayLike<number>,
  start: number,
  step: number,
  size: number,
  radius: number,
  into: Float32Array,
): void {
  const at = (i: number) => from[start + Math.min(size - 1, Math.max(0, i)) * step];
  let sum = 0;
  for (let i = -radius; i <= radius; i++) sum += at(i);
  for (let i = 0; i < size; i++) {
    into[start + i * step] = sum / (2 * radius + 1);
    sum += at(i + radius + 1) - at(i - radius);
  }
}

/** The deviation within the square around each pixel. */
export function localDeviation(picture: GrayImage, radius: number): Float32Array {
  const means = boxMean(picture, radius);
  const squares = boxMean({ ...picture, pixels: picture.pixels.map((value) => value * value) }, radius);
  return squares.map((square, i) => Math.sqrt(Math.max(0, square - means[i] * means[i])));
}

/** Three means one after another come close to a bell curve. */
export function softMean(picture: GrayImage, radius: number): Float32Array {
  let pixels: GrayImage["pixels"] = picture.pixels;
  for (let i = 0; i < 3; i++) pixels = boxMean({ ...picture, pixels }, radius);
  return Float32Array.from(pixels);
}

/** Whole shades, for windows in which they are counted. */
const SHADES = 256;

/** The value with this share of the square below it: 0 the darkest, 0.5 the median, 1 the brightest; whole shades. */
export function rankFilter(
  { width, height, pixels }: GrayImage,
  radius: number,
  share: number,
): Float32Array {
  const shades = Uint8Array.from(pixels, (value) => Math.min(SHADES - 1, Math.max(0, Math.round(value))));
  const side = 2 * radius + 1;
  const place = Math.round(share * (side * side - 1));
  const result = new Float32Array(pixels.length);
  const counts = new Int32Array(SHADES);
  const count = (y: number, x: number, change: number) => {
    const column = Math.min(width - 1, Math.max(0, x));
    for (let dy = -radius; dy <= radius; dy++) {
      counts[shades[Math.min(height - 1, Math.max(0, y + dy)) * width + column]] += change;
    }
  };
  for (let y = 0; y < height; y++) {
    counts.fill(0);
    for (let x = -radius; x <= radius; x++) count(y, x, 1);
    for (let x = 0; x < width; x++) {
      let shade = 0;
      for (let below = counts[0]; below <= place; below += counts[shade]) shade++;
      result[y * width + x] = shade;
      count(y, x - radius, -1);
      count(y, x + radius + 1, 1);
    }
  }
  return result;
}

/** How steep the brightness is at each pixel. */
export function steepness({ width, height, pixels }: GrayImage): Float32Array {
  return Float32Array.from(pixels, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const across = pixels[at + (x < width - 1 ? 1 : 0)] - pixels[at - (x > 0 ? 1 : 0)];
    const down = pixels[at + (y < height - 1 ? width : 0)] - pixels[at - (y > 0 ? width : 0)];
    return Math.hypot(across, down);
  });
}

/** The pixel this far to the right and down. */
export function shifted({ width, height, pixels }: GrayImage, dx: number, dy: number): Float32Array {
  return Float32Array.from(pixels, (_, at) => {
    const x = Math.min(width - 1, Math.max(0, (at % width) + dx));
    const y = Math.min(height - 1, Math.max(0, Math.floor(at / width) + dy));
    return pixels[y * width + x];
  });
}

/** All pixels within a square of this radius, one plane for each place in it. */
export function patchPlanes(picture: GrayImage, radius: number): Float32Array[] {
  const side = 2 * radius + 1;
  return Array.from({ length: side * side }, (_, i) =>
    shifted(picture, (i % side) - radius, Math.floor(i / side) - radius),
  );
}

/** The same number at every pixel. */
export function everywhere({ pixels }: GrayImage, value: number): Float32Array {
  return new Float32Array(pixels.length).fill(value);
}
