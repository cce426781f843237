import { asciiText, beyondIntegers, floatCell, integerCell, isMissingText } from "../cells/cell-text.ts";
import { SURELY_INT_DIGITS } from "../cells/decimal.ts";
import { defaultFloatCell } from "../cells/default-float.ts";
import type { CellSink } from "../csv/scanner.ts";

const INT_MAX = 2n ** 63n - 1n;
const EXACT_DIGITS = 15;
/** Digits that can neither overflow a double nor make a column too long to look at twice. */
const LONGEST_PLAIN = 40;
const LONGEST_BOOLEAN = 5;

/**
 * What pandas makes of one block of rows of a column. `int+missing` are integers that became floats, which is not the
 * same as floats: `-0` loses its sign. In `verbatim` text even `NaN` is kept as it is spelled.
 */
export type BlockKind =
  | "int"
  | "int+missing"
  | "uint"
  | "float"
  | "bool"
  | "bool+missing"
  | "text"
  | "verbatim"
  | "missing";

/** How the cells of a block print, once all blocks of the column are known. `gappy-int` prints as floats do. */
export type PrintMode =
  | "int"
  | "float"
  | "int-as-float"
  | "gappy-int"
  | "bool"
  | "bool-as-int"
  | "bool-as-float"
  | "text"
  | "verbatim";

/** A kind imposed on a column, as `dtype=` does. */
export type ForcedKind = "text" | "float";

/**
 * Decides the kind of a column block by block without keeping a cell, so that a table of any length can be typed. A class
 * for speed: one call per cell of the file.
 */
export class KindTracker implements CellSink {
  readonly takesDecimals = false;
  readonly blocks: BlockKind[] = [];
  private readonly forced: ForcedKind | undefined;
  private readonly parseFloatCell: (text: string) => number | null;
  private phase: "undecided" | "int" | "uint" | "float" | "bool" | "text" = "undecided";
  private rows = 0;
  private missing = 0;
  private sawNegative = false;
  private sawBeyondInt = false;
  private sawUnreadableMinus = false;

  constructor(forced: ForcedKind | undefined, defaultFloats: boolean) {
    this.forced = forced;
    this.parseFloatCell = defaultFloats ? defaultFloatCell : floatCell;
  }

  pushDecimal(): void {
    throw new Error("this sink takes no decimals");
  }

  pushMissing(): void {
    this.rows++;
    this.missing++;
  }

  pushCell(bytes: Uint8Array, start: number, end: number): void {
    this.rows++;
    if (this.phase === "text" || this.forced === "text") return;
    const plain = plainNumber(bytes, start, end);
    if (
      plain === "decimal" &&
      (this.phase === "float" || this.phase === "int" || this.phase === "undecided")
    ) {
      this.phase = "float";
    } else if (
      plain === "integer" &&
      (this.phase === "int" || this.phase === "float" || this.phase === "undecided")
    ) {
      if (this.phase === "undecided") this.phase = "int";
      if (bytes[start] === 45) this.sawNegative = true;
    } else if (isMissingText(bytes, start, end)) this.missing++;
    else this.decide(asciiText(bytes, start, end));
  }

  endBlock(): void {
    if (this.rows > 0) this.blocks.push(this.blockKind());
    this.phase = "undecided";
    this.rows = 0;
    this.missing = 0;
    this.sawNegative = false;
    this.sawBeyondInt = false;
    this.sawUnreadableMinus = false;
  }

  private blockKind(): BlockKind {
    if (this.forced === "text") return "text";
    if (this.missing === this.rows) return "missing";
    const gaps = this.missing > 0;
    if (this.phase === "uint" && (this.sawNegative || gaps)) {
      return gaps && this.sawBeyondInt ? "verbatim" : "text";
    }
    if (this.phase === "int" && this.forced !== "float") return gaps ? "int+missing" : "int";
    if (this.phase === "bool") return gaps ? "bool+missing" : "bool";
    if (this.phase === "uint" || this.phase === "text") return this.phase;
    return "float";
  }

  private decide(text: string): void {
    if (this.forced === "float") {
      this.phase = this.parseFloatCell(text) === null ? "text" : "float";
      return;
    }
    const open = this.phase === "undecided";
    if (open || this.phase === "int" || this.phase === "uint") {
      if (this.takesInteger(text)) return;
    }
    if ((open || this.phase === "bool") && isBoolean(text)) this.phase = "bool";
    else if (this.phase !== "bool" && !this.sawUnreadableMinus && this.parseFloatCell(text) !== null) {
      this.phase = "float";
    } else this.phase = "text";
  }

  private takesInteger(text: string): boolean {
    const beyond = beyondIntegers(text);
    if (beyond === "above") {
      this.phase = "text";
      return true;
    }
    if (beyond === "below") this.phase = "uint";
    // Once pandas tries uint64 it takes any cell with a minus for a negative integer, without reading on.
    if (this.phase === "uint" && /^[\t-\r ]*-/.test(text)) {
      this.sawNegative = true;
      this.sawUnreadableMinus ||= this.parseFloatCell(text) === null;
      return true;
    }
    const value = integerCell(text);
    if (value === null) return false;
    if (value < 0n) this.sawNegative = true;
    if (value > INT_MAX) {
      this.sawBeyondInt = true;
      this.phase = "uint";
    } else if (this.phase === "undecided") this.phase = "int";
    return true;
  }
}

/** The print mode of each block, given all of them: what pandas' joining of separately typed blocks comes to. */
export function printModes(blocks: readonly BlockKind[]): PrintMode[] {
  const kinds = new Set(blocks);
  const only = (...allowed: BlockKind[]) => [...kinds].every((kind) => allowed.includes(kind));
  if (only("int", "bool") || only("uint", "bool"))
    return blocks.map((kind) => asInteger(kind, kinds.size > 1));
  if (only("int", "int+missing", "uint", "float", "missing", "bool")) return blocks.map(asFloat);
  return blocks.map(asObject);
}

function asInteger(kind: BlockKind, mixed: boolean): PrintMode {
  if (kind !== "bool") return "int";
  return mixed ? "bool-as-int" : "bool";
}

function asFloat(kind: BlockKind): PrintMode {
  if (kind === "bool") return "bool-as-float";
  if (kind === "int+missing") return "gappy-int";
  return kind === "float" || kind === "missing" ? "float" : "int-as-float";
}

function asObject(kind: BlockKind): PrintMode {
  switch (kind) {
    case "int":
    case "uint":
      return "int";
    case "int+missing":
      return "gappy-int";
    case "float":
    case "missing":
      return "float";
    case "bool":
    case "bool+missing":
      return "bool";
    default:
      return kind;
  }
}

/** Says quickly what most cells are: digits with at most a minus in front, or such digits with a point. */
function plainNumber(bytes: Uint8Array, start: number, end: number): "integer" | "decimal" | null {
  const first = bytes[start] === 45 ? start + 1 : start;
  const length = end - first;
  if (length <= 0 || length > LONGEST_PLAIN) return null;
  let points = 0;
  let whole = length;
  for (let i = first; i < end; i++) {
    const byte = bytes[i];
    if (byte === 46) {
      points++;
      whole = i - first;
    } else if (byte < 48 || byte > 57) return null;
  }
  if (points === 0) return length <= EXACT_DIGITS ? "integer" : null;
  return points === 1 && length > 1 && whole <= SURELY_INT_DIGITS ? "decimal" : null;
}

function isBoolean(text: string): boolean {
  return text.length <= LONGEST_BOOLEAN && /^(?:true|false)$/i.test(text);
}
