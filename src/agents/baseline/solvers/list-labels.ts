import { labelSetSeconds } from "../../../learning/cost.ts";
import { fitLabelSet, predictLabelSet } from "../../../learning/linear/label-set.ts";
import type { SparseMatrix } from "../../../learning/matrix.ts";
import { type Random, seededRandom } from "../../../learning/seeded-random.ts";

export interface ListRow {
  readonly items: readonly string[];
  /** Values of the other columns and the parts of their words. */
  readonly traits: readonly string[];
}

/** How likely each item is to be missing from a list. */
export type MissingChances = (rows: readonly ListRow[]) => ReadonlyMap<string, number>[];

const MIN_ROWS = 3;
const MAX_LABELS = 1600;
const EPOCHS = 10;
const L2 = 0.15;
/** Each list is seen as often, another part of it hidden each time. */
const COPIES = 2;
const HIDDEN_SHARE = 1 / 3;
const MIN_CHANCE = 1e-4;

/** A linear model for each item, of the other items and the traits: learned from lists of which a part was hidden. */
export function learnMissing(
  rows: readonly ListRow[],
  options: { seed: number; seconds: number; modelBytes: number; shouldStop: () => boolean },
): MissingChances | null {
  const random = seededRandom(options.seed);
  const signs = numbered(rows.map(signsOf), Number.POSITIVE_INFINITY);
  const copies = Array.from({ length: COPIES }, () => rows.map((row) => hidePart(row, random))).flat();
  const most = mostLabels(signs.size, copies.length, options.modelBytes);
  const labels = numbered(
    rows.map(({ items }) => items),
    most,
  );
  const matrix = matrixOf(
    copies.map(({ row }) => row),
    signs,
  );
  const size = { rows: copies.length, entries: matrix.indices.length, labels: labels.size, epochs: EPOCHS };
  if (labels.size < 2 || labelSetSeconds(size) > options.seconds) return null;
  const target = new Uint8Array(labels.size * copies.length);
  for (const [i, { hidden }] of copies.entries())
    for (const item of hidden) {
      const label = labels.get(item);
      if (label !== undefined) target[label * copies.length + i] = 1;
    }
  const { seed, shouldStop } = options;
  const model = fitLabelSet(matrix, target, { l2: L2, epochs: EPOCHS, seed, shouldStop });
  if (shouldStop()) return null;
  return (asked) => {
    const chances = predictLabelSet(model, matrixOf(asked, signs));
    return asked.map((_, i) => {
      const likely = new Map<string, number>();
      for (const [item, label] of labels) {
        const chance = chances[label * asked.length + i];
        if (chance > MIN_CHANCE) likely.set(item, chance);
      }
      return likely;
    });
  };
}

/** Weights and duals are the largest part of the memory. */
function mostLabels(signs: number, rows: number, modelBytes: number): number {
  return Math.min(MAX_LABELS, Math.floor(modelBytes / 2 / (8 * signs + 5 * rows)));
}

function hidePart({ items, traits }: ListRow, random: Random): { row: ListRow; hidden: string[] } {
  const hidden: string[] = [];
  const kept: string[] = [];
  for (const item of items) (random() < HIDDEN_SHARE ? hidden : kept).push(item);
  return { row: { items: kept, traits }, hidden };
}

function signsOf({ items, traits }: ListRow): string[] {
  return [...items.map((item) => `item ${item}`), ...new Set(traits)];
}

/** Numbers for what occurs in several lists, the most frequent first. */
function numbered(lists: readonly (readonly string[])[], most: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  const frequent = [...counts]
    .filter(([, count]) => count >= MIN_ROWS)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, most);
  return new Map(frequent.map(([one], number) => [one, number]));
}

/** Items and traits have the same weight in a row, however many there are of each. */
function matrixOf(rows: readonly ListRow[], signs: ReadonlyMap<string, number>): SparseMatrix {
  const starts = new Uint32Array(rows.length + 1);
  const indices: number[] = [];
  const values: number[] = [];
  for (const [i, row] of rows.entries()) {
    const found = signsOf(row).flatMap((sign) => {
      const column = signs.get(sign);
      return column === undefined ? [] : [{ column, isItem: sign.startsWith("item ") }];
    });
    const items = found.filter(({ isItem }) => isItem).length;
    found.sort((a, b) => a.column - b.column);
    for (const { column, isItem } of found) {
      indices.push(column);
      values.push(Math.SQRT1_2 / Math.sqrt(isItem ? items : found.length - items));
    }
    starts[i + 1] = indices.length;
  }
  return {
    rows: rows.length,
    columns: signs.size,
    starts,
    indices: Uint32Array.from(indices),
    values: Float64Array.from(values),
  };
}
