/** Which outputs each letter of a word stands for: none, one or two, joined by blanks. */
export type Chunks = readonly string[];

export interface WordPair {
  readonly letters: readonly string[];
  readonly outputs: readonly string[];
}

const LONGEST = 2;
const ROUNDS = 6;
/** What a chunk of 0, 1 or 2 outputs costs at first, before anything is counted. */
const FIRST_COSTS = [1.5, 0.2, 2.5];
const UNSEEN = 0.05;

/**
 * Aligns letters and outputs of many words: counts which chunk each letter gets, aligns again by the counts, and so
 * on. Null for a word with more outputs than its letters can carry.
 */
export function alignWords(words: readonly WordPair[]): (Chunks | null)[] {
  let cost = (letter: string, chunk: string, length: number) =>
    FIRST_COSTS[length] + (letter === chunk.toLowerCase()[0] ? 0 : 1);
  let aligned: (Chunks | null)[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    aligned = words.map((word) => alignWord(word, cost));
    const counts = new Map<string, number>();
    const letters = new Map<string, number>();
    for (const [i, chunks] of aligned.entries()) {
      for (const [place, chunk] of chunks?.entries() ?? []) {
        const letter = words[i].letters[place];
        counts.set(`${letter}\t${chunk}`, (counts.get(`${letter}\t${chunk}`) ?? 0) + 1);
        letters.set(letter, (letters.get(letter) ?? 0) + 1);
      }
    }
    cost = (letter, chunk) =>
      -Math.log(((counts.get(`${letter}\t${chunk}`) ?? 0) + UNSEEN) / ((letters.get(letter) ?? 0) + 1));
  }
  return aligned;
}

function alignWord(
  { letters, outputs }: WordPair,
  cost: (letter: string, chunk: string, length: number) => number,
): Chunks | null {
  const [n, m] = [letters.length, outputs.length];
  if (m > LONGEST * n || n === 0) return null;
  const width = m + 1;
  const best = new Float64Array((n + 1) * width).fill(Number.POSITIVE_INFINITY);
  const taken = new Uint8Array((n + 1) * width);
  best[0] = 0;
  for (let i = 1; i <= n; i++) {
    for (let j = 0; j <= m; j++) {
      for (let length = 0; length <= Math.min(LONGEST, j); length++) {
        const before = best[(i - 1) * width + j - length];
        if (before === Number.POSITIVE_INFINITY) continue;
        const total = before + cost(letters[i - 1], outputs.slice(j - length, j).join(" "), length);
        if (total < best[i * width + j]) {
          best[i * width + j] = total;
          taken[i * width + j] = length;
        }
      }
    }
  }
  const chunks: string[] = [];
  for (let i = n, j = m; i > 0; i--) {
    const length = taken[i * width + j];
    chunks.push(outputs.slice(j - length, j).join(" "));
    j -= length;
  }
  return chunks.reverse();
}
