import { bm25 } from "../rank/bm25.ts";
import { wordsOf } from "../rank/words.ts";
import type { IndexEntry } from "./schema.ts";

export interface IndexHit {
  entry: IndexEntry;
  score: number;
  /** The words of the query by the field they were found in: why it stands here. */
  reasons: Record<string, string[]>;
}

const FIELDS = ["topics", "readme", "paths", "symbols"] as const;
const WEIGHTS = [3, 2, 1.5, 1];

/** Repositories by how well they fit, the best first, each with its reasons. */
export function searchIndex(entries: readonly IndexEntry[], query: string, limit = 10): IndexHit[] {
  const fields = entries.map(({ words, name }) =>
    FIELDS.map((field) =>
      `${words[field]}${field === "topics" ? ` ${wordsOf(name).join(" ")}` : ""}`.split(" ").filter(Boolean),
    ),
  );
  const words = [...new Set(wordsOf(query))];
  const scores = bm25(fields, WEIGHTS).scores(words);
  return entries
    .flatMap((entry, index): IndexHit[] => {
      if (scores[index] <= 0) return [];
      const reasons = FIELDS.map(
        (field, at) => [field, words.filter((word) => fields[index][at].includes(word))] as const,
      );
      return [
        {
          entry,
          score: scores[index],
          reasons: Object.fromEntries(reasons.filter(([, found]) => found.length > 0)),
        },
      ];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
