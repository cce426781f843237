import { sequenceLabelsSeconds } from "../../../learning/cost.ts";
import { fitSequenceLabels } from "../../../learning/networks/recurrent/sequence-labels.ts";
import { alignWords, type WordPair } from "../validation/alignment.ts";

/** For each letter of a word, how likely each chunk of outputs is. */
export type LetterChances = (letters: readonly string[]) => ReadonlyMap<string, number>[];

export interface LetterNetworkPlan {
  readonly size: number;
  readonly epochs: number;
}

const SIZES = [96, 64, 48];
const MAX_EPOCHS = 14;
const MIN_EPOCHS = 5;
/** Before they are counted: a few dozen signs in each of a few dozen places. */
const USUAL_LABELS = 150;
const MIN_PER_CHUNK = 3;
const MIN_CHANCE = 1e-4;

/** The largest network that has enough time, or none. */
export function planLetterNetwork(words: readonly WordPair[], seconds: number): LetterNetworkPlan | null {
  const signs = words.reduce((sum, { letters }) => sum + letters.length, 0);
  for (const size of SIZES) {
    const each = sequenceLabelsSeconds({ signs, epochs: 1, size, labels: USUAL_LABELS });
    const epochs = Math.min(MAX_EPOCHS, Math.floor(seconds / each));
    if (epochs >= MIN_EPOCHS) return { size, epochs };
  }
  return null;
}

/**
 * A recurrent network that reads a word in both directions and says what each of its letters becomes: learned from
 * letters and outputs that were aligned before. Null if it was told to stop.
 */
export function learnLetterNetwork(
  words: readonly WordPair[],
  { size, epochs }: LetterNetworkPlan,
  seed: number,
  shouldStop: () => boolean,
): LetterChances | null {
  const aligned = alignWords(words);
  const counts = new Map<string, number>();
  for (const chunks of aligned)
    for (const chunk of chunks ?? []) counts.set(chunk, (counts.get(chunk) ?? 0) + 1);
  const chunkList = [...counts]
    .filter(([, count]) => count >= MIN_PER_CHUNK)
    .map(([chunk]) => chunk)
    .sort();
  const labelOf = new Map(chunkList.map((chunk, label) => [chunk, label]));
  // 0 is for letters that were never met.
  const signOf = new Map(
    [...new Set(words.flatMap(({ letters }) => letters))].sort().map((sign, i) => [sign, i + 1]),
  );
  const signsOf = (letters: readonly string[]) => letters.map((letter) => signOf.get(letter) ?? 0);
  const sequences = aligned.flatMap((chunks, i) => {
    const labels = chunks?.map((chunk) => labelOf.get(chunk) ?? -1) ?? [];
    return labels.length === 0 || labels.includes(-1) ? [] : [{ signs: signsOf(words[i].letters), labels }];
  });
  if (sequences.length === 0 || chunkList.length < 2) return null;
  const labels = chunkList.length;
  const options = { signs: signOf.size + 1, labels, size, epochs, seed, shouldStop };
  const label = fitSequenceLabels(sequences, options);
  if (shouldStop()) return null;
  return (letters) => {
    const chances = label(signsOf(letters));
    return letters.map((_, at) => {
      const likely = new Map<string, number>();
      for (const [k, chunk] of chunkList.entries()) {
        const chance = chances[at * labels + k];
        if (chance > MIN_CHANCE) likely.set(chunk, chance);
      }
      return likely;
    });
  };
}
