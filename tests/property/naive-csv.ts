import { isUtf8 } from "node:buffer";

/**
 * The rules of reading CSV once more, written for shortness alone: the whole text in memory, a string per cell, one
 * column after the other. What the real reader does in one pass over bytes has to come out the same.
 */
export type NaiveOutcome =
  | { ok: false; code: "NOT_UTF8" | "OPEN_QUOTE" | "RAGGED_ROW" | "BLANK_BEHIND_RETURN" }
  | { ok: true; header: string[]; rowCount: number; labels: NaiveColumn | null; columns: NaiveColumn[] };

export interface NaiveColumn {
  kind: string;
  /** Numbers, texts, booleans; null where missing. */
  cells: (number | bigint | string | boolean | null)[];
}

const MISSING =
  "|#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null".split(
    "|",
  );

export function naiveRead(bytes: Uint8Array): NaiveOutcome {
  if (!isUtf8(bytes)) return { ok: false, code: "NOT_UTF8" };
  const text = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const { rows, open, blankBehindReturn } = tokenise(text);
  if (blankBehindReturn && rows.length < 2) return { ok: false, code: "BLANK_BEHIND_RETURN" };
  if (rows.length === 0)
    return open
      ? { ok: false, code: "OPEN_QUOTE" }
      : { ok: true, header: [], rowCount: 0, labels: null, columns: [] };
  const [first, ...data] = rows;
  const header = mangle(first);
  const surplus = data.length > 0 ? Math.max(0, data[0].length - header.length) : 0;
  const width = header.length + surplus;
  if (data.some((row) => row.length > width)) return { ok: false, code: "RAGGED_ROW" };
  if (blankBehindReturn) return { ok: false, code: "BLANK_BEHIND_RETURN" };
  if (open) return { ok: false, code: "OPEN_QUOTE" };
  const column = (position: number) => inferColumn(data.map((row) => row[position] ?? ""));
  return {
    ok: true,
    header,
    rowCount: data.length,
    labels: surplus > 0 ? column(0) : null,
    columns: header.map((_, i) => column(i + surplus)),
  };
}

interface Tokens {
  rows: string[][];
  open: boolean;
  blankBehindReturn: boolean;
}

/** All complete rows; `open` when the text ends inside quotes, `blankBehindReturn` where pandas loses its way. */
function tokenise(text: string): Tokens {
  const rows: string[][] = [];
  let rest = text;
  let before = "\n";
  while (true) {
    let skipped = false;
    for (let blank = lineEnd(rest); blank !== null; blank = lineEnd(rest)) {
      skipped = true;
      before = blank[1];
      rest = rest.slice(blank[0].length);
      if (before === "\r" && rest.startsWith(",")) rest = rest.slice(1);
    }
    if (/^[ \t]*$/.test(rest)) return { rows, open: false, blankBehindReturn: false };
    if (before === "\r" && /^[ \t]/.test(rest)) {
      if (skipped || (rows.length !== 1 && rows.length !== 2))
        return { rows, open: false, blankBehindReturn: true };
      if (rows.length === 1) rows.push(rows[0]);
    }
    const row: string[] = [];
    while (true) {
      const quoted = /^"((?:[^"]|"")*)"(?!")([^,\r\n]*)/.exec(rest);
      if (!quoted && rest.startsWith('"')) return { rows, open: true, blankBehindReturn: false };
      const [whole, inside, behind] = quoted ?? /^([^,\r\n]*)()/.exec(rest)!;
      row.push(((quoted ? inside.replaceAll('""', '"') : inside) + behind).replace(/\0.*/s, ""));
      rest = rest.slice(whole.length);
      if (!rest.startsWith(",")) break;
      rest = rest.slice(1);
    }
    before = /^(?:\r\n|\n|\r)?/.exec(rest)![0] || "\n";
    rest = rest.replace(/^(?:\r\n|\n|\r)/, "");
    rows.push(row);
  }
}

function lineEnd(text: string): RegExpExecArray | null {
  return /^[ \t]*(\r\n|\n|\r)/.exec(text);
}

