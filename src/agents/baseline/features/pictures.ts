import { decodeGrayPng } from "../../../formats/png.ts";
import { gradientHistograms } from "../../../learning/features/gradient-histograms.ts";
import { type GrayImage, resizeImage } from "../../../learning/features/gray-image.ts";
import type { DenseMatrix } from "../../../learning/matrix.ts";

const SIDE = 28;
const COARSE_SIDE = 14;
const CELLS = 5;

export interface PictureFeatures {
  /** Edges in each part of the picture, and coarse pixels. */
  readonly described: DenseMatrix;
  /** Small, from −1 to 1. */
  readonly pixels: DenseMatrix;
  readonly width: number;
  readonly height: number;
}

/** The longest side of the pictures that a network sees. */
const LONGEST_SIDE = 32;

/** The size that a network sees pictures in: their own, or smaller with sides in the same proportion. */
function networkSize({ width, height }: GrayImage): { width: number; height: number } {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const side = (own: number) => Math.max(MIN_PIXELS, Math.round(own * scale));
  return { width: side(width), height: side(height) };
}

/** Three times pooled there is still something left. */
const MIN_PIXELS = 8;

/** Every picture at one small size; one that cannot be read is black. */
export function pictureFeatures(
  read: (row: number) => Buffer | null,
  rows: number,
  known?: { width: number; height: number },
): PictureFeatures {
  const { width, height } = known ?? networkSize(readPicture(rows > 0 ? read(0) : null));
  const size = width * height;
  const pixels = new Float32Array(rows * size);
  let columns = 0;
  let values = new Float32Array(0);
  for (let row = 0; row < rows; row++) {
    const whole = readPicture(read(row));
    const small = resizeImage(whole, width, height).pixels;
    for (let p = 0; p < size; p++) pixels[row * size + p] = 2 * small[p] - 1;
    const image = resizeImage(whole, SIDE, SIDE);
    const edges = gradientHistograms(image, { cells: CELLS });
    const coarse = resizeImage(image, COARSE_SIDE, COARSE_SIDE).pixels;
    if (columns === 0) {
      columns = edges.length + coarse.length;
      values = new Float32Array(rows * columns);
    }
    values.set(edges, row * columns);
    values.set(coarse, row * columns + edges.length);
  }
  return {
    described: { rows, columns, values },
    pixels: { rows, columns: size, values: pixels },
    width,
    height,
  };
}

/** Brightness from 0 to 1. */
export function readPicture(bytes: Buffer | null): GrayImage {
  const decoded = bytes && decodeGrayPng(bytes, "picture");
  if (decoded === null || decoded.status !== "image")
    return { width: 1, height: 1, pixels: new Float32Array(1) };
  const { width, height } = decoded;
  return { width, height, pixels: Float32Array.from(decoded.pixels, (value) => value / 255) };
}
