import { solveCholesky } from "../../../learning/algebra/cholesky.ts";
import type { DenseMatrix } from "../../../learning/matrix.ts";
import { predictNetwork } from "../../../learning/networks/network.ts";
import { fitPerceptron } from "../../../learning/networks/perceptron.ts";
import { randomNormal, seededRandom } from "../../../learning/seeded-random.ts";
import { itemCounts, pairCounts } from "./counting.ts";
import type { Package, Recommender } from "./packages.ts";

/** The items that occur most often, and where each stands among them. */
function commonest(counts: Float64Array, count: number) {
  const kept = Array.from(counts.keys())
    .sort((a, b) => counts[b] - counts[a] || a - b)
    .slice(0, count);
  return { kept, placeOf: new Map(kept.map((item, place) => [item, place])) };
}

/**
 * Each item foretold from the others by least squares with a penalty, none from itself (Steck's "EASE"): in closed form,
 * the inverse of one matrix. Only among the commonest items; the rest keep their popularity.
 */
export function linearItems(options: {
  readonly items: number;
  readonly l2: number;
  readonly withCases: boolean;
}): Recommender {
  return ({ known, cases, items }) => {
    const all = options.withCases ? [...known, ...cases] : known;
    const counts = itemCounts(all, items);
    const { kept, placeOf } = commonest(counts, options.items);
    const size = kept.length;
    const pairs = pairCounts(all, items);
    const gram = Float64Array.from(
      { length: size * size },
      (_, at) => pairs[kept[Math.floor(at / size)] * items + kept[at % size]],
    );
    for (let i = 0; i < size; i++) gram[i * size + i] = counts[kept[i]] + options.l2;
    const inverse = new Float64Array(size * size);
    for (let i = 0; i < size; i++) inverse[i * size + i] = 1;
    if (!solveCholesky(gram, size, inverse)) throw new Error("The penalty is too small.");
    return ({ needs }) => {
      const scores = counts.map((count) => -1 + 1e-6 * count);
      for (const item of kept) scores[item] = 0;
      for (const need of needs) {
        const own = placeOf.get(need);
        if (own === undefined) continue;
        for (let j = 0; j < size; j++) {
          if (j !== own) scores[kept[j]] -= inverse[own * size + j] / inverse[j * size + j];
        }
      }
      return scores;
    };
  };
}

export interface FactorOptions {
  readonly factors: number;
  readonly rounds: number;
  readonly l2: number;
  /** How much more an item needed counts than one not needed. */
  readonly confidence: number;
  readonly seed: number;
}

/** Factors of packages and items by alternating least squares, for needs that are there or not (Hu and others). */
export function alternatingFactors(options: FactorOptions): Recommender {
  return ({ known, cases, items }) => {
    const { factors: size } = options;
    const lists = [...known, ...cases].map(({ needs }) => needs);
    const holders: number[][] = Array.from({ length: items }, () => []);
    for (const [row, needs] of lists.entries()) for (const item of needs) holders[item].push(row);
    const random = seededRandom(options.seed);
    const ofItems = Float64Array.from({ length: items * size }, () => 0.1 * randomNormal(random));
    const ofLists = new Float64Array(lists.length * size);
    for (let round = 0; round < options.rounds; round++) {
      solveFactors(ofLists, lists, ofItems, options);
      solveFactors(ofItems, holders, ofLists, options);
    }
    return ({ needs }) => {
      const own = new Float64Array(size);
      solveFactors(own, [needs], ofItems, options);
      return Float64Array.from({ length: items }, (_, item) => {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += own[k] * ofItems[item * size + k];
        return sum;
      });
    };
  };
}

function solveFactors(
  into: Float64Array,
  lists: readonly (readonly number[])[],
  others: Float64Array,
  { factors: size, l2, confidence }: FactorOptions,
): void {
  const shared = new Float64Array(size * size);
  for (let at = 0; at < others.length; at += size) addOuter(shared, others, at, size, 1);
  for (let k = 0; k < size; k++) shared[k * size + k] += l2;
  for (const [row, list] of lists.entries()) {
    const matrix = shared.slice();
    const side = new Float64Array(size);
    for (const other of list) {
      addOuter(matrix, others, other * size, size, confidence);
      for (let k = 0; k < size; k++) side[k] += (1 + confidence) * others[other * size + k];
    }
    solveCholesky(matrix, size, side);
    into.set(side, row * size);
  }
}

/** Only the lower half: the solver reads no more. */
function addOuter(matrix: Float64Array, of: Float64Array, at: number, size: number, weight: number): void {
  for (let i = 0; i < size; i++) {
    const value = weight * of[at + i];
    for (let j = 0; j <= i; j++) matrix[i * size + j] += value * of[at + j];
  }
}

/** A network that completes lists: it sees two thirds of the commonest items of a list and learns to name them all. */
export function completingNetwork(options: {
  readonly items: number;
  readonly hidden: number;
  readonly epochs: number;
  readonly seed: number;
}): Recommender {
  return ({ known, items }) => {
    const counts = itemCounts(known, items);
    const { kept, placeOf } = commonest(counts, options.items);
    const random = seededRandom(options.seed);
    const inputs = marks(known, placeOf, () => random() < 2 / 3);
    const target = new Float64Array(known.length * kept.length);
    for (const [row, { needs }] of known.entries()) {
      for (const item of needs) {
        const place = placeOf.get(item);
        if (place !== undefined) target[place * known.length + row] = 1;
      }
    }
    const network = fitPerceptron(inputs, target, {
      loss: "log",
      outputs: kept.length,
      hidden: [options.hidden],
      epochs: options.epochs,
      learningRate: 1e-2,
      seed: options.seed,
    });
    return (incomplete) => {
      const scores = counts.map((count) => 1e-9 * count);
      const output = predictNetwork(
        network,
        marks([incomplete], placeOf, () => true),
      );
      for (const [place, item] of kept.entries()) scores[item] = output[place];
      return scores;
    };
  };
}

/** A row for each list, of length 1. */
function marks(
  lists: readonly Package[],
  placeOf: ReadonlyMap<number, number>,
  isShown: () => boolean,
): DenseMatrix {
  const values = new Float32Array(lists.length * placeOf.size);
  for (const [row, { needs }] of lists.entries()) {
    for (const item of needs) {
      const place = placeOf.get(item);
      if (place !== undefined && isShown()) values[row * placeOf.size + place] = 2 / Math.sqrt(needs.length);
    }
  }
  return { rows: lists.length, columns: placeOf.size, values };
}
