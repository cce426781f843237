import {
  asciiText,
  beyondIntegers,
  booleanCell,
  floatCell,
  integerCell,
  isMissingText,
  MISSING_INTEGER,
} from "../cells/cell-text.ts";
import { defaultFloatCell } from "../cells/default-float.ts";
import type { Block, Column } from "./column.ts";
import { mergedKind } from "./merged-kind.ts";
import { appendBytes, appendTexts, emptyTextStore, type TextStore } from "./text-store.ts";

const INT_MAX = 2n ** 63n - 1n;
const EMPTY = new Float64Array(0);
const NOTHING = new Uint8Array(0);

/**
 * What the cells of the current block allow so far. The order of cells matters: pandas tries whole columns as
 * int64, then uint64 (only once an integer was too large), then double, then bool, and gives up at the first cell
 * that breaks the attempt.
 */
type Phase =
  | "undecided"
  | "int"
  | "uint"
  | "float"
  | "bool"
  | "text"
  /** Numbers or booleans were read, then a cell came that makes them text: the block has to be read again for its exact texts. */
  | "lost";

/** How the cells of a column are read where pandas' own inference is overruled. */
export interface CellRules {
  /** Keep every cell as text, as `dtype=str` does: `007` stays `007`. Missing texts are missing all the same. */
  text?: boolean;
  /** Parse floats as pandas does by default, not always to the nearest double. */
  defaultFloats?: boolean;
}

export interface Expectation {
  rows: number;
  bytes: number;
}

/**
 * Collects one column cell by cell. A class because this is the hottest state of the program: one object per
 * column, a call per cell.
 */
export class ColumnBuilder {
  readonly name: string;
  length = 0;
  private readonly expect: Expectation;
  private readonly rules: CellRules;
  private phase: Phase;
  private blockStart = 0;
  private blockMissing = 0;
  private sawNegative = false;
  private sawBeyondInt = false;
  private sawUnreadableMinus = false;
  private keepMissingTexts = false;
  private numbers: Float64Array = EMPTY;
  /** As long as every number is the same, none is kept: it, and of how many rows from the first. */
  private repeated = Number.NaN;
  private repeatedRows = 0;
  private wide: Map<number, bigint> | null = null;
  private texts: TextStore | null = null;
  private missing: Uint8Array | null = null;
  private readonly blocks: Block[] = [];

  constructor(name: string, expect: Expectation, rules: CellRules = {}) {
    this.name = name;
    this.expect = expect;
    this.rules = rules;
    this.phase = rules.text ? "text" : "undecided";
  }

  /** True while plain decimals may be pushed without looking at their text. */
  get takesDecimals(): boolean {
    if (this.rules.defaultFloats) return false;
    return this.phase === "int" || this.phase === "float" || this.phase === "undecided";
  }

  pushDecimal(value: number, integer: boolean): void {
    if (!integer) this.phase = "float";
    else if (this.phase === "undecided") this.phase = "int";
    if (value <= 0 && (value < 0 || Object.is(value, -0))) this.sawNegative = true;
    this.pushNumber(value);
  }

  /** What cells `addDecimals` or `addTexts` may be called with, where either may. */
  get plainKind(): "decimals" | "texts" | "other" {
    if (this.phase === "text") return this.keepMissingTexts ? "other" : "texts";
    return this.takesDecimals ? "decimals" : "other";
  }

  /** What as many calls of `pushDecimal` would do, of which some had a point, or a minus. */
  addDecimals(values: Float64Array, hasPoint: boolean, hasMinus: boolean): void {
    if (hasPoint) this.phase = "float";
    else if (this.phase === "undecided") this.phase = "int";
    if (hasMinus) this.sawNegative = true;
    const end = this.length + values.length;
    if (this.numbers.length === 0 && this.repeats(values)) this.repeatedRows = end;
    else {
      if (end > this.numbers.length) this.growNumbers(end);
      this.numbers.set(values, this.length);
    }
    this.length = end;
  }

  /** What as many calls of `pushCell` would do, with texts that are surely not missing. */
  addTexts(bytes: Uint8Array, ends: Uint32Array): void {
    if (this.texts === null || this.texts.length < this.length) this.padTexts();
    appendTexts(this.texts!, bytes, ends);
    this.length += ends.length;
  }

  pushCell(bytes: Uint8Array, start: number, end: number): void {
    if (this.phase === "text") {
      if (!this.keepMissingTexts && isMissingText(bytes, start, end)) this.pushMissing();
      else this.pushText(bytes, start, end);
    } else if (this.phase === "lost") this.length++;
    else if (isMissingText(bytes, start, end)) this.pushMissing();
    else this.decide(bytes, start, end);
  }

