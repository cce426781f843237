import type { Package, Recommender, Shop } from "./packages.ts";

/** How often each item is needed. */
export function itemCounts(packages: readonly Package[], items: number): Float64Array {
  const counts = new Float64Array(items);
  for (const { needs } of packages) for (const item of needs) counts[item]++;
  return counts;
}

export const popularity: Recommender = ({ known, items }) => {
  const counts = itemCounts(known, items);
  return () => counts;
};

/** Traits of a package that its name and section tell. */
export const traits = {
  section: ({ section }: Package) => [`section ${section}`],
  "first part": ({ name }: Package) => [`first ${name.split("-")[0]}`],
  "last part": ({ name }: Package) => [
    `last ${name
      .split("-")
      .at(-1)!
      .replace(/[\d.]+$/, "")}`,
  ],
  "all parts": ({ name }: Package) => name.split(/[-.+\d]+/).filter((part) => part.length > 1),
  "first letters": ({ name }: Package) => [name.slice(0, 4)],
} as const;

export type Trait = keyof typeof traits;

/** What packages with the same traits need, each share drawn towards the popularity by `shrink` packages. */
export function byTraits(names: readonly Trait[], shrink: number): Recommender {
  return ({ known, items }) => {
    const counts = itemCounts(known, items);
    const groups = new Map<string, { size: number; counts: Float64Array }>();
    for (const one of known) {
      for (const trait of traitsOf(one, names)) {
        const group = groups.get(trait) ?? { size: 0, counts: new Float64Array(items) };
        groups.set(trait, group);
        group.size++;
        for (const item of one.needs) group.counts[item]++;
      }
    }
    return (incomplete) => {
      const scores = counts.map((count) => (1e-3 * count) / known.length);
      for (const trait of traitsOf(incomplete, names)) {
        const group = groups.get(trait);
        if (!group) continue;
        for (let item = 0; item < items; item++) scores[item] += group.counts[item] / (group.size + shrink);
      }
      return scores;
    };
  };
}

function traitsOf(one: Package, names: readonly Trait[]): string[] {
  return names.flatMap((name) => traits[name](one).map((trait) => `${name}: ${trait}`));
}

/** Items side by side: how many packages need both. */
export function pairCounts(packages: readonly Package[], items: number): Float32Array {
  const pairs = new Float32Array(items * items);
  for (const { needs } of packages) {
    for (const a of needs) for (const b of needs) if (a !== b) pairs[a * items + b]++;
  }
  return pairs;
}

export const similarities = {
  conditional: (both: number, own: number, _other: number, shrink: number) => both / (own + shrink),
  cosine: (both: number, own: number, other: number, shrink: number) =>
    both / (Math.sqrt(own * other) + shrink),
  jaccard: (both: number, own: number, other: number, shrink: number) => both / (own + other - both + shrink),
  "both directions": (both: number, own: number, other: number, shrink: number) =>
    (both / (own + shrink)) * (0.1 + both / (other + shrink)),
} as const;

export interface TogetherOptions {
  readonly similarity: keyof typeof similarities;
  readonly shrink: number;
  /** Similarities to this power, so that many weak ones do not outweigh a strong one. */
  readonly power: number;
  /** Shown items count less the more often they occur, by this power. */
  readonly rarity: number;
  readonly withCases: boolean;
}

/** Items that occur together with those shown. */
export function together(options: TogetherOptions): Recommender {
  return ({ known, cases, items }: Shop) => {
    const all = options.withCases ? [...known, ...cases] : known;
    const counts = itemCounts(all, items);
    const pairs = pairCounts(all, items);
    const similarity = similarities[options.similarity];
    return ({ needs }) => {
      const scores = counts.map((count) => 1e-15 * count);
      for (const own of needs) {
        const weight = Math.max(1, counts[own]) ** -options.rarity;
        for (let other = 0; other < items; other++) {
          const both = pairs[own * items + other];
          if (both === 0) continue;
          const similar = similarity(both, counts[own], counts[other], options.shrink);
          scores[other] += weight * similar ** options.power;
        }
      }
      return scores;
    };
  };
}

/** Naive Bayes: how likely the shown items and the traits are for a package that needs the item. */
export function naiveBayes(options: {
  readonly smoothing: number;
  readonly traits: readonly Trait[];
  readonly trust: number;
}): Recommender {
  return ({ known, items }) => {
    const numberOf = new Map<string, number>();
    const marks = (one: Package, learn: boolean) => [
      ...one.needs,
      ...traitsOf(one, options.traits).flatMap((trait) => {
        if (learn && !numberOf.has(trait)) numberOf.set(trait, items + numberOf.size);
        return numberOf.get(trait) ?? [];
      }),
    ];
    const all = known.map((one) => marks(one, true));
    const width = items + numberOf.size;
    const counts = itemCounts(known, items);
    const shares = new Float64Array(width);
    for (const own of all) for (const mark of own) shares[mark] += 1 / known.length;
    const pairs = new Float32Array(width * items);
    for (const [row, own] of all.entries()) {
      for (const mark of own) for (const item of known[row].needs) pairs[mark * items + item]++;
    }
    return (incomplete) => {
      const scores = counts.map((count) => Math.log(count + 0.1));
      for (const mark of marks(incomplete, false)) {
        for (let item = 0; item < items; item++) {
          const share =
            (pairs[mark * items + item] + options.smoothing * shares[mark]) /
            (counts[item] + options.smoothing);
          scores[item] += options.trust * Math.log(share + 1e-9);
        }
      }
      return scores;
    };
  };
}