function mangle(fields: string[]): string[] {
  const names = fields.map((field, position) => field || `Unnamed: ${position}`);
  const used = new Set(names);
  const seen = new Set<string>();
  const positions = [...fields.keys()];
  // Columns with a name of their own choose before those without.
  for (const position of [...positions.filter((i) => fields[i]), ...positions.filter((i) => !fields[i])]) {
    const name = names[position];
    if (seen.has(name)) {
      let suffix = 1;
      while (used.has(`${name}.${suffix}`)) suffix++;
      names[position] = `${name}.${suffix}`;
      used.add(names[position]);
    }
    seen.add(names[position]);
  }
  return names;
}

/** Tries the whole column as one kind after the other, as pandas does. */
function inferColumn(cells: string[]): NaiveColumn {
  const present = cells.filter((cell) => !MISSING.includes(cell));
  const typed = (kind: string, convert: (cell: string) => NaiveColumn["cells"][number]) => ({
    kind,
    cells: cells.map((cell) => (MISSING.includes(cell) ? null : convert(cell))),
  });
  const gaps = present.length < cells.length;
  if (cells.length === 0) return { kind: "none", cells: [] };
  if (present.length === 0) return typed("float", Number);
  const integers = tryIntegers(present, gaps);
  // Gaps are marked with the smallest integer: whatever becomes it as a float is a gap too.
  const unlessMark = (cell: string) => {
    const value = Number(toInteger(cell));
    return value === -(2 ** 63) ? null : value;
  };
  if (integers === "int") return gaps ? typed("float", unlessMark) : typed("int", toInteger);
  if (integers === "uint") return typed("uint", toInteger);
  if (integers === "text with gaps as texts") return { kind: "text", cells };
  if (integers === "none" && present.every((cell) => toFloat(cell) !== null)) return typed("float", toFloat);
  if (present.every((cell) => /^(?:True|TRUE|true|False|FALSE|false)$/.test(cell)))
    return typed(gaps ? "bool+missing" : "bool", (cell) => cell.toLowerCase() === "true");
  return typed("text", (cell) => cell);
}

function tryIntegers(
  cells: string[],
  gaps: boolean,
): "int" | "uint" | "none" | "text" | "text with gaps as texts" {
  const integer = /^[\t-\r ]*[+-]?\d+[\t-\r ]*$/;
  // Digits are read up to where they overflow, and nothing after them.
  const beyond = (cell: string, signed: boolean) => {
    const digits = /^[\t-\r ]*[+-]?\d+/.exec(cell);
    return digits !== null && !fits(toInteger(digits[0]), 64, signed);
  };
  const bad = cells.find((cell) => beyond(cell, true) || !integer.test(cell));
  if (bad === undefined) return "int";
  if (!beyond(bad, true)) return "none";
  // Too large for a signed integer: once more from the start, unsigned, where a minus is taken on trust.
  for (const cell of cells) {
    if (/^[\t-\r ]*-/.test(cell)) continue;
    if (beyond(cell, false)) return "text";
    if (!integer.test(cell)) return "none";
  }
  const negative = cells.filter((cell) => /^[\t-\r ]*-/.test(cell));
  if (gaps && cells.some((cell) => !negative.includes(cell) && beyond(cell, true)))
    return "text with gaps as texts";
  return negative.length > 0 ? "text" : "uint";
}

function fits(value: bigint, bits: number, signed: boolean): boolean {
  return (signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) === value;
}

function toInteger(cell: string): bigint {
  const digits = cell.replaceAll(/[\t-\r +]/g, "");
  return digits.startsWith("-") ? -BigInt(digits.slice(1)) : BigInt(digits);
}

function toFloat(cell: string): number | null {
  if (/^[+-]?inf(?:inity)?$/i.test(cell)) return cell.startsWith("-") ? -Infinity : Infinity;
  const digits = cell.replaceAll(/^[\t-\r ]+|[\t-\r ]+$/g, "");
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits)) return null;
  return Number(digits) === Infinity ? null : Number(digits);
}
