const MISSING = new Set(["", "nan", "na", "n/a", "null", "none", "unknown", "?", "<na>"]);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const EXACT_DIGITS = 15;
const DISTINCTIVE = 12;
const CLIP = 1000;
const TEXT_HEAD = 40;

/** A cell in the form in which two files are compared: `True`, `true` and `1.0` are all `1`. Long digits stay as spelled. */
export function plainCell(cell: string): string {
  const text = cell.trim();
  if (/^true$/i.test(text)) return "1";
  if (/^false$/i.test(text)) return "0";
  return text.length <= EXACT_DIGITS && !/^[+-]?0\d/.test(text) && NUMBER.test(text)
    ? String(Number(text))
    : text;
}

/** A number, or NaN for anything else: an empty cell is not 0. */
export function cellNumber(cell: string): number {
  const text = cell.trim();
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}

export function isBlankCell(cell: string): boolean {
  return MISSING.has(cell.trim().toLowerCase());
}

/** Whether a text is so long that meeting it elsewhere cannot be chance: a mask, a sequence, a sentence, a full-precision number. */
export function isDistinctive(cell: string): boolean {
  return cell.length >= DISTINCTIVE;
}

/** Long cells are kept and compared by their first characters: a table of documents must not fill the memory. */
export function clipCell(cell: string): string {
  // A slice alone would keep the whole text alive.
  return cell.length <= CLIP ? cell : Buffer.from(cell.slice(0, CLIP), "utf8").toString("utf8");
}

/** What cells take in memory, about: each text has a head. */
export function cellsSize(cells: readonly string[]): number {
  return cells.reduce((size, cell) => size + cell.length + TEXT_HEAD, 0);
}
