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
  /** 28 × 28 pixels from 0 to 1. */
  readonly pixels: DenseMatrix;
  readonly side: number;
}

/** Every picture at one small size; one that cannot be read is black. */
export function pictureFeatures(read: (row: number) => Buffer | null, rows: number): PictureFeatures {
  const pixels = new Float32Array(rows * SIDE * SIDE);
  let columns = 0;
  let values = new Float32Array(0);
  for (let row = 0; row < rows; row++) {
    const image = resizeImage(readPicture(read(row)), SIDE, SIDE);
    pixels.set(image.pixels, row * SIDE * SIDE);
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
    pixels: { rows, columns: SIDE * SIDE, values: pixels },
    side: SIDE,
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
