import { levenshteinOf } from "../../../metrics/sequences/levenshtein.ts";
import type { AlignedWord } from "./align.ts";

/** Learns from aligned words and gives each letter of a new one its sounds. */
export type Speller = (training: readonly AlignedWord[]) => (word: string) => readonly string[];

/** The sounds of all letters; a word must not stay silent. */
export function joinSounds(chunks: readonly string[]): string {
  return chunks.filter(Boolean).join(" ") || "AH";
}

/** The chunks each letter was met with, the commonest first. */
export function chunksByLetter(training: readonly AlignedWord[]): Map<string, string[]> {
  const counts = new Map<string, Map<string, number>>();
  for (const { word, chunks } of training) {
    for (const [i, chunk] of chunks.entries()) {
      const own = counts.get(word[i]) ?? new Map<string, number>();
      counts.set(word[i], own.set(chunk, (own.get(chunk) ?? 0) + 1));
    }
  }
  return new Map(
    [...counts].map(([letter, own]) => [
      letter,
      [...own].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([chunk]) => chunk),
    ]),
  );
}

/** The mean distance in phonemes, as the task is scored. */
export function meanDistance(
  words: readonly AlignedWord[],
  spell: (word: string) => readonly string[],
): number {
  const numberOf = new Map<string, number>();
  const numbers = (sounds: string) =>
    sounds.split(" ").map((phoneme) => {
      if (!numberOf.has(phoneme)) numberOf.set(phoneme, numberOf.size);
      return numberOf.get(phoneme)!;
    });
  const sum = words.reduce(
    (total, { word, chunks }) =>
      total + levenshteinOf(numbers(joinSounds(chunks)), numbers(joinSounds(spell(word)))),
    0,
  );
  return sum / words.length;
}
