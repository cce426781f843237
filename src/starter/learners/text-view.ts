import { hashNgrams, type NgramOptions } from "../../learning/features/ngrams.ts";
import { inverseFrequencies, weightByRarity } from "../../learning/features/tfidf.ts";
import type { DenseMatrix, SparseMatrix } from "../../learning/matrix.ts";
import type { Draw } from "../making/draw.ts";
import { fixedView, type View } from "../making/method.ts";

export type Weighting = "rarity" | "counts" | "presence";

/** What a participant may make of texts; each is computed once however many use it. */
export interface TextViews {
  sparse(options: NgramOptions, weighting: Weighting): View<SparseMatrix>;
  /** Counts in so few columns that trees and networks can use them, as logarithms. */
  dense(options: NgramOptions): View<DenseMatrix>;
}

export function textViews(what: string, texts: readonly string[]): TextViews {
  const known = new Map<string, View<SparseMatrix> | View<DenseMatrix>>();
  const once = <V extends View<SparseMatrix> | View<DenseMatrix>>(name: string, make: () => V): V => {
    const found = known.get(name) ?? make();
    known.set(name, found);
    return found as V;
  };
  return {
    sparse(options, weighting) {
      const name = `${describe(options)} of ${what}, ${WORDS[weighting]}`;
      return once(name, () => fixedView(name, () => weigh(hashNgrams(texts, options), weighting)));
    },
    dense(options) {
      const name = `${describe(options)} of ${what} in ${2 ** options.bits} columns`;
      return once(name, () => fixedView(name, () => spreadOut(hashNgrams(texts, options))));
    },
  };
}

export function drawNgrams(draw: Draw, serious: boolean): NgramOptions {
  const words = draw.pick([
    [1, 1],
    [1, 2],
    [1, 3],
  ] as const);
  const characters = draw.pick([
    [2, 4],
    [3, 5],
    [1, 3],
    [3, 3],
  ] as const);
  const kind = draw.pick(
    serious ? ["both", "words", "characters"] : ["words", "words", "characters", "both"],
  );
  return {
    words: kind === "characters" ? null : words,
    characters: kind === "words" ? null : characters,
    bits: draw.pick(serious ? [14, 15, 16] : [10, 12, 14, 16]),
  };
}

const WORDS = { rarity: "weighted by rarity", counts: "counted", presence: "present or not" } as const;

function describe({ words, characters, bits }: NgramOptions): string {
  const parts = [
    ...(words ? [`${words.join("-")} words`] : []),
    ...(characters ? [`${characters.join("-")} characters`] : []),
  ];
  return `${parts.join(" and ")} (${bits} bits)`;
}

function weigh(counts: SparseMatrix, weighting: Weighting): SparseMatrix {
  switch (weighting) {
    case "rarity":
      return weightByRarity(counts, inverseFrequencies(counts));
    case "counts":
      return { ...counts, values: counts.values.map((count) => Math.log1p(count)) };
    case "presence":
      return { ...counts, values: counts.values.map(() => 1) };
  }
}

function spreadOut({ rows, columns, starts, indices, values }: SparseMatrix): DenseMatrix {
  const dense = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++)
    for (let at = starts[row]; at < starts[row + 1]; at++)
      dense[row * columns + indices[at]] = Math.log1p(values[at]);
  return { rows, columns, values: dense };
}
