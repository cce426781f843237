import {
  add,
  addPairs,
  assemble,
  type Code,
  constant,
  copyBytes,
  fillWithZeros,
  get,
  loadByte,
  loadInt,
  loadPair,
  loopUntil,
  notBelow,
  set,
  shiftLeft,
  storeInt,
  storePair,
  subtract,
  subtractPairs,
} from "../../formats/webassembly.ts";

/** The four loops over rows that take nearly all the time of growing trees. Every argument is a byte address. */
export interface RowLoops {
  /** Adds the statistics of each row, in the order of `rows`, to the entry of its bin; all entries begin at zero. */
  histogram(
    bins: number,
    rows: number,
    rowsEnd: number,
    statistics: number,
    histogram: number,
    histogramBytes: number,
  ): void;
  /** target −= other, entry by entry. */
  subtract(target: number, other: number, targetEnd: number): void;
  /** Copies the statistics of the rows into their order. */
  gather(statistics: number, rows: number, rowsEnd: number, ordered: number): void;
  /** Keeps, in order, the rows whose bin the table of bytes sends left; the others follow them, by way of `scratch`. Gives the end of the left ones. */
  partition(bins: number, rows: number, rowsEnd: number, goesLeft: number, scratch: number): number;
}

const STATISTICS_BITS = 4;
const UNROLLED = 4;

/** WebAssembly, because one row and feature costs 0.7 ns so, and 2.3 ns in the best JavaScript. */
export function assembleRowLoops(): Uint8Array<ArrayBuffer> {
  return assemble([histogramLoop(), subtractLoop(), gatherLoop(), partitionLoop()]);
}

function histogramLoop() {
  const [bins, rows, rowsEnd, statistics, histogram, histogramBytes, entry, unrolledEnd] = [
    0, 1, 2, 3, 4, 5, 6, 7,
  ];
  const addRow = (i: number): Code => [
    ...set(
      entry,
      add(get(histogram), shiftLeft(loadByte(add(get(bins), loadInt(get(rows), 4 * i))), STATISTICS_BITS)),
    ),
    ...storePair(get(entry), addPairs(loadPair(get(entry)), loadPair(get(statistics), 16 * i))),
  ];
  const addRows = (end: number, count: number): Code =>
    loopUntil(notBelow(get(rows), get(end)), [
      ...Array.from({ length: count }, (_, i) => addRow(i)).flat(),
      ...set(rows, add(get(rows), constant(4 * count))),
      ...set(statistics, add(get(statistics), constant(16 * count))),
    ]);
  const body = [
    ...fillWithZeros(get(histogram), get(histogramBytes)),
    ...set(unrolledEnd, subtract(get(rowsEnd), constant(4 * UNROLLED - 1))),
    ...addRows(unrolledEnd, UNROLLED),
    ...addRows(rowsEnd, 1),
  ];
  return { name: "histogram", parameters: 6, locals: 2, returnsInt: false, body };
}

function subtractLoop() {
  const [target, other, targetEnd] = [0, 1, 2];
  const body = loopUntil(notBelow(get(target), get(targetEnd)), [
    ...storePair(get(target), subtractPairs(loadPair(get(target)), loadPair(get(other)))),
    ...set(target, add(get(target), constant(16))),
    ...set(other, add(get(other), constant(16))),
  ]);
  return { name: "subtract", parameters: 3, locals: 0, returnsInt: false, body };
}

function gatherLoop() {
  const [statistics, rows, rowsEnd, ordered] = [0, 1, 2, 3];
  const source = add(get(statistics), shiftLeft(loadInt(get(rows)), STATISTICS_BITS));
  const body = loopUntil(notBelow(get(rows), get(rowsEnd)), [
    ...storePair(get(ordered), loadPair(source)),
    ...set(rows, add(get(rows), constant(4))),
    ...set(ordered, add(get(ordered), constant(16))),
  ]);
  return { name: "gather", parameters: 4, locals: 0, returnsInt: false, body };
}

/** Without a branch: each row is written to both sides, and only one side moves on. */
function partitionLoop() {
  const [bins, rows, rowsEnd, goesLeft, scratch, right, left, row, step] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const body = [
    ...set(left, get(rows)),
    ...set(right, get(scratch)),
    ...loopUntil(notBelow(get(rows), get(rowsEnd)), [
      ...set(row, loadInt(get(rows))),
      ...set(step, shiftLeft(loadByte(add(get(goesLeft), loadByte(add(get(bins), get(row))))), 2)),
      ...storeInt(get(left), get(row)),
      ...storeInt(get(right), get(row)),
      ...set(left, add(get(left), get(step))),
      ...set(right, add(get(right), subtract(constant(4), get(step)))),
      ...set(rows, add(get(rows), constant(4))),
    ]),
    ...copyBytes(get(left), get(scratch), subtract(get(right), get(scratch))),
    ...get(left),
  ];
  return { name: "partition", parameters: 5, locals: 4, returnsInt: true, body };
}
