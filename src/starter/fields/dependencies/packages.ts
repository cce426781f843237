import { join } from "node:path";
import { randomSubset, seededRandom, shuffledOrder } from "../../../learning/seeded-random.ts";
import { averagePrecisionAtK } from "../../../metrics/sequences/average-precision-at-k.ts";
import { readPlainCsv } from "../../learners/plain-csv.ts";

/** A package and the numbers of the items it needs: all of them, or what is left of them. */
export interface Package {
  readonly name: string;
  readonly section: string;
  readonly needs: readonly number[];
}

export interface Packages {
  readonly known: readonly Package[];
  readonly cases: readonly Package[];
  readonly ids: readonly string[];
  /** The names of the items. */
  readonly items: readonly string[];
}

/** Learns from complete lists (and from what is shown of the cases, if it cares to) and scores every item for a case. */
export type Recommender = (shop: Shop) => (incomplete: Package) => Float64Array;

export interface Shop {
  readonly known: readonly Package[];
  readonly cases: readonly Package[];
  readonly items: number;
}

export const LIST = 10;

export function readPackages(publicFolder: string): Packages {
  const numberOf = new Map<string, number>();
  const itemNumber = (name: string) => {
    if (!numberOf.has(name)) numberOf.set(name, numberOf.size);
    return numberOf.get(name)!;
  };
  const read = (file: string) => {
    const table = readPlainCsv(join(publicFolder, file));
    const [names, sections, needs] = ["name", "section", "needs"].map((column) => table.get(column)!);
    const packages = names.map((name, row) => ({
      name,
      section: sections[row],
      needs: needs[row].split(" ").filter(Boolean).map(itemNumber),
    }));
    return { packages, ids: table.get("package_id")! };
  };
  const known = read("train.csv").packages;
  const { packages: cases, ids } = read("test.csv");
  return { known, cases, ids, items: [...numberOf.keys()] };
}

/** The best items that the list does not show yet; of equal ones the earlier. */
export function bestItems(scores: Float64Array, shown: readonly number[], count: number): number[] {
  const taken = new Set(shown);
  const best: number[] = [];
  for (let item = 0; item < scores.length; item++) {
    if (taken.has(item) || (best.length === count && scores[item] <= scores[best[count - 1]])) continue;
    let at = best.length === count ? count - 1 : best.length;
    for (; at > 0 && scores[best[at - 1]] < scores[item]; at--) best[at] = best[at - 1];
    best[at] = item;
  }
  return best;
}

/** Complete lists of which a part was hidden as in the task: to choose and to learn by. */
export interface Rehearsal {
  readonly shop: Shop;
  readonly hidden: readonly ReadonlySet<string>[];
}

export function rehearse({ known, items }: Shop, count: number, seed: number): Rehearsal {
  const random = seededRandom(seed);
  const order = shuffledOrder(known.length, random);
  const hidden: Set<string>[] = [];
  const cases = Array.from(order.subarray(0, count), (row) => {
    const { needs } = known[row];
    const missing = Math.max(1, Math.min(5, Math.floor(needs.length / 3)));
    const drawn = new Set(randomSubset(needs.length, missing, random));
    hidden.push(new Set([...drawn].map((i) => String(needs[i]))));
    return { ...known[row], needs: needs.filter((_, i) => !drawn.has(i)) };
  });
  const rest = Array.from(order.subarray(count), (row) => known[row]);
  return { shop: { known: rest, cases, items }, hidden };
}

export function meanPrecision(
  { shop, hidden }: Rehearsal,
  score: (incomplete: Package, row: number) => Float64Array,
): number {
  const sum = shop.cases.reduce((total, incomplete, row) => {
    const list = bestItems(score(incomplete, row), incomplete.needs, LIST).map(String);
    return total + averagePrecisionAtK(hidden[row], list, LIST);
  }, 0);
  return sum / shop.cases.length;
}
