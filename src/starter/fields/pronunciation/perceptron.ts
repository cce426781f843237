import { seededRandom, shuffledOrder } from "../../../learning/seeded-random.ts";
import { letterCode } from "./learned.ts";
import { chunksByLetter, type Speller } from "./speller.ts";

export interface PerceptronOptions {
  readonly reach: number;
  /** Letters in a row that are seen as one. */
  readonly width: number;
  /** Sounds of this many earlier letters are seen too, as they were predicted. */
  readonly history: number;
  readonly passes: number;
  readonly seed: number;
}

const BITS = 20;
const MASK = 2 ** BITS - 1;

/**
 * Collins' averaged perceptron, letter by letter from the left: each run of letters around a place votes for sounds,
 * and votes that led astray are moved. Weights lie in one table by their hashes.
 */
export function averagedPerceptron(options: PerceptronOptions): Speller {
  return (training) => {
    const known = chunksByLetter(training);
    const chunks = [...new Set([...known.values()].flat())].sort();
    const numberOf = new Map(chunks.map((chunk, i) => [chunk, i]));
    const allowed = new Map(
      [...known].map(([letter, own]) => [letter, own.map((chunk) => numberOf.get(chunk)!)]),
    );
    const weights = new Float64Array(MASK + 1);
    const moved = new Float64Array(MASK + 1);
    let steps = 1;

    function predict(features: readonly number[], letter: string): number {
      let [best, most] = [0, Number.NEGATIVE_INFINITY];
      for (const chunk of allowed.get(letter) ?? [0]) {
        let score = 0;
        for (const feature of features) score += weights[place(feature, chunk)];
        if (score > most) [best, most] = [chunk, score];
      }
      return best;
    }

    const random = seededRandom(options.seed);
    for (let pass = 0; pass < options.passes; pass++) {
      for (const row of shuffledOrder(training.length, random)) {
        const { word, chunks: truth } = training[row];
        const said: number[] = [];
        for (let i = 0; i < word.length; i++, steps++) {
          const features = featuresOf(word, i, said, options);
          const predicted = predict(features, word[i]);
          const right = numberOf.get(truth[i])!;
          said.push(predicted);
          if (predicted === right) continue;
          for (const feature of features) {
            const [up, down] = [place(feature, right), place(feature, predicted)];
            weights[up]++;
            moved[up] += steps;
            weights[down]--;
            moved[down] -= steps;
          }
        }
      }
    }
    for (let i = 0; i <= MASK; i++) weights[i] -= moved[i] / steps;
    return (word) => {
      const said: number[] = [];
      for (let i = 0; i < word.length; i++) said.push(predict(featuresOf(word, i, said, options), word[i]));
      return said.map((chunk) => chunks[chunk]);
    };
  };
}

function place(feature: number, chunk: number): number {
  return (Math.imul(feature ^ Math.imul(chunk + 1, 0x9e3779b1), 0x85ebca6b) >>> (32 - BITS)) & MASK;
}

/** Hashes of the runs of letters around a place, each with the letter itself, and of the sounds before it. */
function featuresOf(
  word: string,
  at: number,
  said: readonly number[],
  { reach, width, history }: PerceptronOptions,
): number[] {
  const own = letterCode(word, at);
  const features = [mix(own, 1)];
  for (let from = -reach; from <= reach; from++) {
    let hash = mix(own, from + 100);
    for (let to = from; to <= reach && to < from + width; to++) {
      hash = mix(hash, letterCode(word, at + to));
      features.push(mix(hash, to - from));
    }
  }
  let before = mix(own, 77);
  for (let back = 1; back <= history; back++) {
    before = mix(before, (said[at - back] ?? -1) + 2);
    features.push(before, mix(before, letterCode(word, at + 1)));
  }
  return features;
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul((hash << 5) ^ (hash >>> 7) ^ (value + 0x51ed27), 0x5bd1e995);
  return mixed ^ (mixed >>> 15);
}