  pushMissing(): void {
    if (this.phase === "lost") {
      this.length++;
      return;
    }
    if (this.keepMissingTexts) {
      this.pushText(NOTHING, 0, 0);
      return;
    }
    this.blockMissing++;
    this.markMissing(this.length);
    if (this.phase === "text") this.pushText(NOTHING, 0, 0);
    else this.pushNumber(Number.NaN);
  }

  /** Ends a block of rows; false means that the caller must feed the same rows again, after `restartAsText`. */
  endBlock(): boolean {
    if (this.phase === "uint" && (this.sawNegative || this.blockMissing > 0)) {
      this.keepMissingTexts = this.sawBeyondInt && this.blockMissing > 0;
      this.phase = "lost";
    }
    if (this.phase === "lost") return false;
    if (this.phase === "int") this.dropSignsOfZero();
    if (this.phase === "int" && this.blockMissing > 0) {
      if (this.sawNegative) this.dropMissingIntegers();
      this.phase = "float";
    }
    const rows = this.length - this.blockStart;
    if (rows > 0) this.blocks.push({ kind: this.blockKind(rows), start: this.blockStart, end: this.length });
    this.startBlock();
    return true;
  }

  restartAsText(): void {
    const keepMissingTexts = this.keepMissingTexts;
    this.missing?.fill(0, this.blockStart, this.length);
    this.length = this.blockStart;
    this.repeatedRows = Math.min(this.repeatedRows, this.length);
    this.startBlock();
    this.keepMissingTexts = keepMissingTexts;
    this.phase = "text";
  }

  finish(): Column {
    const kind = mergedKind(this.blocks);
    const { length } = this;
    if (this.texts) this.padTexts();
    const missing = this.missing?.subarray(0, length) ?? null;
    const missingCount = missing ? missing.reduce((sum, flag) => sum + flag, 0) : 0;
    const column = {
      name: this.name,
      kind,
      length,
      numbers: EMPTY,
      onlyNumber: null,
      wide: kind === "int" || kind === "uint" ? this.wideIntegers() : null,
      texts: kind === "text" || kind === "mixed" ? this.texts : null,
      missing: missingCount > 0 ? missing : null,
      missingCount,
      blocks: kind === "mixed" ? this.blocks : [],
    };
    if (kind === "text" || kind === "none") return column;
    if (this.numbers.length > 0 || this.repeatedRows < length)
      return { ...column, numbers: this.paddedNumbers() };
    return withOneNumber(column, this.repeated);
  }

  /** Whether numbers that come next are the one that all rows before them have; the first one decides which that is. */
  private repeats(values: Float64Array): boolean {
    if (this.length === 0 && values.length > 0) this.repeated = values[0];
    if (this.length !== this.repeatedRows) return false;
    for (let i = 0; i < values.length; i++) if (!Object.is(values[i], this.repeated)) return false;
    return true;
  }

  private startBlock(): void {
    this.phase = this.rules.text ? "text" : "undecided";
    this.blockStart = this.length;
    this.blockMissing = 0;
    this.sawNegative = false;
    this.sawBeyondInt = false;
    this.sawUnreadableMinus = false;
    this.keepMissingTexts = false;
  }

  /** "-0" among integers is 0; among floats it keeps its sign, so that this waits until the block is known. */
  private dropSignsOfZero(): void {
    if (!this.sawNegative) return;
    if (this.numbers.length === 0) this.growNumbers(this.length);
    for (let row = this.blockStart; row < this.length; row++) this.numbers[row] += 0;
  }

  private dropMissingIntegers(): void {
    if (this.numbers.length === 0) this.growNumbers(this.length);
    for (let row = this.blockStart; row < this.length; row++) {
      if (this.numbers[row] !== MISSING_INTEGER) continue;
      this.numbers[row] = Number.NaN;
      this.markMissing(row);
    }
  }

  private markMissing(row: number): void {
    this.missing ??= new Uint8Array(Math.max(this.expect.rows, row + 1));
    if (row >= this.missing.length) this.missing = grown(this.missing, Uint8Array, row);
    this.missing[row] = 1;
  }

  private blockKind(rows: number): Block["kind"] {
    if (this.blockMissing === rows) return "missing";
    if (this.phase === "bool") return this.blockMissing > 0 ? "bool+missing" : "bool";
    return this.phase === "undecided" || this.phase === "lost" ? "float" : this.phase;
  }

  private decide(bytes: Uint8Array, start: number, end: number): void {
    const onlyMissing = this.phase === "undecided";
    const text = looksNumeric(bytes, start) || end - start < 10 ? asciiText(bytes, start, end) : "";
    if (onlyMissing || this.phase === "int" || this.phase === "uint") {
      if (this.pushInteger(text)) return;
    }
    if (onlyMissing || this.phase === "bool") {
      const value = booleanCell(text);
      if (value >= 0) {
        this.phase = "bool";
        this.pushNumber(value);
        return;
      }
    }
    if (onlyMissing || this.phase === "int" || this.phase === "uint" || this.phase === "float") {
      const value = this.parseFloat(text);
      if (value !== null && !this.sawUnreadableMinus) {
        this.phase = "float";
        this.pushNumber(value);
        return;
      }
    }
    if (onlyMissing) {
      this.phase = "text";
      this.padTexts();
      this.pushText(bytes, start, end);
    } else {
      this.phase = "lost";
      this.length++;
    }
  }

