/** A word whose every letter has its sounds: none, one or two phonemes, such as "", "K" or "K S". */
export interface AlignedWord {
  readonly word: string;
  readonly chunks: readonly string[];
}

const MAX_SOUNDS = 2;
const ROUNDS = 6;
/** What a pair never met counts, so that no word is impossible. */
const UNSEEN = 0.01;

/**
 * Splits the phonemes of each word among its letters, so that the same letters get the same sounds as often as can be:
 * the likeliest split by what was counted in the last round. Words with more phonemes than fit are left out.
 */
export function alignWords(
  words: readonly string[],
  phonemes: readonly (readonly string[])[],
): AlignedWord[] {
  let costOf = startingCost;
  let aligned: AlignedWord[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    aligned = words.flatMap((word, i) => {
      const chunks = splitSounds(word, phonemes[i], costOf);
      return chunks ? [{ word, chunks }] : [];
    });
    costOf = countedCost(aligned);
  }
  return aligned;
}

type Cost = (letter: string, chunk: string) => number;

/** Knows no letter yet: one sound for each, and vowels with vowels. */
const startingCost: Cost = (letter, chunk) => {
  if (chunk === "") return 3;
  if (chunk.includes(" ")) return 4;
  return isVowelLetter(letter) === isVowelSound(chunk) ? 1 : 3;
};

export function isVowelLetter(letter: string): boolean {
  return "aeiouy".includes(letter);
}

function isVowelSound(phoneme: string): boolean {
  return "AEIOU".includes(phoneme[0]);
}

function countedCost(aligned: readonly AlignedWord[]): Cost {
  const counts = new Map<string, Map<string, number>>();
  const totals = new Map<string, number>();
  for (const { word, chunks } of aligned) {
    for (const [i, chunk] of chunks.entries()) {
      const own = counts.get(word[i]) ?? new Map<string, number>();
      counts.set(word[i], own.set(chunk, (own.get(chunk) ?? 0) + 1));
      totals.set(word[i], (totals.get(word[i]) ?? 0) + 1);
    }
  }
  return (letter, chunk) =>
    -Math.log(((counts.get(letter)?.get(chunk) ?? 0) + UNSEEN) / ((totals.get(letter) ?? 0) + 1));
}

/** The cheapest split; null if there is none. */
function splitSounds(word: string, phonemes: readonly string[], costOf: Cost): string[] | null {
  const width = phonemes.length + 1;
  const best = new Float64Array((word.length + 1) * width).fill(Number.POSITIVE_INFINITY);
  const taken = new Uint8Array(best.length);
  best[0] = 0;
  for (let i = 0; i < word.length; i++) {
    for (let j = 0; j < width; j++) {
      const before = best[i * width + j];
      if (before === Number.POSITIVE_INFINITY) continue;
      for (let count = 0; count <= MAX_SOUNDS && j + count < width; count++) {
        const cost = before + costOf(word[i], phonemes.slice(j, j + count).join(" "));
        const at = (i + 1) * width + j + count;
        if (cost < best[at]) {
          best[at] = cost;
          taken[at] = count;
        }
      }
    }
  }
  if (best[best.length - 1] === Number.POSITIVE_INFINITY) return null;
  const chunks: string[] = [];
  for (let i = word.length, j = phonemes.length; i > 0; i--) {
    const count = taken[i * width + j];
    chunks.unshift(phonemes.slice(j - count, j).join(" "));
    j -= count;
  }
  return chunks;
}
