import fc from "fast-check";
import { expect, test } from "vitest";
import { averageRanks } from "../../src/metrics/arithmetic/ranks.ts";
import { averagePrecision } from "../../src/metrics/classification/average-precision.ts";
import { labelWeightedLrap } from "../../src/metrics/classification/lwlrap.ts";
import { macroF1 } from "../../src/metrics/classification/macro-f1.ts";
import { matthewsCorrelation } from "../../src/metrics/classification/matthews.ts";
import { quadraticWeightedKappa } from "../../src/metrics/classification/quadratic-kappa.ts";
import { rocAuc } from "../../src/metrics/classification/roc-auc.ts";
import { pearson } from "../../src/metrics/regression/pearson.ts";
import { spearman } from "../../src/metrics/regression/spearman.ts";
import { averagePrecisionAtK } from "../../src/metrics/sequences/average-precision-at-k.ts";
import { countInversions } from "../../src/metrics/sequences/inversions.ts";
import { levenshtein, levenshteinOf } from "../../src/metrics/sequences/levenshtein.ts";
import { introsortOrder } from "../../src/table/rows/introsort.ts";

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

const score = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
);
const judgedRows = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), score), {
  minLength: 1,
  maxLength: 300,
});
const labelPairs = fc.array(fc.tuple(fc.integer({ min: -2, max: 4 }), fc.integer({ min: -2, max: 4 })), {
  minLength: 1,
  maxLength: 60,
});
const numberPairs = fc.array(fc.tuple(score, score), { minLength: 3, maxLength: 200 });

function unzip(pairs: [number, number][]): [Float64Array, Float64Array] {
  return [Float64Array.from(pairs, ([first]) => first), Float64Array.from(pairs, ([, second]) => second)];
}

test("AUC is the share of pairs in the right order, ties counting half", () => {
  fc.assert(
    fc.property(judgedRows, (rows) => {
      const [truth, scores] = unzip(rows);
      const positives = scores.filter((_, i) => truth[i] === 1);
      const negatives = scores.filter((_, i) => truth[i] === 0);
      const area = rocAuc(truth, scores);
      let wins = 0;
      for (const p of positives) for (const n of negatives) wins += p > n ? 1 : p === n ? 0.5 : 0;
      const pairs = positives.length * negatives.length;
      if (pairs === 0) expect(area).toBeNull();
      else expect(area).toBeCloseTo(wins / pairs, 12);
    }),
  );
});

test("average precision is the sum of precision times gained recall over thresholds", () => {
  fc.assert(
    fc.property(judgedRows, (rows) => {
      const [truth, scores] = unzip(rows);
      const all = sum(Array.from(truth));
      const found = averagePrecision(truth, scores);
      let expected = 0;
      let before = 0;
      for (const threshold of [...new Set(scores)].sort((a, b) => b - a)) {
        const chosen = rows.filter(([, value]) => value >= threshold);
        const hits = sum(chosen.map(([label]) => label));
        expected += all === 0 ? 0 : ((hits - before) / all) * (hits / chosen.length);
        before = hits;
      }
      if (all === truth.length) expect(found).toBeNull();
      else expect(found).toBeCloseTo(expected, 12);
    }),
  );
});

test("edit distance agrees with the full table, also beyond one machine word", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", "\u{10ffff}"), maxLength: 150 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const expected = tableDistance([...a], [...b]);
      expect(levenshtein(a, b)).toBe(expected);
      const codes = (s: string): number[] => Array.from(s, (c) => c.codePointAt(0)! * -1e9);
      expect(levenshteinOf(codes(a), codes(b))).toBe(expected);
    }),
  );
});

function tableDistance(a: string[], b: string[]): number {
  let row = range(b.length + 1);
  a.forEach((left, i) => {
    const next = [i + 1];
    b.forEach((right, j) => {
      next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + (left === right ? 0 : 1)));
    });
    row = next;
  });
  return row[b.length];
}

test("inversions agree with counting every pair", () => {
  fc.assert(
    fc.property(fc.int32Array({ maxLength: 80, min: -20, max: 20 }), (ranks) => {
      let expected = 0;
      ranks.forEach((left, i) => {
        for (const right of ranks.subarray(i + 1)) if (left > right) expected++;
      });
      expect(countInversions(ranks)).toBe(expected);
    }),
  );
});

test("macro F1 agrees with precision and recall per class", () => {
  fc.assert(
    fc.property(labelPairs, (pairs) => {
      const [truth, predicted] = unzip(pairs);
      const labels = [...new Set([...truth, ...predicted])];
      const scores = labels.map((label) => {
        const hits = pairs.filter(([t, p]) => t === label && p === label).length;
        if (hits === 0) return 0;
        const precision = hits / predicted.filter((p) => p === label).length;
        const recall = hits / truth.filter((t) => t === label).length;
        return (2 * precision * recall) / (precision + recall);
      });
      expect(macroF1(truth, predicted)).toBeCloseTo(sum(scores) / labels.length, 12);
    }),
  );
});

