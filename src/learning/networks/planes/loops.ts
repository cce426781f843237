import {
  add,
  addFloats,
  assemble,
  type Code,
  constant,
  get,
  largerFloats,
  loadPair,
  loadSplat,
  loopUntil,
  multiplyFloats,
  notBelow,
  set,
  shiftLeft,
  storePair,
  zeroVector,
} from "../../../formats/webassembly.ts";

/** Filters are computed this many at a time, for this many pixels. */
export const PANEL = 8;
export const PIXELS = 4;

const KERNEL = [0, 1, 2];
const VECTORS = [0, 1];

/** Steps of the inner loop written out: 3 × `channels` is a multiple. */
function unrolled(channels: number): number {
  return channels % 4 === 0 ? 4 : 3;
}

/**
 * 3 × 3 convolutions of planes with so many channels. Pixels lie row by row, each row followed by one pixel of zeros,
 * so that the three neighbours in a row are one stretch of memory, and a picture is one long row. Weights: panel of 8
 * filters, row of the kernel, neighbour and channel, filter. Addresses and strides are in bytes.
 *
 * `convolve` and `convolveRelu`(in, inBytes, rowBytes, weights, weightsEnd, biases, out, outStride): `in` is the upper
 * left neighbour of the first pixel.
 * `weightGradients`(in, rowBytes, gradient, gradientBytes, stride, weights, weightsEnd) adds to what is there.
 */
export function assemblePlaneLoops(channels: number): Uint8Array<ArrayBuffer> {
  return assemble([
    convolve("convolve", channels, false),
    convolve("convolveRelu", channels, true),
    weightGradients(channels),
  ]);
}

function convolve(name: string, channels: number, cutsAtZero: boolean) {
  const [input, inputBytes, rowBytes, weights, weightsEnd, biases, out, outStride] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [inputEnd, inAt, outAt, rowAt, at, end, weightAt, outRow] = [8, 9, 10, 11, 12, 13, 14, 15];
  const first = 16;
  const rows = Array.from({ length: PIXELS }, (_, i) => i);
  const sum = (row: number, v: number) => first + 2 * row + v;
  const factor = (v: number) => first + 2 * PIXELS + v;
  const splat = first + 2 * PIXELS + 2;
  const step = unrolled(channels);
  const products: Code = [
    ...Array.from({ length: step }, (_, u) => [
      ...VECTORS.flatMap((v) => set(factor(v), loadPair(get(weightAt), 32 * u + 16 * v))),
      ...rows.flatMap((row) => [
        ...set(splat, loadSplat(get(at), 4 * u + 4 * channels * row)),
        ...VECTORS.flatMap((v) =>
          set(sum(row, v), addFloats(get(sum(row, v)), multiplyFloats(get(splat), get(factor(v))))),
        ),
      ]),
    ]).flat(),
    ...set(at, add(get(at), constant(4 * step))),
    ...set(weightAt, add(get(weightAt), constant(32 * step))),
  ];
  const kernelRow: Code = [
    ...set(at, get(rowAt)),
    ...set(end, add(get(at), constant(12 * channels))),
    ...loopUntil(notBelow(get(at), get(end)), products),
    ...set(rowAt, add(get(rowAt), get(rowBytes))),
  ];
  const kept = (value: Code) => (cutsAtZero ? largerFloats(value, zeroVector) : value);
  const pixels: Code = [
    ...rows.flatMap((row) => VECTORS.flatMap((v) => set(sum(row, v), loadPair(get(biases), 16 * v)))),
    ...set(weightAt, get(weights)),
    ...set(rowAt, get(inAt)),
    ...KERNEL.flatMap(() => kernelRow),
    ...set(outRow, get(outAt)),
    ...rows.flatMap((row) => [
      ...VECTORS.flatMap((v) => storePair(get(outRow), kept(get(sum(row, v))), 16 * v)),
      ...set(outRow, add(get(outRow), get(outStride))),
    ]),
    ...set(outAt, get(outRow)),
    ...set(inAt, add(get(inAt), constant(4 * channels * PIXELS))),
  ];
  const body: Code = [
    ...set(inputEnd, add(get(input), get(inputBytes))),
    ...loopUntil(notBelow(get(weights), get(weightsEnd)), [
      ...set(inAt, get(input)),
      ...set(outAt, get(out)),
      ...loopUntil(notBelow(get(inAt), get(inputEnd)), pixels),
      ...set(weights, add(get(weights), constant(9 * channels * 4 * PANEL))),
      ...set(biases, add(get(biases), constant(4 * PANEL))),
      ...set(out, add(get(out), constant(4 * PANEL))),
    ]),
  ];
  return { name, parameters: 8, locals: 8, vectors: 2 * PIXELS + 3, returnsInt: false, body };
}

function weightGradients(channels: number) {
  const [input, rowBytes, gradient, gradientBytes, stride, weights, weightsEnd] = [0, 1, 2, 3, 4, 5, 6];
  const [rowAt, rowEnd, at, gradientAt, gradientEnd] = [7, 8, 9, 10, 11];
  const first = 12;
  const count = unrolled(channels);
  const rows = Array.from({ length: count }, (_, i) => i);
  const sum = (row: number, v: number) => first + 2 * row + v;
  const factor = (v: number) => first + 2 * count + v;
  const splat = first + 2 * count + 2;
  const pixel: Code = [
    ...VECTORS.flatMap((v) => set(factor(v), loadPair(get(gradientAt), 16 * v))),
    ...rows.flatMap((row) => [
      ...set(splat, loadSplat(get(at), 4 * row)),
      ...VECTORS.flatMap((v) =>
        set(sum(row, v), addFloats(get(sum(row, v)), multiplyFloats(get(splat), get(factor(v))))),
      ),
    ]),
    ...set(at, add(get(at), constant(4 * channels))),
    ...set(gradientAt, add(get(gradientAt), get(stride))),
  ];
  const block: Code = [
    ...rows.flatMap((row) =>
      VECTORS.flatMap((v) => set(sum(row, v), loadPair(get(weights), 32 * row + 16 * v))),
    ),
    ...set(at, get(rowAt)),
    ...set(gradientAt, get(gradient)),
    ...loopUntil(notBelow(get(gradientAt), get(gradientEnd)), pixel),
    ...rows.flatMap((row) =>
      VECTORS.flatMap((v) => storePair(get(weights), get(sum(row, v)), 32 * row + 16 * v)),
    ),
    ...set(weights, add(get(weights), constant(32 * count))),
    ...set(rowAt, add(get(rowAt), constant(4 * count))),
  ];
  const kernelRow = (row: number): Code => [
    ...set(
      rowAt,
      row === 0 ? get(input) : add(get(input), row === 1 ? get(rowBytes) : shiftLeft(get(rowBytes), 1)),
    ),
    ...set(rowEnd, add(get(rowAt), constant(12 * channels))),
    ...loopUntil(notBelow(get(rowAt), get(rowEnd)), block),
  ];
  const body: Code = loopUntil(notBelow(get(weights), get(weightsEnd)), [
    ...set(gradientEnd, add(get(gradient), get(gradientBytes))),
    ...KERNEL.flatMap(kernelRow),
    ...set(gradient, add(get(gradient), constant(4 * PANEL))),
  ]);
  return {
    name: "weightGradients",
    parameters: 7,
    locals: 5,
    vectors: 2 * count + 3,
    returnsInt: false,
    body,
  };
}
