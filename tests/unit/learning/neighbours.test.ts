import { describe, expect, test } from "vitest";
import { createMultiply } from "../../../src/learning/algebra/multiply.ts";
import { denseFromRows } from "../../../src/learning/matrix.ts";
import { nearestNeighbours } from "../../../src/learning/neighbours/nearest.ts";
import { neighbourMeans, neighbourShares } from "../../../src/learning/neighbours/predict.ts";
import { farthest, normalMatrix } from "./made-data.ts";

describe("matrix products", () => {
  test.each([
    [1, 1, 1],
    [4, 3, 8],
    [5, 7, 9],
    [33, 20, 17],
    [2, 300, 3],
  ])("of %i × %i by %i columns equal the sums, transposed or not", (m, k, n) => {
    const a = Float32Array.from(normalMatrix(m, k, 1).values);
    const b = Float32Array.from(normalMatrix(k, n, 2).values);
    const expected = Float64Array.from({ length: m * n }, (_, i) => {
      const [row, column] = [Math.floor(i / n), i % n];
      let sum = 0;
      for (let j = 0; j < k; j++) sum += a[row * k + j] * b[j * n + column];
      return sum;
    });
    const across = (values: Float32Array, rows: number, columns: number) =>
      values.map((_, i) => values[(i % rows) * columns + Math.floor(i / rows)]);
    const multiply = createMultiply();
    const out = new Float32Array(m * n);
    for (const left of [{ values: a }, { values: across(a, m, k), transposed: true }]) {
      for (const right of [{ values: b }, { values: across(b, k, n), transposed: true }]) {
        out.fill(Number.NaN);
        multiply(left, right, out, { m, k, n });
        expect(farthest(out, expected)).toBeLessThan(1e-4);
      }
    }
  });
});

describe("nearest neighbours", () => {
  const known = normalMatrix(2500, 6, 3);
  const queries = normalMatrix(300, 6, 4);

  test.each(["euclidean", "cosine"] as const)(
    "by %s distance are those a search one by one finds",
    (distance) => {
      const { positions, distances } = nearestNeighbours(known, queries, { k: 5, distance });
      for (let query = 0; query < queries.rows; query += 7) {
        const all = Array.from({ length: known.rows }, (_, position) => {
          const a = known.values.subarray(position * 6, position * 6 + 6);
          const b = queries.values.subarray(query * 6, query * 6 + 6);
          const dot = (x: ArrayLike<number>, y: ArrayLike<number>) =>
            Array.from(x).reduce((sum, value, j) => sum + value * y[j], 0);
          const apart =
            distance === "cosine"
              ? 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
              : Math.hypot(...a.map((value, j) => value - b[j]));
          return { position, apart };
        }).sort((one, other) => one.apart - other.apart);
        expect([...positions.subarray(query * 5, query * 5 + 5)]).toEqual(
          all.slice(0, 5).map(({ position }) => position),
        );
        expect(
          farthest(
            distances.subarray(query * 5, query * 5 + 5),
            all.slice(0, 5).map(({ apart }) => apart),
          ),
        ).toBeLessThan(1e-12);
      }
    },
  );

  test("far from the origin are still found", () => {
    const shifted = { ...known, values: known.values.map((value) => value + 1e4) };
    const moved = { ...queries, values: queries.values.map((value) => value + 1e4) };
    const options = { k: 3, distance: "euclidean" } as const;
    expect(nearestNeighbours(shifted, moved, options).positions).toEqual(
      nearestNeighbours(known, queries, options).positions,
    );
  });

  test("never include the row itself when asked not to", () => {
    const { positions } = nearestNeighbours(known, known, { k: 1, distance: "euclidean", excludeSelf: true });
    for (const [row, position] of positions.entries()) expect(position).not.toBe(row);
  });

  test("are all known rows where fewer are known than asked for", () => {
    const three = denseFromRows([[0], [1], [5]]);
    const found = nearestNeighbours(three, denseFromRows([[0.9]]), { k: 10, distance: "euclidean" });
    expect([...found.positions]).toEqual([1, 0, 2]);
    expect([...neighbourMeans(found, Float64Array.of(3, 6, 9), "equal")]).toEqual([6]);
    expect([...neighbourShares(found, [0, 1, 1], 2, "equal")].map((share) => share.toFixed(3))).toEqual([
      "0.333",
      "0.667",
    ]);
  });
});
