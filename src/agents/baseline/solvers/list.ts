import { randomInteger, seededRandom } from "../../../learning/seeded-random.ts";
import { averagePrecisionAtK } from "../../../metrics/sequences/average-precision-at-k.ts";
import { columnOf, placesOf, textsOf } from "../reading/text-table.ts";
import type { Solver, Workbench } from "../workbench.ts";
import { type ListRow, learnMissing, type MissingChances } from "./list-labels.ts";

interface ListSettings {
  /** How much a word's being frequent counts against its company: 0 not at all, 1 in full. */
  readonly damping: number;
  /** The weight of the row's other columns beside the list. */
  readonly context: number;
  /** The share of the linear models, where there are any. */
  readonly linear?: number;
}

const DEFAULT_LENGTH = 10;
const HIDDEN_SHARE = 1 / 3;
const FOLDS = 5;
const FEW_SECONDS = 8;

/**
 * Completes lists by what tends to occur together. For validation a third of each held-back list is hidden, as the
 * test's lists have lost a part of theirs.
 */
export const solveList: Solver<"ranked list"> = async (task, bench) => {
  const { view, seed, submit, journal, clock, tell } = bench;
  const { train, test, sample, metric } = view;
  if (train === null || test === null) return;
  const length = metric.k ?? DEFAULT_LENGTH;
  const rows = readRows(view, "train", task.known);
  const random = seededRandom(seed);
  const fold = rows.map(() => randomInteger(random, FOLDS));
  const hasLittleTime = clock.plannedSeconds < FEW_SECONDS;
  const most = hasLittleTime ? 150 : 600;
  const held = rows
    .flatMap((row, i) => (fold[i] === 0 && row.items.length > 1 ? [hide(row, random)] : []))
    .slice(0, most);
  const known = rows.filter((_, i) => fold[i] !== 0);
  const counts = countCompany(known);
  const places = placesOf(test, sample);
  const asked = readRows(view, "test", task.known);
  const place = async (rank: ReturnType<typeof ranker>, settings: ListSettings, score: number) => {
    const cells = Array.from(places, (at, i) => {
      const row = asked[at];
      return row === undefined ? (sample.columns[1].at(i) ?? "") : rank(row, length).join(" ");
    });
    const outcome = await submit([cells]);
    if (outcome.status === "refused") return;
    journal.settings = { ...settings };
    journal.score = score;
    journal.measuredOn = `${held.length} training rows held back, a third of each list hidden`;
    tell();
  };
  const settingsInTurn = possibleSettings();
  let best: { settings: ListSettings; score: number } | null = null;
  for (const settings of hasLittleTime ? settingsInTurn.slice(0, 3) : settingsInTurn) {
    if (clock.isOver()) break;
    const rank = ranker(counts, settings);
    let sum = 0;
    for (const { row, hidden } of held) sum += averagePrecisionAtK(hidden, rank(row, length), length);
    const score = sum / held.length;
    journal.steps.push({ name: "company of words", score, note: JSON.stringify(settings) });
    // Something better than the sample stands there before the settings are compared.
    if (best === null) await place(rank, settings, score);
    if (best === null || score > best.score) best = { settings, score };
  }
  if (best === null || clock.isOver()) return;
  const company = countCompany(rows);
  await place(ranker(company, best.settings), best.settings, best.score);
  if (hasLittleTime) return;
  const options = {
    seed,
    seconds: SHARE_OF_LINEAR * clock.plannedSeconds,
    modelBytes: view.memory.modelBytes,
    shouldStop: () => clock.isOver(),
  };
  const trial = learnMissing(known, options);
  const ofHeld = trial?.(held.map(({ row }) => row));
  if (ofHeld === undefined) return;
  const before = best;
  const rank = ranker(counts, before.settings);
  for (const linear of LINEAR_SHARES) {
    let sum = 0;
    for (const [i, { row, hidden }] of held.entries())
      sum += averagePrecisionAtK(hidden, rank(row, length, { chances: ofHeld[i], linear }), length);
    const settings = { ...before.settings, linear };
    const score = sum / held.length;
    journal.steps.push({
      name: "company of words, and linear models",
      score,
      note: JSON.stringify(settings),
    });
    if (score > best.score) best = { settings, score };
  }
  if (best === before || clock.isOver()) return;
  const { settings, score } = best;
  const ofAsked = learnMissing(rows, options)?.(asked);
  if (ofAsked === undefined) return;
  const whole = ranker(company, settings);
  const byRow = new Map(asked.map((row, i) => [row, ofAsked[i]]));
  const mixed: ReturnType<typeof ranker> = (row, count) => {
    const chances = byRow.get(row);
    return whole(row, count, chances && { chances, linear: settings.linear ?? 0 });
  };
  await place(mixed, settings, score);
};

