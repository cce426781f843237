import {
  add,
  addFloats,
  assemble,
  type Code,
  constant,
  get,
  loadPair,
  loadSplat,
  loopUntil,
  multiplyFloats,
  notBelow,
  set,
  shiftLeft,
  storePair,
  zeroVector,
} from "../../formats/webassembly.ts";

/** The block that stays in registers: 4 rows by 8 columns, two vectors of four numbers each row. */
export const PANEL_ROWS = 4;
export const PANEL_COLUMNS = 8;

const VECTORS = PANEL_COLUMNS / 4;

/**
 * `multiply(a, aEnd, b, bEnd, out, k, stride)`: for each panel of a (k × 4 numbers) and of b (k × 8), their block of
 * the product. Addresses and the stride of a row of `out` are in bytes.
 */
export function assembleMultiply(): Uint8Array<ArrayBuffer> {
  const [a, aEnd, b, bEnd, out, k, stride] = [0, 1, 2, 3, 4, 5, 6];
  const [bPanel, outPanel, aAt, bAt, innerEnd, outRow] = [7, 8, 9, 10, 11, 12];
  const first = 13;
  const sum = (row: number, vector: number) => first + row * VECTORS + vector;
  const factor = (vector: number) => first + PANEL_ROWS * VECTORS + vector;
  const splat = first + PANEL_ROWS * VECTORS + VECTORS;
  const vectors = Array.from({ length: VECTORS }, (_, i) => i);
  const rows = Array.from({ length: PANEL_ROWS }, (_, i) => i);

  const inner: Code = [
    ...vectors.flatMap((v) => set(factor(v), loadPair(get(bAt), 16 * v))),
    ...rows.flatMap((row) => [
      ...set(splat, loadSplat(get(aAt), 4 * row)),
      ...vectors.flatMap((v) =>
        set(sum(row, v), addFloats(get(sum(row, v)), multiplyFloats(get(splat), get(factor(v))))),
      ),
    ]),
    ...set(aAt, add(get(aAt), constant(4 * PANEL_ROWS))),
    ...set(bAt, add(get(bAt), constant(4 * PANEL_COLUMNS))),
  ];
  const block: Code = [
    ...rows.flatMap((row) => vectors.flatMap((v) => set(sum(row, v), zeroVector))),
    ...set(aAt, get(a)),
    ...set(innerEnd, add(get(a), shiftLeft(get(k), 4))),
    ...loopUntil(notBelow(get(aAt), get(innerEnd)), inner),
    ...set(outRow, get(outPanel)),
    ...rows.flatMap((row) => [
      ...vectors.flatMap((v) => storePair(get(outRow), get(sum(row, v)), 16 * v)),
      ...set(outRow, add(get(outRow), get(stride))),
    ]),
    ...set(outPanel, add(get(outPanel), constant(4 * PANEL_COLUMNS))),
  ];
  const body: Code = loopUntil(notBelow(get(a), get(aEnd)), [
    ...set(bPanel, get(b)),
    ...set(outPanel, get(out)),
    ...loopUntil(notBelow(get(bPanel), get(bEnd)), [
      ...set(bAt, get(bPanel)),
      ...block,
      ...set(bPanel, get(bAt)),
    ]),
    ...set(out, add(get(out), shiftLeft(get(stride), 2))),
    ...set(a, add(get(a), shiftLeft(get(k), 4))),
  ]);
  return assemble([
    {
      name: "multiply",
      parameters: 7,
      locals: 6,
      vectors: PANEL_ROWS * VECTORS + VECTORS + 1,
      returnsInt: false,
      body,
    },
  ]);
}