test("Matthews correlation is the correlation of the label indicators", () => {
  fc.assert(
    fc.property(labelPairs, (pairs) => {
      const labels = [...new Set(pairs.flat())];
      const covariance = (pick: (pair: [number, number]) => [number, number]): number =>
        sum(
          labels.map((label) => {
            const ones = pairs.map((pair) => pick(pair).map((value) => Number(value === label)));
            const product = sum(ones.map(([x, y]) => x * y)) / ones.length;
            return product - (sum(ones.map(([x]) => x)) * sum(ones.map(([, y]) => y))) / ones.length ** 2;
          }),
        );
      const spread = covariance(([t]) => [t, t]) * covariance(([, p]) => [p, p]);
      const expected = spread < 1e-12 ? 0 : covariance((pair) => pair) / Math.sqrt(spread);
      expect(matthewsCorrelation(...unzip(pairs))).toBeCloseTo(expected, 9);
    }),
  );
});

test("quadratic kappa compares the disagreement with that of all pairs of rows", () => {
  fc.assert(
    fc.property(labelPairs, (pairs) => {
      const [truth, predicted] = unzip(pairs);
      const labels = [...new Set([...truth, ...predicted])].sort((a, b) => a - b);
      const gap = (t: number, p: number): number => (labels.indexOf(t) - labels.indexOf(p)) ** 2;
      const observed = sum(pairs.map(([t, p]) => gap(t, p))) * pairs.length;
      const expected = sum(pairs.map(([t]) => sum(pairs.map(([, p]) => gap(t, p)))));
      const kappa = quadraticWeightedKappa(truth, predicted);
      if (expected === 0) expect(kappa).toBeNaN();
      else expect(kappa).toBeCloseTo(1 - observed / expected, 10);
    }),
  );
});

test("LWLRAP pools the precision at every true label", () => {
  const row = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 4 })), {
    minLength: 7,
    maxLength: 7,
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
      const column = (part: 0 | 1): Float64Array[] =>
        range(7).map((label) => Float64Array.from(rows, (cells) => cells[label][part]));
      const precisions = rows.flatMap((cells) =>
        cells
          .filter(([isTrue]) => isTrue === 1)
          .map(([, own]) => {
            const above = cells.filter(([, other]) => other >= own);
            return above.filter(([isTrue]) => isTrue === 1).length / above.length;
          }),
      );
      const value = labelWeightedLrap(column(0), column(1));
      if (precisions.length === 0) expect(value).toBeNull();
      else expect(value).toBeCloseTo(sum(precisions) / precisions.length, 12);
    }),
  );
});

test("AP@k is the mean precision at the first occurrence of each true entry", () => {
  const entry = fc.constantFrom("a", "b", "c", "d", "");
  fc.assert(
    fc.property(
      fc.uniqueArray(entry),
      fc.array(entry, { maxLength: 9 }),
      fc.integer({ min: 1, max: 7 }),
      (truth, list, k) => {
        const actual = new Set(truth);
        const cut = list.slice(0, k);
        const hits = range(cut.length).filter((i) => actual.has(cut[i]) && cut.indexOf(cut[i]) === i);
        const expected = sum(hits.map((rank, found) => (found + 1) / (rank + 1)));
        const bound = Math.min(actual.size, k);
        expect(averagePrecisionAtK(actual, list, k)).toBe(bound === 0 ? 0 : expected / bound);
      },
    ),
  );
});

test("a rank is one plus the smaller values plus half of the other equal ones", () => {
  fc.assert(
    fc.property(fc.array(score, { maxLength: 200 }), (values) => {
      const expected = values.map((own) => {
        const smaller = values.filter((other) => other < own).length;
        return 1 + smaller + (values.filter((other) => other === own).length - 1) / 2;
      });
      expect(Array.from(averageRanks(Float64Array.from(values)))).toEqual(expected);
    }),
  );
});

test("Pearson agrees with the textbook quotient and Spearman with Pearson of the ranks", () => {
  fc.assert(
    fc.property(numberPairs, (pairs) => {
      const [x, y] = unzip(pairs);
      const ranked = pearson(averageRanks(x), averageRanks(y));
      if (Number.isNaN(ranked)) expect(spearman(x, y)).toBeNaN();
      else expect(spearman(x, y)).toBeCloseTo(ranked, 12);

      const [xRanks, yRanks] = [Array.from(averageRanks(x)), Array.from(averageRanks(y))];
      const centre = (pairs.length + 1) / 2;
      const products = sum(xRanks.map((rank, i) => (rank - centre) * (yRanks[i] - centre)));
      const squares = (ranks: number[]): number => sum(ranks.map((rank) => (rank - centre) ** 2));
      const textbook = products / Math.sqrt(squares(xRanks) * squares(yRanks));
      if (Number.isNaN(textbook)) expect(ranked).toBeNaN();
      else expect(ranked).toBeCloseTo(textbook, 12);
    }),
  );
});

test("the introsort order is a permutation that sorts", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 400 }), (keys) => {
      const order = introsortOrder(keys.length, (a, b) => keys[a] < keys[b]);
      expect(Array.from(order).sort((a, b) => a - b)).toEqual(range(keys.length));
      const sorted = Array.from(order, (position) => keys[position]);
      expect(sorted).toEqual(keys.toSorted((a, b) => a - b));
    }),
  );
});