  /** True when the cell was consumed: as an integer, or by giving up on numbers altogether. */
  private pushInteger(text: string): boolean {
    const beyond = beyondIntegers(text);
    if (beyond === "above") {
      this.phase = "lost";
      this.length++;
      return true;
    }
    if (beyond === "below") this.phase = "uint";
    // Once pandas tries uint64 it takes any cell with a minus for a negative integer, without reading on. Its value
    // counts all the same, in case a later cell makes the column a float after all.
    if (this.phase === "uint" && /^[\t-\r ]*-/.test(text)) {
      const value = this.parseFloat(text);
      this.sawNegative = true;
      this.sawUnreadableMinus ||= value === null;
      this.pushNumber(value ?? Number.NaN);
      return true;
    }
    const value = integerCell(text);
    if (value === null) return false;
    if (text.includes("-")) this.sawNegative = true;
    if (value > INT_MAX) {
      this.sawBeyondInt = true;
      this.phase = "uint";
    } else if (this.phase === "undecided") this.phase = "int";
    if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER)) {
      this.wide ??= new Map();
      this.wide.set(this.length, value);
    }
    // The text decides about "-0", and about what becomes a float if a later cell is one.
    const float = value === 0n || value > INT_MAX ? this.parseFloat(text) : null;
    this.pushNumber(float ?? Number(value));
    return true;
  }

  private parseFloat(text: string): number | null {
    return this.rules.defaultFloats ? defaultFloatCell(text) : floatCell(text);
  }

  private pushNumber(value: number): void {
    if (this.numbers.length === 0) {
      if (this.length === 0) this.repeated = value;
      if (this.length === this.repeatedRows && Object.is(value, this.repeated)) {
        this.repeatedRows = ++this.length;
        return;
      }
    }
    if (this.length >= this.numbers.length) this.growNumbers(this.length + 1);
    this.numbers[this.length++] = value;
  }

  private growNumbers(needed: number): void {
    this.numbers =
      this.numbers.length === 0
        ? new Float64Array(Math.max(this.expect.rows, needed))
            .fill(this.repeated, 0, this.repeatedRows)
            .fill(Number.NaN, this.repeatedRows, this.length)
        : grown(this.numbers, Float64Array, needed);
  }

  private pushText(bytes: Uint8Array, start: number, end: number): void {
    this.texts ??= emptyTextStore(Math.min(this.expect.bytes, 2 ** 32 - 1), this.expect.rows);
    if (this.texts.length < this.length) this.padTexts();
    appendBytes(this.texts, bytes, start, end);
    this.length++;
  }

  private padTexts(): void {
    this.texts ??= emptyTextStore(Math.min(this.expect.bytes, 2 ** 32 - 1), this.expect.rows);
    while (this.texts.length < this.length) appendBytes(this.texts, NOTHING, 0, 0);
  }

  private paddedNumbers(): Float64Array {
    if (this.numbers.length === 0) this.growNumbers(this.length);
    const numbers =
      this.numbers.length < this.length ? grown(this.numbers, Float64Array, this.length) : this.numbers;
    for (const { kind, start, end } of this.blocks) {
      if (kind === "text") numbers.fill(Number.NaN, start, end);
    }
    return numbers.subarray(0, this.length);
  }

  private wideIntegers(): BigInt64Array | null {
    if (this.wide === null) return null;
    const exact = new BigInt64Array(this.length);
    for (let row = 0; row < this.length; row++) {
      exact[row] = BigInt.asIntN(64, this.wide.get(row) ?? BigInt(this.numbers[row]));
    }
    return exact;
  }
}

/** A million heights of 256 take no memory, unless somebody asks for them one by one. */
function withOneNumber(column: Column, value: number): Column {
  let numbers: Float64Array | null = null;
  return {
    ...column,
    onlyNumber: value,
    get numbers() {
      numbers ??= new Float64Array(column.length).fill(value);
      return numbers;
    },
  };
}

function looksNumeric(bytes: Uint8Array, start: number): boolean {
  const byte = bytes[start];
  return (byte >= 48 && byte <= 57) || byte === 43 || byte === 45 || byte === 46 || byte <= 32;
}

type Growable = Float64Array | Uint8Array;

function grown<T extends Growable>(array: T, make: new (length: number) => T, needed = 0): T {
  const larger = new make(Math.max(needed + 1, Math.ceil(array.length * 1.6) + 16));
  larger.set(array as never);
  return larger;
}
