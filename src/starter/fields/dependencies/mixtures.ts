import { binFeatures } from "../../../learning/boosting/bins.ts";
import { type BoostingOptions, fitBoosting, predictBoosting } from "../../../learning/boosting/boost.ts";
import { measureScaling, standardise } from "../../../learning/features/standardise.ts";
import { fitLogistic, predictLogistic } from "../../../learning/linear/logistic.ts";
import type { DenseMatrix } from "../../../learning/matrix.ts";
import { itemCounts } from "./counting.ts";
import {
  bestItems,
  meanPrecision,
  type Package,
  type Recommender,
  type Rehearsal,
  rehearse,
} from "./packages.ts";

const REHEARSED = 900;
const MAX_SWEEPS = 2;
const STEPS = [0, 0.5, 2, 4];

/** Scores brought to one scale: the best of a list is 1. */
function scaled(scores: Float64Array): Float64Array {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const score of scores) {
    if (score < low) low = score;
    if (score > high) high = score;
  }
  return scores.map((score) => (score - low) / Math.max(high - low, 1e-12));
}

/** The sum of several scores with these weights. */
export function weighted(members: readonly Recommender[], weights: readonly number[]): Recommender {
  return (shop) => {
    const scorers = members.map((member) => member(shop));
    return (incomplete) =>
      sum(
        scorers.map((score) => scaled(score(incomplete))),
        weights,
      );
  };
}

function sum(scores: readonly Float64Array[], weights: readonly number[]): Float64Array {
  const total = new Float64Array(scores[0].length);
  for (const [i, own] of scores.entries()) {
    if (weights[i] === 0) continue;
    for (let item = 0; item < own.length; item++) total[item] += weights[i] * own[item];
  }
  return total;
}

/** The sum with the weights that would have been best where a third of complete lists is hidden. */
export function tuned(members: readonly Recommender[], seed: number): Recommender {
  return (shop) => {
    const rehearsal = rehearse(shop, REHEARSED, seed);
    const scores = scoresOf(members, rehearsal);
    const value = (weights: readonly number[]) =>
      meanPrecision(rehearsal, (_, row) => sum(scores[row], weights));
    let weights = members.map(() => 1);
    let best = value(weights);
    for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
      for (const [i] of members.entries()) {
        for (const step of STEPS) {
          const tried = weights.with(i, weights[i] * step);
          if (tried.every((weight) => weight === 0)) continue;
          const found = value(tried);
          if (found > best) [weights, best] = [tried, found];
        }
      }
    }
    return weighted(members, weights)(shop);
  };
}

function scoresOf(members: readonly Recommender[], { shop }: Rehearsal): Float64Array[][] {
  const scorers = members.map((member) => member(shop));
  return shop.cases.map((incomplete) => scorers.map((score) => scaled(score(incomplete))));
}

/** How the candidates that the members put forward are told apart. */
export type Judge =
  | { readonly kind: "boosting"; readonly options: BoostingOptions }
  | { readonly kind: "logistic"; readonly l2: number };

/** The best candidates of all members, put in order by a model that learned from rehearsed cases which ones are hits. */
export function judged(
  members: readonly Recommender[],
  judge: Judge,
  candidates: number,
  seed: number,
): Recommender {
  return (shop) => {
    const rehearsal = rehearse(shop, REHEARSED, seed);
    const learned = candidateRows(members, candidates, rehearsal.shop);
    const rows: number[][] = [];
    const hits: number[] = [];
    for (const [row, incomplete] of rehearsal.shop.cases.entries()) {
      const own = learned(incomplete);
      rows.push(...own.features);
      hits.push(...own.items.map((item) => Number(rehearsal.hidden[row].has(String(item)))));
    }
    const model = fitJudge(matrixOf(rows), Float64Array.from(hits), judge);
    const candidatesOf = candidateRows(members, candidates, shop);
    return (incomplete) => {
      const { items, features } = candidatesOf(incomplete);
      const scores = new Float64Array(shop.items).fill(-1);
      const probabilities = model(matrixOf(features));
      for (const [i, item] of items.entries()) scores[item] = probabilities[i];
      return scores;
    };
  };
}

function candidateRows(members: readonly Recommender[], count: number, shop: Parameters<Recommender>[0]) {
  const scorers = members.map((member) => member(shop));
  const popularity = itemCounts(shop.known, shop.items);
  return (incomplete: Package) => {
    const scores = scorers.map((score) => scaled(score(incomplete)));
    const lists = scores.map((own) => bestItems(own, incomplete.needs, count));
    const items = [...new Set(lists.flat())].sort((a, b) => a - b);
    const features = items.map((item) => [
      ...scores.map((own) => own[item]),
      ...lists.map((list) => (list.includes(item) ? list.indexOf(item) : count)),
      Math.log(1 + popularity[item]),
      incomplete.needs.length,
    ]);
    return { items, features };
  };
}

function matrixOf(rows: readonly (readonly number[])[]): DenseMatrix {
  const columns = rows[0]?.length ?? 0;
  const values = new Float64Array(rows.length * columns);
  for (const [row, own] of rows.entries()) values.set(own, row * columns);
  return { rows: rows.length, columns, values };
}

function fitJudge(
  matrix: DenseMatrix,
  hits: Float64Array,
  judge: Judge,
): (matrix: DenseMatrix) => Float64Array {
  if (judge.kind === "boosting") {
    const model = fitBoosting(binFeatures(matrix), hits, judge.options);
    return (rows) => predictBoosting(model, rows);
  }
  const scaling = measureScaling(matrix);
  const model = fitLogistic(standardise(matrix, scaling), hits, { classes: 2, l2: judge.l2, iterations: 60 });
  return (rows) => predictLogistic(model, standardise(rows, scaling));
}
