import { levenshteinOf } from "../../../metrics/sequences/levenshtein.ts";
import { alignWords, type Chunks, type WordPair } from "../validation/alignment.ts";
import type { LetterChances } from "./letter-network.ts";

export interface TranscriberSettings {
  /** How fast longer contexts win over shorter ones: smaller is faster. */
  readonly caution: number;
  /** The weight of what was written before, beside the letters around. */
  readonly memory: number;
  /** The weight of what a network says of the letters, beside counting; 0 without a network. */
  readonly network?: number;
}

type Counts = { total: number; readonly chunks: Map<string, number> };
type Context = (letters: readonly string[], at: number, written: readonly string[]) => string;

const BEAM = 8;
const MAX_CHUNKS = 6;
const EDGE = "_";
const UNKNOWN = 1e-5;

/** Letters around, from near to far: the right side tells more than the left in most scripts. */
const AROUND = [
  [],
  [1],
  [-1, 1],
  [-1, 1, 2],
  [-2, -1, 1, 2],
  [-2, -1, 1, 2, 3],
  [-3, -2, -1, 1, 2, 3],
  [-4, -3, -2, -1, 1, 2, 3, 4],
];
const LETTERS: readonly Context[] = AROUND.map((offsets) => (letters, at) => around(letters, at, offsets));
const MEMORY: readonly Context[] = [
  (letters, at) => around(letters, at, []),
  (letters, at, written) => `${around(letters, at, [])}|${last(written, 1)}`,
  (letters, at, written) => `${around(letters, at, [1])}|${last(written, 1)}`,
  (letters, at, written) => `${around(letters, at, [-1, 1])}|${last(written, 2)}`,
  (letters, at, written) => `${around(letters, at, [-1, 1, 2])}|${last(written, 3)}`,
  (letters, at, written) => `${around(letters, at, [-2, -1, 1, 2, 3])}|${last(written, 4)}`,
];

export type Transcribe = (
  letters: readonly string[],
  settings: TranscriberSettings,
  chances?: LetterChances | null,
) => string[];

/**
 * Learns to write outputs letter by letter: how often each chunk stood in each context, longer contexts resting on
 * shorter ones. Of the best writings the one nearest to all others is given, which an edit distance rewards.
 */
export function learnTranscriber(words: readonly WordPair[]): Transcribe {
  const aligned = alignWords(words);
  const byLetters = countContexts(LETTERS, words, aligned);
  const byMemory = countContexts(MEMORY, words, aligned);
  return (letters, { caution, memory, network = 0 }, chances) => {
    const learned = network > 0 ? chances?.(letters) : undefined;
    let beam: { written: string[]; cost: number }[] = [{ written: [], cost: 0 }];
    for (let at = 0; at < letters.length; at++) {
      const counted = mix(LETTERS, byLetters, letters, at, [], caution);
      const likely = learned === undefined ? counted : mixedChances(counted, learned[at], network);
      const top = [...likely].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_CHUNKS);
      const next: typeof beam = [];
      for (const { written, cost } of beam) {
        const remembered = mix(MEMORY, byMemory, letters, at, written, caution);
        for (const [chunk, share] of top) {
          const own = remembered.get(chunk) ?? 1e-6;
          next.push({
            written: [...written, chunk],
            cost: cost - (1 - memory) * Math.log(share) - memory * Math.log(own),
          });
        }
      }
      beam = next.sort((a, b) => a.cost - b.cost).slice(0, BEAM);
    }
    return nearestToAll(beam.map(({ written, cost }) => ({ outputs: outputsOf(written), cost })));
  };
}

function countContexts(
  contexts: readonly Context[],
  words: readonly WordPair[],
  aligned: readonly (Chunks | null)[],
) {
  const tables: Map<string, Counts>[] = [];
  for (const [level, context] of contexts.entries()) {
    const table = new Map<string, Counts>();
    for (const [i, chunks] of aligned.entries()) {
      const { letters } = words[i];
      for (const [at, chunk] of chunks?.entries() ?? []) {
        const written = chunks?.slice(0, at) ?? [];
        // Nothing is learned from a longer context when the shorter one was met only once.
        if (level > 0 && (tables[level - 1].get(contexts[level - 1](letters, at, written))?.total ?? 0) < 2)
          continue;
        const key = context(letters, at, written);
        const own = table.get(key) ?? { total: 0, chunks: new Map<string, number>() };
        own.total++;
        own.chunks.set(chunk, (own.chunks.get(chunk) ?? 0) + 1);
        table.set(key, own);
      }
    }
    tables.push(table);
  }
  return tables;
}

/** Shares of chunks: each longer context is mixed with the shorter ones, the more of its own it has seen the less. */
function mix(
  contexts: readonly Context[],
  tables: readonly ReadonlyMap<string, Counts>[],
  letters: readonly string[],
  at: number,
  written: readonly string[],
  caution: number,
): Map<string, number> {
  let shares = new Map<string, number>();
  for (const [level, context] of contexts.entries()) {
    const own = tables[level].get(context(letters, at, written));
    if (own === undefined) break;
    const rest = level === 0 ? 0 : caution * own.chunks.size;
    const mixed = new Map<string, number>();
    for (const [chunk, share] of shares) mixed.set(chunk, (rest * share) / (own.total + rest));
    for (const [chunk, count] of own.chunks)
      mixed.set(chunk, (mixed.get(chunk) ?? 0) + count / (own.total + rest));
    shares = mixed;
  }
  return shares.size === 0 ? new Map([["", 1]]) : shares;
}

/** The weighted geometric mean of both; what one of them does not know is next to impossible for it. */
function mixedChances(
  counted: ReadonlyMap<string, number>,
  learned: ReadonlyMap<string, number>,
  weight: number,
): Map<string, number> {
  const mixed = new Map<string, number>();
  for (const chunk of new Set([...counted.keys(), ...learned.keys()])) {
    const [a, b] = [counted.get(chunk) ?? UNKNOWN, learned.get(chunk) ?? UNKNOWN];
    mixed.set(chunk, Math.exp((1 - weight) * Math.log(a) + weight * Math.log(b)));
  }
  return mixed;
}

function nearestToAll(writings: readonly { outputs: string[]; cost: number }[]): string[] {
  const numbers = new Map<string, number>();
  const codes = writings.map(({ outputs }) =>
    outputs.map((output) => {
      const code = numbers.get(output) ?? numbers.size;
      numbers.set(output, code);
      return code;
    }),
  );
  const lowest = writings[0].cost;
  const weights = writings.map(({ cost }) => Math.exp(lowest - cost));
  const distances = codes.map((own) =>
    codes.reduce((sum, other, i) => sum + weights[i] * levenshteinOf(own, other), 0),
  );
  return writings[distances.indexOf(Math.min(...distances))].outputs;
}

function outputsOf(chunks: readonly string[]): string[] {
  return chunks.flatMap((chunk) => (chunk === "" ? [] : chunk.split(" ")));
}

function around(letters: readonly string[], at: number, offsets: readonly number[]): string {
  let text = letters[at];
  for (const offset of offsets) text += `${offset}${letters[at + offset] ?? EDGE}`;
  return text;
}

function last(written: readonly string[], count: number): string {
  return written.slice(-count).join("/") + (written.length < count ? EDGE : "");
}
