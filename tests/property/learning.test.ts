import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binFeatures } from "../../src/learning/boosting/bins.ts";
import { fitBoosting, predictBoosting } from "../../src/learning/boosting/boost.ts";
import { losses } from "../../src/learning/boosting/losses.ts";
import {
  forwardFolds,
  groupedFolds,
  rowsOfFold,
  shuffledFolds,
  stratifiedFolds,
} from "../../src/learning/features/folds.ts";
import { hashNgrams } from "../../src/learning/features/ngrams.ts";
import { measureScaling, standardise } from "../../src/learning/features/standardise.ts";

const seed = fc.integer({ min: 0, max: 2 ** 40 });
const foldCount = fc.integer({ min: 2, max: 7 });
const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324),
  fc.integer({ min: -3, max: 3 }),
);
const matrix = fc
  .record({ rows: fc.integer({ min: 1, max: 60 }), columns: fc.integer({ min: 1, max: 4 }) })
  .chain(({ rows, columns }) =>
    fc
      .array(anyNumber, { minLength: rows * columns, maxLength: rows * columns })
      .map((values) => ({ rows, columns, values: Float64Array.from(values) })),
  );

describe("folds", () => {
  test("of a shuffle differ in size by one at most, and are the same for the same seed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), foldCount, seed, (rows, folds, start) => {
        const found = shuffledFolds(rows, folds, start);
        const sizes = Array.from({ length: folds }, (_, fold) => found.filter((own) => own === fold).length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(shuffledFolds(rows, folds, start)).toEqual(found);
      }),
    );
  });

  test("by strata have every label in each fold as often, to one", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 })), foldCount, seed, (labels, folds, start) => {
        const found = stratifiedFolds(labels, folds, start);
        for (const label of new Set(labels)) {
          const sizes = Array.from(
            { length: folds },
            (_, fold) => found.filter((own, row) => own === fold && labels[row] === label).length,
          );
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test("by groups never part a group", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 })), foldCount, seed, (groups, folds, start) => {
        const found = groupedFolds(groups, folds, start);
        const foldOf = new Map(groups.map((group, row) => [group, found[row]]));
        for (const [row, group] of groups.entries()) expect(found[row]).toBe(foldOf.get(group));
      }),
    );
  });

  test("forward in time never train on a moment that is not before all they validate on", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 })), foldCount, (moments, folds) => {
        const times = Float64Array.from(moments);
        const seen = new Set<number>();
        for (const { train, validation } of forwardFolds(times, folds)) {
          expect(validation.length).toBeGreaterThan(0);
          const latest = Math.max(...train.map((row) => times[row]));
          for (const row of validation) {
            expect(times[row]).toBeGreaterThan(latest);
            expect(seen.has(row)).toBe(false);
            seen.add(row);
          }
        }
      }),
    );
  });

  test("part the rows completely", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), foldCount, seed, (rows, folds, start) => {
        const { train, validation } = rowsOfFold(shuffledFolds(rows, folds, start), 0);
        expect([...train, ...validation].sort((a, b) => a - b)).toEqual(
          Array.from({ length: rows }, (_, i) => i),
        );
      }),
    );
  });
});

test("any numbers can be binned: order is kept, and only NaN is missing", () => {
  fc.assert(
    fc.property(matrix, fc.integer({ min: 2, max: 255 }), (data, maxBins) => {
      const { bins, features } = binFeatures(data, { maxBins });
      for (let column = 0; column < data.columns; column++) {
        const cells = Array.from({ length: data.rows }, (_, row) => ({
          value: data.values[row * data.columns + column],
          bin: bins[column * data.rows + row],
        }));
        expect(features[column].count).toBeLessThanOrEqual(maxBins);
        for (const { value, bin } of cells) expect(bin === features[column].count).toBe(Number.isNaN(value));
        const present = cells
          .filter(({ value }) => !Number.isNaN(value))
          .sort((a, b) => (a.value < b.value ? -1 : 1));
        for (let i = 1; i < present.length; i++) {
          if (present[i].value > present[i - 1].value)
            expect(present[i].bin).toBeGreaterThanOrEqual(present[i - 1].bin);
        }
      }
    }),
  );
});

test("boosting on any features predicts numbers within the range of its targets' means", () => {
  fc.assert(
    fc.property(
      matrix,
      fc.infiniteStream(fc.double({ min: -1e6, max: 1e6, noNaN: true })),
      (data, stream) => {
        const target = Float64Array.from(stream.take(data.rows));
        const model = fitBoosting(binFeatures(data), target, {
          loss: "squared",
          trees: 5,
          minSamplesLeaf: 1,
        });
        const [low, high] = [Math.min(...target), Math.max(...target)];
        const slack = 1e-6 * (high - low) + 1e-9;
        for (const value of predictBoosting(model, data)) {
          expect(value).toBeGreaterThanOrEqual(low - slack);
          expect(value).toBeLessThanOrEqual(high + slack);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("a softmax link gives probabilities for any scores", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1e300, max: 1e300, noNaN: true }), { minLength: 6, maxLength: 6 }),
      (scores) => {
        const raw = Float64Array.from(scores);
        losses.softmax.link(raw, 3);
        for (const row of [0, 1]) expect(raw[row] + raw[row + 2] + raw[row + 4]).toBeCloseTo(1, 12);
      },
    ),
  );
});

test("any texts can be hashed, and each row depends on its own text alone", () => {
  const options = { words: [1, 2], characters: [2, 4], bits: 12 } as const;
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (texts) => {
      const all = hashNgrams(texts, options);
      for (const [row, text] of texts.entries()) {
        const own = hashNgrams([text], options);
        expect(all.indices.slice(all.starts[row], all.starts[row + 1])).toEqual(own.indices);
      }
    }),
  );
});

test("whatever is standardised is finite", () => {
  fc.assert(
    fc.property(matrix, (data) => {
      const small = {
        ...data,
        values: data.values.map((value) => (Math.abs(value) > 1e150 ? Number.NaN : value)),
      };
      for (const value of standardise(small, measureScaling(small)).values)
        expect(Number.isFinite(value)).toBe(true);
    }),
  );
});
