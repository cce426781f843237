/** A document: words by field. The weight of a field says how much a word found there counts. */
export type Fields = readonly (readonly string[])[];

const K1 = 1.2;
const B = 0.6;

/** An index over documents of several fields (BM25F): a long docstring does not drown a name. */
export interface Bm25 {
  /** One score per document; 0 where no word of the query occurs. */
  scores(query: readonly string[]): Float64Array;
  /** How rare a word is; 0 for one that no document has. */
  rarity(word: string): number;
}

export function bm25(documents: readonly Fields[], weights: readonly number[]): Bm25 {
  const n = documents.length;
  const average = weights.map(
    (_, field) => documents.reduce((sum, one) => sum + one[field].length, 0) / Math.max(n, 1),
  );
  const postings = new Map<string, Map<number, number>>();
  for (const [index, document] of documents.entries()) {
    for (const [field, words] of document.entries()) {
      const norm = 1 - B + (B * words.length) / Math.max(average[field], 1);
      for (const word of words) {
        const posting = postings.get(word) ?? new Map<number, number>();
        postings.set(word, posting);
        posting.set(index, (posting.get(index) ?? 0) + weights[field] / norm);
      }
    }
  }
  const rarity = (word: string) => {
    const count = postings.get(word)?.size ?? 0;
    return count === 0 ? 0 : Math.log(1 + (n - count + 0.5) / (count + 0.5));
  };
  return {
    rarity,
    scores(query) {
      const scores = new Float64Array(n);
      for (const word of new Set(query)) {
        const idf = rarity(word);
        for (const [index, frequency] of postings.get(word) ?? [])
          scores[index] += (idf * frequency * (K1 + 1)) / (K1 + frequency);
      }
      return scores;
    },
  };
}
