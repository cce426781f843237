import { asciiText, isMissingText } from "../../../table/cells/cell-text.ts";
import {
  appendBytes,
  decodeUtf8,
  emptyTextStore,
  type TextStore,
} from "../../../table/columns/text-store.ts";
import type { CellSink } from "../../../table/csv/scanner.ts";
import { type Cells, codedCells, numberCell, numberCells, storedCells, toNumber } from "./cells.ts";

/** Whether the row that is being read is kept. */
export interface RowGate {
  isOpen: boolean;
}

/** Beyond so many different texts a table of them takes more memory than the texts themselves. */
const MAX_WORDS = 20_000;
const MAX_CHARACTERS = 2 ** 21;

/**
 * Collects the cells of a column in as few bytes as they need: as numbers until a cell is none, as codes while there
 * are few different texts, else as one long text. A class, as it is called for every cell of the file.
 */
export class CellCollector implements CellSink {
  takesDecimals: boolean;
  private readonly gate: RowGate;
  private length = 0;
  private numbers: Float64Array | null;
  private codes: Int32Array | null = null;
  private readonly words = new Map<string, number>();
  private characters = 0;
  private texts: TextStore | null = null;
  private readonly expected: number;

  constructor(gate: RowGate, expectedRows: number, asText: boolean) {
    this.gate = gate;
    this.expected = Math.max(16, expectedRows);
    this.takesDecimals = !asText;
    this.numbers = asText ? null : new Float64Array(this.expected);
    if (asText) this.codes = new Int32Array(this.expected);
  }

  pushDecimal(value: number): void {
    if (!this.gate.isOpen) return;
    if (this.numbers === null) this.pushText(numberCell(value));
    else {
      if (this.length === this.numbers.length) this.numbers = grown(this.numbers, Float64Array);
      this.numbers[this.length++] = value;
    }
  }

  pushMissing(): void {
    this.pushDecimal(Number.NaN);
  }

  pushCell(bytes: Uint8Array, start: number, end: number): void {
    if (!this.gate.isOpen) return;
    if (isMissingText(bytes, start, end)) this.pushMissing();
    else if (this.texts !== null) {
      appendBytes(this.texts, bytes, start, end);
      this.length++;
    } else if (this.numbers === null) this.pushText(decodeUtf8(bytes, start, end));
    else {
      const value = toNumber(asciiText(bytes, start, end));
      if (!Number.isNaN(value)) this.pushDecimal(value);
      else {
        this.numbersToWords();
        this.pushText(decodeUtf8(bytes, start, end));
      }
    }
  }

  finish(): Cells {
    if (this.numbers !== null) return numberCells(narrowed(this.numbers.subarray(0, this.length)));
    if (this.codes !== null) return codedCells(this.codes.slice(0, this.length), [...this.words.keys()]);
    return storedCells(this.texts as TextStore);
  }

  /** Numbers read before come back as their shortest texts: `1.0` as `1`. Columns where this matters are read as texts. */
  private numbersToWords(): void {
    const numbers = (this.numbers as Float64Array).subarray(0, this.length);
    this.numbers = null;
    this.takesDecimals = false;
    this.codes = new Int32Array(Math.max(this.expected, this.length));
    this.length = 0;
    for (const value of numbers) this.pushText(numberCell(value));
  }

  private pushText(text: string): void {
    const isFull = this.words.size >= MAX_WORDS || this.characters > MAX_CHARACTERS;
    if (this.codes !== null && isFull) this.codesToTexts();
    if (this.codes === null) this.store(text);
    else {
      const code = this.words.get(text) ?? this.words.size;
      if (code === this.words.size) {
        this.words.set(text, code);
        this.characters += text.length;
      }
      if (this.length === this.codes.length) this.codes = grown(this.codes, Int32Array);
      this.codes[this.length++] = code;
    }
  }

  private codesToTexts(): void {
    const words = [...this.words.keys()];
    const codes = (this.codes as Int32Array).subarray(0, this.length);
    this.codes = null;
    this.words.clear();
    this.length = 0;
    this.texts = emptyTextStore(2 ** 16, this.expected);
    for (const code of codes) this.store(words[code]);
  }

  private store(text: string): void {
    const bytes = Buffer.from(text);
    appendBytes(this.texts as TextStore, bytes, 0, bytes.length);
    this.length++;
  }
}

function grown<T extends Float64Array | Int32Array>(array: T, make: new (length: number) => T): T {
  const larger = new make(Math.ceil(array.length * 1.5) + 16);
  larger.set(array);
  return larger;
}

function narrowed(numbers: Float64Array): Float64Array | Float32Array {
  for (const value of numbers)
    if (Math.fround(value) !== value && !Number.isNaN(value)) return numbers.slice();
  return Float32Array.from(numbers);
}
