import { describe, expect, test } from "vitest";
import { transformFourier } from "../../../src/learning/features/fft.ts";
import { categoryFrequencies, encodeFrequencies } from "../../../src/learning/features/frequency-encoding.ts";
import { gradientHistograms } from "../../../src/learning/features/gradient-histograms.ts";
import { resizeImage } from "../../../src/learning/features/gray-image.ts";
import { logMelBands, summariseFrames } from "../../../src/learning/features/mel-bands.ts";
import { hashNgrams } from "../../../src/learning/features/ngrams.ts";
import { measureScaling, standardise } from "../../../src/learning/features/standardise.ts";
import {
  encodeCategories,
  encodeOutOfFold,
  measureCategoryMeans,
} from "../../../src/learning/features/target-encoding.ts";
import { inverseFrequencies, weightByRarity } from "../../../src/learning/features/tfidf.ts";
import { denseFromRows } from "../../../src/learning/matrix.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { pearson } from "../../../src/metrics/regression/pearson.ts";
import { farthest, normalMatrix } from "./made-data.ts";

describe("n-grams", () => {
  const options = { words: [1, 2], characters: null, bits: 20 } as const;
  const total = (texts: string[], more = {}) =>
    hashNgrams(texts, { ...options, ...more }).values.reduce((sum, value) => sum + value, 0);

  test("count words and pairs of neighbouring words", () => {
    expect(total(["a b c"])).toBe(5);
    expect(total(["a"], { words: [2, 2] })).toBe(0);
  });

  test("of characters run over the text with one blank at each end", () => {
    expect(total([" ab \n"], { words: null, characters: [2, 3] })).toBe(3 + 2);
  });

  test("of equal texts are equal, whatever their case and the texts around them", () => {
    const [alone, among] = [
      hashNgrams(["Hello, World"], options),
      hashNgrams(["x y z", "hello world"], options),
    ];
    expect([...among.indices.subarray(among.starts[1])]).toEqual([...alone.indices]);
  });

  test("have ascending columns in each row, and nothing for an empty text", () => {
    const { starts, indices } = hashNgrams(["", "the cat sat on the mat"], {
      ...options,
      characters: [2, 5],
    });
    expect(starts[1]).toBe(0);
    for (let at = 1; at < indices.length; at++) expect(indices[at]).toBeGreaterThan(indices[at - 1]);
  });

  test("weighted by rarity have rows of length one", () => {
    const counts = hashNgrams(["a b", "a c c", ""], { ...options, words: [1, 1] });
    const rarity = inverseFrequencies(counts);
    const { starts, values } = weightByRarity(counts, rarity);
    for (const row of [0, 1]) {
      const own = values.subarray(starts[row], starts[row + 1]);
      expect(own.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 12);
    }
    expect(
      rarity[
        counts.indices.find((column) => counts.indices.filter((own) => own === column).length === 2) ?? 0
      ],
    ).toBeCloseTo(Math.log(4 / 3) + 1, 12);
  });
});

test("standardised columns have mean 0 and deviation 1; what is missing becomes 0 and is flagged", () => {
  const matrix = denseFromRows([
    [1, 5, Number.NaN],
    [2, 5, 4],
    [3, 5, 8],
  ]);
  const scaling = measureScaling(matrix);
  const { columns, values } = standardise(matrix, scaling);
  expect(columns).toBe(4);
  const side = Math.sqrt(1.5);
  expect(farthest(values, [-side, 0, 0, 1, 0, 0, -1, 0, side, 0, 1, 0])).toBeLessThan(1e-12);
  const far = standardise(denseFromRows([[1000, 5, Number.POSITIVE_INFINITY]]), scaling, 5);
  expect([...far.values]).toEqual([5, 0, 0, 1]);
});

describe("target encoding", () => {
  test("draws rare categories towards the mean of all, and gives unseen ones that mean", () => {
    const means = measureCategoryMeans([7, 7, 8], [1, 1, 4], [0, 1, 2], 1);
    expect([...encodeCategories([7, 8, 9], means)]).toEqual([4 / 3, 3, 2]);
  });

  test("out of fold shows no row its own target", () => {
    const random = seededRandom(1);
    const target = Float64Array.from({ length: 500 }, () => random());
    const codes = Int32Array.from({ length: 500 }, (_, row) => row >> 1);
    const folds = Uint8Array.from({ length: 500 }, (_, row) => row % 5);
    const changed = target.map((value, row) => (row === 42 ? 1e6 : value));
    const [before, after] = [
      encodeOutOfFold(codes, target, folds, 1),
      encodeOutOfFold(codes, changed, folds, 1),
    ];
    expect(after[42]).toBe(before[42]);
    expect(after[43]).not.toBe(before[43]);
    expect(Math.abs(pearson(target, before) ?? 1)).toBeLessThan(0.15);
  });
});

