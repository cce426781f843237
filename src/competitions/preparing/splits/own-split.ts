import { permutation, randomState } from "../../../random/numpy-legacy.ts";
import { type Column, cellText, isMissing } from "../../../table/columns/column.ts";

/** How the rows of a user's table come to train and test. */
export type OwnSplitRule =
  | { readonly by: "rows" }
  /** Each class of the target keeps its share on both sides. */
  | { readonly by: "classes" }
  /** No group is on both sides. */
  | { readonly by: "group"; readonly column: string }
  /** Test comes after train. */
  | { readonly by: "time"; readonly column: string };

export interface OwnSplit {
  /** Rows of the source, in an order that tells nothing, or in that of time. */
  readonly train: Uint32Array;
  readonly test: Uint32Array;
  /** A number from 1 for each row of the source, drawn at random: what an id can be made of. 0 for rows left out. */
  readonly numbers: Uint32Array;
}

export interface OwnSplitRequest {
  /** Rows that have a target. */
  readonly rows: readonly number[];
  /** How many rows the source has. */
  readonly sourceRows: number;
  readonly testSize: number;
  readonly seed: number;
  readonly by:
    | { readonly kind: "rows" }
    /** One key for each row of the source. */
    | { readonly kind: "classes" | "group"; readonly keys: readonly string[] }
    | { readonly kind: "time"; readonly times: Float64Array };
}

/** The same for the same request. A sentence when it cannot be done. */
export function ownSplit({ rows, sourceRows, testSize, seed, by }: OwnSplitRequest): OwnSplit | string {
  const generator = randomState(seed);
  const drawn = Array.from(permutation(generator, rows.length), (i) => rows[i]);
  // A second draw: the order in which rows were chosen would tell a little about their classes.
  const numbers = new Uint32Array(sourceRows);
  for (const [position, i] of permutation(generator, rows.length).entries()) numbers[rows[i]] = position + 1;
  const wanted = Math.max(1, Math.round(testSize * rows.length));
  const chosen = testRows(drawn, wanted, testSize, by);
  if (typeof chosen === "string") return chosen;
  const order =
    by.kind === "time"
      ? (a: number, b: number) => by.times[a] - by.times[b] || a - b
      : (a: number, b: number) => numbers[a] - numbers[b];
  const side = (inTest: boolean) =>
    Uint32Array.from(rows.filter((row) => chosen.has(row) === inTest).sort(order));
  const split = { train: side(false), test: side(true), numbers };
  if (split.train.length === 0 || split.test.length === 0)
    return `${rows.length} rows leave nothing for one of the two sides`;
  return split;
}

function testRows(
  drawn: readonly number[],
  wanted: number,
  testSize: number,
  by: OwnSplitRequest["by"],
): Set<number> | string {
  switch (by.kind) {
    case "rows":
      return new Set(drawn.slice(0, wanted));
    case "classes":
      return ofEachClass(drawn, testSize, by.keys);
    case "group":
      return wholeGroups(drawn, wanted, by.keys);
    case "time":
      return latest(drawn, wanted, by.times);
  }
}

/** A class with a single row goes to train: it can be learned or tested, not both. */
function ofEachClass(drawn: readonly number[], testSize: number, keys: readonly string[]): Set<number> {
  const classes = membersOf(drawn, keys);
  return new Set(
    [...classes.values()].flatMap((members) => {
      const share = Math.round(testSize * members.length);
      return members.slice(0, Math.min(members.length - 1, Math.max(1, share)));
    }),
  );
}

/** Groups as they are drawn, as long as they fit; the smallest if none does. */
function wholeGroups(
  drawn: readonly number[],
  wanted: number,
  keys: readonly string[],
): Set<number> | string {
  const groups = [...membersOf(drawn, keys).values()];
  if (groups.length < 2) return "there is one group only, and it cannot be on both sides";
  const chosen = new Set<number>();
  for (const members of groups)
    if (chosen.size + members.length <= wanted) for (const row of members) chosen.add(row);
  if (chosen.size > 0) return chosen;
  return new Set(groups.reduce((least, members) => (members.length < least.length ? members : least)));
}

/** Rows of the same time stay together. */
function latest(drawn: readonly number[], wanted: number, times: Float64Array): Set<number> | string {
  const sorted = [...drawn].sort((a, b) => times[a] - times[b]);
  const border = times[sorted[sorted.length - wanted]];
  const from = sorted.filter((row) => times[row] >= border);
  if (from.length < drawn.length) return new Set(from);
  const after = sorted.filter((row) => times[row] > border);
  return after.length > 0 ? new Set(after) : "all rows have the same time";
}

function membersOf(rows: readonly number[], keys: readonly string[]): Map<string, number[]> {
  const members = new Map<string, number[]>();
  for (const row of rows) {
    const known = members.get(keys[row]);
    if (known) known.push(row);
    else members.set(keys[row], [row]);
  }
  return members;
}

const ISO_TIME = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** When each row happened, as numbers that can be compared; null for a column that does not say it for every row. */
export function timesOf(column: Column): Float64Array | null {
  if (column.missingCount > 0) return null;
  if (column.kind === "int" || column.kind === "uint" || column.kind === "float")
    return column.numbers.every(Number.isFinite) ? column.numbers : null;
  if (column.kind !== "text") return null;
  const times = new Float64Array(column.length);
  for (let row = 0; row < times.length; row++) {
    const text = cellText(column, row);
    if (!ISO_TIME.test(text)) return null;
    // Without a zone the text means the same time on every machine.
    times[row] = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : zoned(text));
  }
  return times.every(Number.isFinite) ? times : null;
}

function zoned(text: string): string {
  return text.length > 10 ? `${text.replace(" ", "T")}Z` : text;
}

/** A class as text: whole numbers without a point, also where gaps have made them floats. */
export function labelText(column: Column, row: number): string {
  const isWhole = column.kind === "float" && Number.isInteger(column.numbers[row]);
  return isWhole && !isMissing(column, row) ? String(column.numbers[row]) : cellText(column, row);
}
