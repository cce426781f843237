import { expect, test } from "vitest";
import { solveCholesky } from "../../../src/learning/algebra/cholesky.ts";
import { fitKernelRidge, predictKernelRidge } from "../../../src/learning/kernel/kernel-ridge.ts";
import { farthest, normalMatrix, targetOf } from "./made-data.ts";

const matrix = normalMatrix(120, 3, 1);
const curved = targetOf(matrix, (a, b, c) => Math.sin(2 * a) + b * c + 4);
const straight = targetOf(matrix, (a, b) => a - b);
const both = Float64Array.from([...curved, ...straight]);

test("a kernel regression is the solution of its equations, for every output", () => {
  const l2 = 0.2;
  const model = fitKernelRidge(matrix, both, { l2, reach: 0.8, iterations: 400 });
  const kernel = new Float64Array(120 * 120);
  for (let i = 0; i < 120; i++)
    for (let j = 0; j < 120; j++) {
      let distance = 0;
      for (let c = 0; c < 3; c++) distance += (matrix.values[3 * i + c] - matrix.values[3 * j + c]) ** 2;
      kernel[i * 120 + j] = Math.exp(-model.rate * distance) + (i === j ? l2 : 0);
    }
  const wanted = both.map((value, i) => value - model.means[Math.floor(i / 120)]);
  expect(solveCholesky(kernel, 120, wanted)).toBe(true);
  const found = Float64Array.from(wanted, (_, i) => model.weights[2 * (i % 120) + Math.floor(i / 120)]);
  expect(farthest(found, wanted)).toBeLessThan(0.02);
});

test("it follows curves to rows it has not seen, far better than the mean", () => {
  const train = { ...matrix, rows: 100, values: matrix.values.slice(0, 300) };
  const held = { ...matrix, rows: 20, values: matrix.values.slice(300) };
  const predicted = predictKernelRidge(
    fitKernelRidge(train, curved.slice(0, 100), { l2: 0.05, reach: 0.8 }),
    held,
  );
  const squares = (of: (row: number) => number) =>
    Array.from({ length: 20 }, (_, row) => (curved[100 + row] - of(row)) ** 2).reduce((a, b) => a + b);
  expect(squares((row) => predicted[row])).toBeLessThan(0.5 * squares(() => 4));
});

test("rows that are all the same get the mean", () => {
  const same = { rows: 12, columns: 2, values: new Float64Array(24).fill(3) };
  const target = Float64Array.from({ length: 12 }, (_, i) => i);
  const predicted = predictKernelRidge(fitKernelRidge(same, target, { l2: 1, reach: 1 }), same);
  for (const value of predicted) expect(value).toBeCloseTo(5.5, 3);
});
