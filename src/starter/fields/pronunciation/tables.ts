import { chunksByLetter, type Speller } from "./speller.ts";

export interface TableOptions {
  /** Letters to the left and to the right in the widest context. */
  readonly left: number;
  readonly right: number;
  /** Which side is given up first as contexts get narrower. */
  readonly order: "left first" | "right first" | "in turn";
  /** A context met less often is not asked. */
  readonly least: number;
  /** All contexts have a say, the wider the more, instead of the widest one alone. */
  readonly mixed: boolean;
}

/** Looks up each letter with its neighbours in tables, from wide contexts to narrow ones. */
export function contextTables(options: TableOptions): Speller {
  return (training) => {
    const contexts = contextWidths(options);
    const tables = contexts.map(() => new Map<string, Map<string, number>>());
    for (const { word, chunks } of training) {
      const padded = pad(word, options);
      for (const [i, chunk] of chunks.entries()) {
        for (const [t, context] of contexts.entries()) {
          const key = around(padded, i + options.left, context);
          const own = tables[t].get(key) ?? new Map<string, number>();
          tables[t].set(key, own.set(chunk, (own.get(chunk) ?? 0) + 1));
        }
      }
    }
    return (word) => {
      const padded = pad(word, options);
      return Array.from(word, (_, i) => {
        const votes = new Map<string, number>();
        let weight = 1;
        for (const [t, context] of contexts.entries()) {
          const own = tables[t].get(around(padded, i + options.left, context));
          if (!own) continue;
          let total = 0;
          for (const count of own.values()) total += count;
          if (total < options.least && t < contexts.length - 1) continue;
          // Witten and Bell: a context with few different outcomes is trusted.
          const trust = options.mixed ? total / (total + own.size) : 1;
          for (const [chunk, count] of own)
            votes.set(chunk, (votes.get(chunk) ?? 0) + (weight * trust * count) / total);
          weight *= 1 - trust;
          if (!options.mixed) break;
        }
        return likeliest(votes);
      });
    };
  };
}

interface Context {
  readonly left: number;
  readonly right: number;
}

function contextWidths({ left, right, order }: TableOptions): Context[] {
  const widths = [{ left, right }];
  for (let last = widths[0]; last.left + last.right > 0; last = widths.at(-1)!) {
    const wider = last.left > last.right ? "left" : "right";
    const side = order === "in turn" ? wider : order === "left first" ? "left" : "right";
    const given = last[side] > 0 ? side : side === "left" ? "right" : "left";
    widths.push({ ...last, [given]: last[given] - 1 });
  }
  return widths;
}

function pad(word: string, { left, right }: Context): string {
  return "<".repeat(left) + word + ">".repeat(right);
}

function around(padded: string, at: number, { left, right }: Context): string {
  return padded.slice(at - left, at + right + 1);
}

/** The one with the most votes; of equal ones the first by its letters. */
export function likeliest(votes: ReadonlyMap<string, number>): string {
  let best = "";
  let most = Number.NEGATIVE_INFINITY;
  for (const [chunk, count] of votes) {
    if (count > most || (count === most && chunk < best)) [best, most] = [chunk, count];
  }
  return best;
}

/** The end of the word as in the known word with the longest common ending, the rest letter by letter. */
export function byEnding(least: number): Speller {
  return (training) => {
    const endings = new Map<string, readonly string[]>();
    for (const { word, chunks } of training) {
      for (let from = 0; from <= word.length - least; from++) {
        const ending = word.slice(from);
        if (!endings.has(ending)) endings.set(ending, chunks.slice(from));
      }
    }
    const usual = chunksByLetter(training);
    return (word) => {
      let from = 0;
      while (from <= word.length - least && !endings.has(word.slice(from))) from++;
      const known = endings.get(word.slice(from)) ?? [];
      const rest = Array.from(
        word.slice(0, word.length - known.length),
        (letter) => usual.get(letter)?.[0] ?? "",
      );
      return [...rest, ...known];
    };
  };
}

export interface MemoryOptions {
  readonly k: number;
  readonly reach: number;
  /** How much less a letter counts one place further away. */
  readonly decay: number;
}

/** The letters in memory whose surroundings are most alike vote; they share the letter and the next one. */
export function memory({ k, reach, decay }: MemoryOptions): Speller {
  return (training) => {
    const places = new Map<string, { around: string; chunk: string }[]>();
    const window = { left: reach, right: reach };
    const remember = (key: string, place: { around: string; chunk: string }) => {
      const own = places.get(key);
      if (own) own.push(place);
      else places.set(key, [place]);
    };
    for (const { word, chunks } of training) {
      const padded = pad(word, window);
      for (const [i, chunk] of chunks.entries()) {
        const place = { around: around(padded, i + reach, window), chunk };
        remember(padded.slice(i + reach, i + reach + 2), place);
      }
    }
    const usual = chunksByLetter(training);
    const weights = Float64Array.from({ length: 2 * reach + 1 }, (_, i) => decay ** Math.abs(i - reach));
    return (word) => {
      const padded = pad(word, window);
      return Array.from(word, (letter, i) => {
        const known = places.get(padded.slice(i + reach, i + reach + 2));
        if (!known) return usual.get(letter)?.[0] ?? "";
        const own = around(padded, i + reach, window);
        const nearest: { alike: number; chunk: string }[] = [];
        for (const place of known) {
          let alike = 0;
          for (let j = 0; j < weights.length; j++) if (place.around[j] === own[j]) alike += weights[j];
          if (nearest.length === k && alike <= nearest[k - 1].alike) continue;
          if (nearest.length === k) nearest.pop();
          let at = nearest.length;
          while (at > 0 && nearest[at - 1].alike < alike) at--;
          nearest.splice(at, 0, { alike, chunk: place.chunk });
        }
        const votes = new Map<string, number>();
        for (const { alike, chunk } of nearest) votes.set(chunk, (votes.get(chunk) ?? 0) + alike ** 3);
        return likeliest(votes);
      });
    };
  };
}