/** Of the planned time, for one of two fits. */
const SHARE_OF_LINEAR = 0.4;
const LINEAR_SHARES = [0.3, 0.5, 0.7, 0.85, 1];

function possibleSettings(): ListSettings[] {
  return [0.15, 0, 0.3].flatMap((damping) => [0.3, 0.1, 0.8].map((context) => ({ damping, context })));
}

function readRows(
  { train, test, sample }: Workbench["view"],
  which: "train" | "test",
  list: string,
): ListRow[] {
  const table = which === "train" ? train : test;
  if (table === null) return [];
  const items = textsOf(table, list) ?? [];
  const others = table.header.filter((name) => name !== list && name !== sample.header[0]);
  return items.map((cell, row) => ({
    items: cell.split(" ").filter((word) => word !== ""),
    traits: others.flatMap((name) => {
      const value = columnOf(table, name)?.at(row) ?? "";
      return [`${name}=${value}`, ...value.split(/[^\p{L}\p{N}]+/u).map((part) => `${name}~${part}`)];
    }),
  }));
}

function hide({ items, traits }: ListRow, random: () => number): { row: ListRow; hidden: Set<string> } {
  const count = Math.max(1, Math.round(items.length * HIDDEN_SHARE));
  const hidden = new Set<string>();
  while (hidden.size < count) hidden.add(items[randomInteger(random, items.length)]);
  return { row: { items: items.filter((item) => !hidden.has(item)), traits }, hidden };
}

interface Company {
  readonly single: ReadonlyMap<string, number>;
  /** For an item or a trait: how often each item occurred with it. */
  readonly together: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly traits: ReadonlyMap<string, number>;
}

function countCompany(rows: readonly ListRow[]): Company {
  const single = new Map<string, number>();
  const traitCounts = new Map<string, number>();
  const together = new Map<string, Map<string, number>>();
  const note = (sign: string, item: string) => {
    const own = together.get(sign) ?? new Map<string, number>();
    own.set(item, (own.get(item) ?? 0) + 1);
    together.set(sign, own);
  };
  for (const { items, traits } of rows) {
    for (const trait of new Set(traits)) traitCounts.set(trait, (traitCounts.get(trait) ?? 0) + 1);
    for (const item of items) {
      single.set(item, (single.get(item) ?? 0) + 1);
      for (const other of items) if (other !== item) note(`item ${other}`, item);
      for (const trait of new Set(traits)) note(trait, item);
    }
  }
  return { single, together, traits: traitCounts };
}

/** Adds up the company of all that is known of a row; equal sums go by name. */
function ranker({ single, together, traits }: Company, { damping, context }: ListSettings) {
  const popular = [...single].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 50);
  return (
    row: ListRow,
    length: number,
    mix?: { readonly chances: ReturnType<MissingChances>[number]; readonly linear: number },
  ): string[] => {
    const own = new Set(row.items);
    // Enough to fill a list of which nothing is known, too little to disturb any other.
    const sums = new Map<string, number>(
      popular.map(([item, count]) => [item, (1e-6 * count) / popular[0][1]]),
    );
    const add = (sign: string, occurrences: number, weight: number) => {
      for (const [item, count] of together.get(sign) ?? []) {
        if (own.has(item)) continue;
        // Company seen once proves little: two occurrences that never happened are added.
        const share = count / (occurrences + 2) / (single.get(item) ?? 1) ** damping;
        sums.set(item, (sums.get(item) ?? 0) + weight * share);
      }
    };
    for (const item of own) add(`item ${item}`, single.get(item) ?? 0, 1);
    for (const trait of new Set(row.traits)) add(trait, traits.get(trait) ?? 0, context);
    if (mix !== undefined) addChances(sums, mix.chances, mix.linear);
    for (const item of own) sums.delete(item);
    const ranked = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return ranked.slice(0, length).map(([item]) => item);
  };
}

/** Both scaled to a largest of 1, then mixed. */
function addChances(sums: Map<string, number>, chances: ReadonlyMap<string, number>, share: number): void {
  const largest = (list: Iterable<number>) => {
    let most = 0;
    for (const value of list) most = Math.max(most, value);
    return most || 1;
  };
  const [ofSums, ofChances] = [largest(sums.values()), largest(chances.values())];
  for (const [item, sum] of sums) sums.set(item, ((1 - share) * sum) / ofSums);
  for (const [item, chance] of chances) sums.set(item, (sums.get(item) ?? 0) + (share * chance) / ofChances);
}