test("frequencies are shares of the rows; unseen categories have none", () => {
  const frequencies = categoryFrequencies([4, 4, 4, 1]);
  expect([...encodeFrequencies([1, 4, 9], frequencies)]).toEqual([0.25, 0.75, 0]);
});

describe("sound", () => {
  test.each([1, 2, 8, 64])("the fast transform of %i numbers equals the slow one", (size) => {
    const [real, imaginary] = [1, 2].map((seed) => normalMatrix(1, size, seed).values as Float64Array);
    const slow = Array.from({ length: size }, (_, k) => {
      let [re, im] = [0, 0];
      for (let n = 0; n < size; n++) {
        const angle = (-2 * Math.PI * k * n) / size;
        re += real[n] * Math.cos(angle) - imaginary[n] * Math.sin(angle);
        im += real[n] * Math.sin(angle) + imaginary[n] * Math.cos(angle);
      }
      return { re, im };
    });
    transformFourier(real, imaginary);
    expect(
      farthest(
        real,
        slow.map(({ re }) => re),
      ),
    ).toBeLessThan(1e-10);
    expect(
      farthest(
        imaginary,
        slow.map(({ im }) => im),
      ),
    ).toBeLessThan(1e-10);
  });

  test("a higher tone is loudest in a higher band", () => {
    const loudest = (hertz: number) => {
      const samples = Float64Array.from({ length: 8000 }, (_, i) =>
        Math.sin((2 * Math.PI * hertz * i) / 8000),
      );
      const { values } = logMelBands(samples, { sampleRate: 8000, bands: 20, frame: 512 });
      const first = [...values.subarray(0, 20)];
      return first.indexOf(Math.max(...first));
    };
    const bands = [150, 400, 900, 1800, 3500].map(loudest);
    expect(bands).toEqual([...new Set(bands)].sort((a, b) => a - b));
  });

  test("a recording shorter than a frame, or empty, still has one finite frame", () => {
    for (const samples of [[], [0.5, -0.5]]) {
      const frames = logMelBands(samples, { sampleRate: 8000 });
      expect(frames.rows).toBe(1);
      for (const value of summariseFrames(frames)) expect(Number.isFinite(value)).toBe(true);
    }
  });
});

describe("pictures", () => {
  test("shrunk keep their mean, and pixels are means of the area they cover", () => {
    const image = { width: 4, height: 2, pixels: Float32Array.of(1, 3, 5, 7, 1, 3, 5, 7) };
    expect([...resizeImage(image, 2, 1).pixels]).toEqual([2, 6]);
    const odd = { width: 7, height: 5, pixels: Float32Array.from(normalMatrix(5, 7, 1).values) };
    const mean = (pixels: ArrayLike<number>) =>
      Array.from(pixels).reduce((sum, value) => sum + value, 0) / pixels.length;
    expect(mean(resizeImage(odd, 3, 2).pixels)).toBeCloseTo(mean(odd.pixels), 5);
  });

  test("enlarged and shrunk again are unchanged", () => {
    const image = { width: 3, height: 3, pixels: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9) };
    expect(farthest(resizeImage(resizeImage(image, 6, 9), 3, 3).pixels, image.pixels)).toBeLessThan(1e-6);
  });

  test("an edge shows in the histogram of its direction, whatever its contrast", () => {
    const edge = (contrast: number, upright: boolean) => ({
      width: 16,
      height: 16,
      pixels: Float32Array.from({ length: 256 }, (_, i) =>
        contrast * (upright ? i % 16 : i >> 4) > 7.5 * contrast ? contrast : 0,
      ),
    });
    const upright = gradientHistograms(edge(100, true), { cells: 2, directions: 4 });
    expect(farthest(gradientHistograms(edge(200, true), { cells: 2, directions: 4 }), upright)).toBeLessThan(
      1e-5,
    );
    const byDirection = (histogram: Float64Array) =>
      [0, 1, 2, 3].map((d) => histogram.reduce((sum, value, i) => sum + (i % 4 === d ? value : 0), 0));
    expect(byDirection(upright).map((sum) => sum > 0.1)).toEqual([true, false, false, false]);
    const flat = byDirection(gradientHistograms(edge(100, false), { cells: 2, directions: 4 }));
    expect(flat.map((sum) => sum > 0.1)).toEqual([false, false, true, false]);
  });
});
