import { chunksByLetter, type Speller } from "./speller.ts";

export interface JointOptions {
  /** Pairs of letter and sounds that are looked at together. */
  readonly order: number;
  readonly discount: number;
  readonly beam: number;
}

interface Followers {
  total: number;
  readonly counts: Map<number, number>;
}

interface Path {
  readonly cost: number;
  readonly pairs: readonly number[];
}

/**
 * Words as sequences of pairs of a letter and its sounds; the next pair is foretold from those before it, with absolute
 * discounting down to shorter histories. The likeliest sequence is sought along a beam.
 */
export function jointSequences({ order, discount, beam }: JointOptions): Speller {
  return (training) => {
    const numberOf = new Map<string, number>();
    const pairNumber = (letter: string, chunk: string) => {
      const key = `${letter}:${chunk}`;
      if (!numberOf.has(key)) numberOf.set(key, numberOf.size + 1);
      return numberOf.get(key)!;
    };
    const known = chunksByLetter(training);
    const choices = new Map(
      [...known].map(([letter, chunks]) => [
        letter,
        chunks.map((chunk) => ({ chunk, pair: pairNumber(letter, chunk) })),
      ]),
    );
    const border = 0;
    const size = numberOf.size + 1;
    const followersOf = Array.from({ length: order }, () => new Map<number, Followers>());
    for (const { word, chunks } of training) {
      const pairs = [...chunks.map((chunk, i) => pairNumber(word[i], chunk)), border];
      for (const [i, pair] of pairs.entries()) {
        let history = 0;
        for (let length = 0; length < order; length++) {
          count(followersOf[length], history, pair);
          history = history * size + (pairs[i - 1 - length] ?? border);
          if (i - 1 - length < -1) break;
        }
      }
    }

    function probability(before: readonly number[], pair: number): number {
      let value = 1 / size;
      let history = 0;
      for (let length = 0; length < order; length++) {
        const own = followersOf[length].get(history);
        if (own) {
          const kept = Math.max(0, (own.counts.get(pair) ?? 0) - discount);
          value = (kept + discount * own.counts.size * value) / own.total;
        }
        history = history * size + (before[before.length - 1 - length] ?? border);
        if (length > before.length) break;
      }
      return value;
    }

    return (word) => {
      let paths: Path[] = [{ cost: 0, pairs: [] }];
      const soundOf = new Map<number, string>();
      for (const letter of word) {
        const next: Path[] = [];
        for (const path of paths) {
          for (const { chunk, pair } of choices.get(letter) ?? [{ chunk: "", pair: border }]) {
            soundOf.set(pair, chunk);
            next.push({
              cost: path.cost - Math.log(probability(path.pairs, pair)),
              pairs: [...path.pairs, pair],
            });
          }
        }
        paths = next.sort((a, b) => a.cost - b.cost).slice(0, beam);
      }
      const ended = paths.map((path) => ({
        ...path,
        cost: path.cost - Math.log(probability(path.pairs, border)),
      }));
      const best = ended.reduce((one, other) => (other.cost < one.cost ? other : one));
      return best.pairs.map((pair) => soundOf.get(pair) ?? "");
    };
  };
}

function count(table: Map<number, Followers>, history: number, pair: number): void {
  let own = table.get(history);
  if (!own) {
    own = { total: 0, counts: new Map() };
    table.set(history, own);
  }
  own.total++;
  own.counts.set(pair, (own.counts.get(pair) ?? 0) + 1);
}
