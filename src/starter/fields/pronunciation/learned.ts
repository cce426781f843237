import { binFeatures } from "../../../learning/boosting/bins.ts";
import { type BoostingOptions, fitBoosting, predictBoosting } from "../../../learning/boosting/boost.ts";
import { type ForestOptions, fitForest, predictForest } from "../../../learning/forest/forest.ts";
import type { DenseMatrix } from "../../../learning/matrix.ts";
import { predictNetwork } from "../../../learning/networks/network.ts";
import { fitPerceptron } from "../../../learning/networks/perceptron.ts";
import { type AlignedWord, isVowelLetter } from "./align.ts";
import { chunksByLetter, type Speller } from "./speller.ts";

const LETTERS = 27;

/** 0 beyond the word, then a to z. */
export function letterCode(word: string, at: number): number {
  return at < 0 || at >= word.length ? 0 : word.charCodeAt(at) - 96;
}

/** Letters around a place, the place itself left out, and whether each is a vowel. */
function surroundings(word: string, at: number, reach: number): number[] {
  const row: number[] = [];
  for (let shift = -reach; shift <= reach; shift++) {
    if (shift === 0) continue;
    row.push(letterCode(word, at + shift), Number(isVowelLetter(word[at + shift] ?? "")));
  }
  row.push(at, word.length - at);
  return row;
}

/** Predicts one class after another for rows of one letter. */
type LetterModel = (matrix: DenseMatrix) => Float64Array;

/** A model for each letter, on the letters around it. */
function perLetter(
  reach: number,
  learn: (matrix: DenseMatrix, target: Float64Array, classes: number) => LetterModel,
): Speller {
  return (training) => {
    const known = chunksByLetter(training);
    const models = new Map<string, LetterModel>();
    for (const [letter, chunks] of known) {
      const rows: number[][] = [];
      const target: number[] = [];
      for (const word of training) {
        for (const [i, chunk] of word.chunks.entries()) {
          if (word.word[i] !== letter) continue;
          rows.push(surroundings(word.word, i, reach));
          target.push(chunks.indexOf(chunk));
        }
      }
      if (chunks.length > 1)
        models.set(letter, learn(matrixOf(rows), Float64Array.from(target), chunks.length));
    }
    return (word) =>
      Array.from(word, (letter, i) => {
        const chunks = known.get(letter) ?? [""];
        const shares = models.get(letter)?.(matrixOf([surroundings(word, i, reach)]));
        return shares ? chunks[largest(shares)] : chunks[0];
      });
  };
}

function matrixOf(rows: readonly (readonly number[])[]): DenseMatrix {
  return { rows: rows.length, columns: rows[0].length, values: Float64Array.from(rows.flat()) };
}

function largest(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}

export const forestSpeller = (reach: number, options: ForestOptions): Speller =>
  perLetter(reach, (matrix, values, classes) => {
    const forest = fitForest(binFeatures(matrix), { kind: "class", values, classes }, options);
    return (rows) => predictForest(forest, rows);
  });

/** Letters are categories to boosted trees, so that one cut can part any group of them from the rest. */
export const boostedSpeller = (reach: number, options: Omit<BoostingOptions, "loss">): Speller =>
  perLetter(reach, (matrix, target, classes) => {
    const letters = new Set(Array.from({ length: 2 * reach }, (_, i) => 2 * i));
    const binned = binFeatures(matrix, { categorical: letters });
    const model = fitBoosting(binned, target, { ...options, loss: "softmax", classes: Math.max(2, classes) });
    return (rows) => predictBoosting(model, rows);
  });

export interface NetworkOptions {
  readonly reach: number;
  readonly hidden: readonly number[];
  readonly epochs: number;
  readonly seed: number;
}

/** One network for all letters: a place for every letter at every distance, an output for every chunk. */
export function networkSpeller({ reach, ...options }: NetworkOptions): Speller {
  return (training) => {
    const known = chunksByLetter(training);
    const chunks = [...new Set([...known.values()].flat())].sort();
    const numberOf = new Map(chunks.map((chunk, i) => [chunk, i]));
    const target = training.flatMap((word) => word.chunks.map((chunk) => numberOf.get(chunk)!));
    const network = fitPerceptron(oneHot(training, reach), target, {
      ...options,
      loss: "softmax",
      outputs: chunks.length,
      learningRate: 3e-3,
    });
    return (word) => {
      const output = predictNetwork(network, oneHot([{ word, chunks: [] }], reach));
      return Array.from(word, (letter, i) => {
        const allowed = known.get(letter) ?? [""];
        return allowed[largest(allowed.map((chunk) => output[numberOf.get(chunk)! * word.length + i]))];
      });
    };
  };
}

function oneHot(words: readonly AlignedWord[], reach: number): DenseMatrix {
  const rows = words.reduce((sum, { word }) => sum + word.length, 0);
  const columns = (2 * reach + 1) * LETTERS;
  const values = new Float32Array(rows * columns);
  let row = 0;
  for (const { word } of words) {
    for (let i = 0; i < word.length; i++, row++) {
      for (let shift = -reach; shift <= reach; shift++) {
        values[row * columns + (shift + reach) * LETTERS + letterCode(word, i + shift)] = 1;
      }
    }
  }
  return { rows, columns, values };
}
