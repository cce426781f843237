import { describe, expect, test } from "vitest";
import { arenaBytes } from "../../../src/learning/boosting/arena.ts";
import * as cost from "../../../src/learning/cost.ts";

type Sizes = Record<string, number>;

const MODELS: [string, (sizes: Sizes) => number, Sizes][] = [
  ["boosting", (s) => cost.boostingSeconds(s as never), { rows: 1000, features: 10, trees: 50, leaves: 31 }],
  [
    "a forest",
    (s) => cost.forestSeconds({ ...s, kind: "extra" } as never),
    { rows: 1000, features: 10, trees: 50 },
  ],
  [
    "logistic regression",
    (s) => cost.logisticSeconds(s as never),
    { rows: 1000, entries: 30_000, outputs: 3, iterations: 50 },
  ],
  ["ridge", (s) => cost.ridgeSeconds(s as never), { rows: 1000, columns: 20 }],
  ["neighbours", (s) => cost.neighbourSeconds(s as never), { known: 1000, queries: 500, columns: 20 }],
  [
    "label sets",
    (s) => cost.labelSetSeconds(s as never),
    { rows: 1000, entries: 30_000, labels: 20, epochs: 10 },
  ],
  [
    "a kernel",
    (s) => cost.kernelRidgeSeconds(s as never),
    { rows: 1000, asked: 500, columns: 20, outputs: 10 },
  ],
  [
    "a network from pictures to pictures",
    (s) => cost.pictureNetworkSeconds(s as never),
    { products: 5000, pixels: 784, trained: 100, epochs: 5, predicted: 20 },
  ],
  [
    "a network for classes of pictures",
    (s) => cost.pictureClassesSeconds(s as never),
    { rows: 1000, epochs: 5, pixels: 784, products: 1e6 },
  ],
  [
    "a recurrent network",
    (s) => cost.sequenceLabelsSeconds(s as never),
    { signs: 1000, epochs: 5, size: 64, labels: 100 },
  ],
  [
    "a convolutional network",
    (s) => cost.convolutionalSeconds(s as never),
    { rows: 1000, epochs: 5, pixels: 784 },
  ],
];

describe.each(MODELS)("the seconds expected of %s", (_name, seconds, sizes) => {
  test.each(Object.keys(sizes))("grow with %s", (key) => {
    expect(seconds({ ...sizes, [key]: 2 * sizes[key] })).toBeGreaterThan(seconds(sizes));
  });
});

test("two threads are expected to be faster than one, but not twice as fast", () => {
  const fit = { rows: 100_000, features: 20, trees: 100 };
  const [one, two] = [cost.boostingSeconds(fit), cost.boostingSeconds({ ...fit, threads: 2 })];
  expect(two).toBeLessThan(one);
  expect(two).toBeGreaterThan(one / 2);
});

test("a perceptron's seconds grow with the sizes of its layers", () => {
  const fit = { rows: 1000, epochs: 5, sizes: [20, 32, 1] };
  expect(cost.perceptronSeconds({ ...fit, sizes: [20, 64, 1] })).toBeGreaterThan(cost.perceptronSeconds(fit));
});

test("the memory of a fit is known beforehand", () => {
  const features = Array.from({ length: 20 }, () => ({ count: 255 }));
  const bytes = arenaBytes(1_000_000, features, 31);
  expect(bytes).toBeGreaterThan(20e6 + 40e6);
  expect(bytes).toBeLessThan(80e6);
});
