import { itemCounts } from "./counting.ts";
import { bestItems, type Package, type Recommender } from "./packages.ts";

export interface NeighbourOptions {
  readonly k: number;
  /** What a shared section, and shared letters of the name, are worth beside shared items. */
  readonly section: number;
  readonly letters: number;
  /** Letters in a row that are compared. */
  readonly width: number;
  readonly rarity: number;
  readonly power: number;
  readonly items: boolean;
}

/** What the packages most alike need: alike in their lists, their names and their sections. */
export function nearestPackages(options: NeighbourOptions): Recommender {
  return ({ known, items }) => {
    const counts = itemCounts(known, items);
    const holders = new Map<string, { row: number; weight: number }[]>();
    const marksOf = (one: Package) => weightedMarks(one, counts, known.length, options);
    for (const [row, one] of known.entries()) {
      for (const [mark, weight] of marksOf(one)) {
        const own = holders.get(mark);
        if (own) own.push({ row, weight });
        else holders.set(mark, [{ row, weight }]);
      }
    }
    return (incomplete) => {
      const alike = new Float64Array(known.length);
      for (const [mark, weight] of marksOf(incomplete)) {
        for (const holder of holders.get(mark) ?? []) alike[holder.row] += weight * holder.weight;
      }
      const scores = counts.map((count) => 1e-9 * count);
      for (const row of bestItems(alike, [], options.k)) {
        const weight = alike[row] ** options.power;
        for (const item of known[row].needs) scores[item] += weight;
      }
      return scores;
    };
  };
}

/** Each kind of mark is scaled to its own length, so that a long list does not drown the name. */
function weightedMarks(
  one: Package,
  counts: Float64Array,
  packages: number,
  options: NeighbourOptions,
): [string, number][] {
  const needs = options.items
    ? one.needs.map((item): [string, number] => [
        `item ${item}`,
        Math.log(packages / (1 + counts[item])) ** options.rarity,
      ])
    : [];
  const padded = `^${one.name}$`;
  const letters = Array.from(
    { length: Math.max(0, padded.length - options.width + 1) },
    (_, i): [string, number] => [`letters ${padded.slice(i, i + options.width)}`, 1],
  );
  return [
    ...scaled(needs, 1),
    ...scaled(options.letters > 0 ? letters : [], options.letters),
    ...scaled(options.section > 0 ? [[`section ${one.section}`, 1]] : [], options.section),
  ];
}

function scaled(marks: readonly [string, number][], worth: number): [string, number][] {
  const length = Math.sqrt(marks.reduce((sum, [, weight]) => sum + weight * weight, 0));
  return length === 0 ? [] : marks.map(([mark, weight]) => [mark, (Math.sqrt(worth) * weight) / length]);
}

/** The whole list of the one package whose name begins most alike; of equal ones the more popular items. */
export const likeliestName: Recommender = ({ known, items }) => {
  const counts = itemCounts(known, items);
  return ({ name }) => {
    const scores = counts.map((count) => 1e-9 * count);
    for (const one of known) {
      let shared = 0;
      while (shared < name.length && shared < one.name.length && name[shared] === one.name[shared]) shared++;
      for (const item of one.needs) scores[item] = Math.max(scores[item], shared + 1e-4 * counts[item]);
    }
    return scores;
  };
};
