import { expect, test } from "vitest";
import { denseFromRows, joinColumns, takeRows } from "../../../src/learning/matrix.ts";

test("rows are taken in the order given, twice if named twice", () => {
  const dense = denseFromRows([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  expect([...takeRows(dense, [2, 0, 2]).values]).toEqual([5, 6, 1, 2, 5, 6]);
  const sparse = {
    rows: 3,
    columns: 9,
    starts: Uint32Array.of(0, 2, 2, 3),
    indices: Uint32Array.of(1, 8, 4),
    values: Float64Array.of(7, 8, 9),
  };
  expect(takeRows(sparse, [2, 1, 0])).toEqual({
    rows: 3,
    columns: 9,
    starts: Uint32Array.of(0, 1, 1, 3),
    indices: Uint32Array.of(4, 1, 8),
    values: Float64Array.of(9, 7, 8),
  });
});

test("matrices are joined side by side", () => {
  const joined = joinColumns([
    denseFromRows([[1], [2]]),
    denseFromRows([
      [3, 4],
      [5, 6],
    ]),
  ]);
  expect(joined).toEqual({ rows: 2, columns: 3, values: Float64Array.of(1, 3, 4, 2, 5, 6) });
});
