import { type Cells, formatCells, parseCells } from "./cells.ts";
import { HOSTILE_NUMBERS, HOSTILE_TEXTS } from "./hostile-cells.ts";
import type { Random } from "./random.ts";

/** Makes a worse submission of one; `other` is a submission of some other competition. */
type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

const MANY_COLUMNS = 10_000;

/** Every kind of damage, by name. Names that end in a star make large files and are drawn more rarely. */
const MUTATIONS: Record<string, Mutation> = {
  "flipped bytes": (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let i = 1 + random.int(20); i > 0 && copy.length > 0; i--)
      copy[random.int(copy.length)] = random.int(256);
    return copy;
  },
  "inserted bytes": (bytes, random) => insert(bytes, random.bytes(1 + random.int(64)), random),
  "random bytes": (_, random) => random.bytes(random.int(4096)),
  truncated: (bytes, random) => bytes.subarray(0, random.int(bytes.length + 1)),
  "head cut off": (bytes, random) => bytes.subarray(random.int(bytes.length + 1)),
  empty: () => Buffer.alloc(0),
  "NUL bytes": (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let i = 1 + random.int(8); i > 0 && copy.length > 0; i--) copy[random.int(copy.length)] = 0;
    return random.chance(0.2) ? Buffer.concat([copy, Buffer.alloc(random.int(5000))]) : copy;
  },
  "UTF-16": (bytes, random) => {
    const wide = Buffer.from(`\uFEFF${bytes.toString("utf8")}`, "utf16le");
    return random.chance(0.5) ? wide.swap16() : wide;
  },
  "Latin-1": (bytes, random) =>
    Buffer.from(`${bytes.toString("utf8").slice(0, random.int(bytes.length + 1))}é,ü\nß`, "latin1"),
  "byte-order marks": (bytes, random) => Buffer.concat([mark(1 + random.int(3)), bytes]),
  "cut characters": (bytes, random) =>
    insert(bytes, random.pick([[0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf5]]), random),
  "stray quotes": (bytes, random) => {
    let copy = bytes;
    for (let i = 1 + random.int(4); i > 0; i--) copy = insert(copy, '"'.repeat(1 + random.int(3)), random);
    return copy;
  },
  "an open quote": (bytes) => Buffer.concat([bytes, Buffer.from('\n"')]),
  "deep quotes": onCells((cells, random) =>
    inOneCell(cells, random, (cell) => '"'.repeat(1 + random.int(2000)) + cell),
  ),
  "everything quoted": (bytes) =>
    Buffer.from(
      parseCells(bytes)
        .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
        .join("\n"),
    ),
  "other delimiters": (bytes, random) =>
    formatCells(parseCells(bytes), random.pick([";", "\t", "|", " ", ", "])),
  "other line ends": (bytes, random) =>
    formatCells(parseCells(bytes), ",", random.pick(["\r", "\r\n", "\n\n", "\n\r", "\u2028", " \n"])),
  "lone returns and leading blanks": (bytes, random) => {
    const cells = parseCells(bytes).map((row, i) =>
      row.length > 0 && random.chance(0.3) && i > 0
        ? row.with(0, random.pick([" ", "\t", "  "]) + row[0])
        : row,
    );
    return formatCells(cells, ",", random.pick(["\r", "\r", "\r\r", "\r \r"]));
  },
  "blank lines": (bytes, random) =>
    insert(bytes, random.pick(["\n\n\n", "\n \t \n", "\r\r", "\n,\n"]), random),
  "a file of another competition": (_, __, other) => other,
  "two files in one": (bytes, _, other) => Buffer.concat([bytes, other]),
  "hostile numbers": onCells((cells, random) =>
    inSomeCells(cells, random, () => random.pick(HOSTILE_NUMBERS)),
  ),
  "hostile texts": onCells((cells, random) => inSomeCells(cells, random, () => random.pick(HOSTILE_TEXTS))),
  "a column of one value": onCells((cells, random) => {
    const position = random.int(cells[0].length);
    const value = random.pick(random.chance(0.5) ? HOSTILE_NUMBERS : HOSTILE_TEXTS);
    return cells.map((row, i) => row.map((cell, j) => (i > 0 && j === position ? value : cell)));
  }),
  "mixed-up words": onCells((cells, random) =>
    inSomeCells(cells, random, (cell) => {
      const words = cell.split(" ");
      const hostile = random.pick(random.chance(0.7) ? HOSTILE_NUMBERS : HOSTILE_TEXTS);
      if (random.chance(0.3)) words.splice(random.int(words.length), 1);
      else if (random.chance(0.5)) words[random.int(words.length)] = hostile;
      else words.splice(random.int(words.length), 0, hostile, ...words.slice(0, random.int(6)));
      return words.join(" ");
    }),
  ),
  "a number that almost fits": onCells((cells, random) =>
    inOneCell(
      cells,
      random,
      () => random.pick(["9", "0", " ", "0 "]).repeat(50_000) + random.pick(["x", "e", "."]),
    ),
  ),
  "long lists of words": onCells((cells, random) =>
    inOneCell(cells, random, (cell) => `${cell.slice(0, 2000)} `.repeat(1 + random.int(400)).trim()),
  ),
  "integers beyond 64 bits and short rows": onCells((cells, random) => {
    const position = random.int(cells[0].length);
    const wide = random.pick(["9223372036854775808", "18446744073709551615", "18446744073709551616"]);
    return cells.map((row, i) => {
      if (i === 0 || !random.chance(0.3)) return row;
      return random.chance(0.3) ? row.slice(0, position) : row.with(Math.min(position, row.length - 1), wide);
    });
  }),
  "missing rows": onCells((cells, random) => cells.filter((_, i) => i === 0 || random.chance(0.8))),
  "extra rows": onCells((cells, random) => [...cells, ...cells.slice(random.int(cells.length))]),
  "shuffled rows": onCells((cells, random) => {
    const rows = cells.slice(1);
    for (let i = rows.length - 1; i > 0; i--) {
      const j = random.int(i + 1);
      [rows[i], rows[j]] = [rows[j], rows[i]];
    }
    return [cells[0], ...rows];
  }),
  "the header alone": onCells((cells) => [cells[0]]),
  "the header missing": onCells((cells) => cells.slice(1)),
  "the header repeated": onCells((cells, random) => cells.toSpliced(random.int(cells.length), 0, cells[0])),
  "duplicate headers": onCells((cells, random) => [
    cells[0].map((name) => (random.chance(0.5) ? cells[0][0] : name)),
    ...cells.slice(1),
  ]),
  "odd headers": onCells((cells, random) => [
    cells[0].map((name) =>
      random.chance(0.5) ? random.pick(["", ` ${name}`, name.toUpperCase(), ...HOSTILE_TEXTS]) : name,
    ),
    ...cells.slice(1),
  ]),
  "a column less": onCells((cells, random) => {
    const position = random.int(cells[0].length);
    return cells.map((row) => row.toSpliced(position, 1));
  }),
  "a column more": onCells((cells, random) => {
    const position = random.int(cells[0].length + 1);
    return cells.map((row, i) => row.toSpliced(position, 0, i === 0 ? "extra" : String(i)));
  }),
  "columns reversed": onCells((cells) => cells.map((row) => row.toReversed())),
  "values of two columns swapped": onCells((cells, random) => {
    const [a, b] = [random.int(cells[0].length), random.int(cells[0].length)];
    const from = (j: number) => (j === a ? b : j === b ? a : j);
    return cells.map((row, i) => (i === 0 ? row : row.map((cell, j) => row[from(j)] ?? cell)));
  }),
  "ragged rows": onCells((cells, random) =>
    cells.map((row) => (random.chance(0.1) ? row.slice(0, random.int(row.length + 1)) : row)),
  ),
  "one row too wide": onCells((cells, random) =>
    cells.with(random.int(cells.length), [...(random.pick(cells) ?? []), "1", "2"]),
  ),
  "row labels without a name": onCells((cells) =>
    cells.map((row, i) => (i === 0 ? row : [String(i), ...row])),
  ),
  "a trailing comma": onCells((cells) => cells.map((row, i) => (i === 0 ? row : [...row, ""]))),
  "many columns*": onCells((cells, random) => {
    const rows = cells.slice(0, 1 + random.int(20));
    const names = Array.from({ length: MANY_COLUMNS }, (_, i) => (random.chance(0.9) ? `c${i}` : "c"));
    const value = random.pick(["0", "0.5", "x", "", "True"]);
    return rows.map((row, i) => [...row, ...(i === 0 ? names : names.map(() => value))]);
  }),
  "many commas*": (bytes, random) => insert(bytes, ",".repeat(1 + random.int(MANY_COLUMNS * 10)), random),
  "a huge field*": onCells((cells, random) =>
    inOneCell(cells, random, () =>
      random
        .pick(["x", "9", "0", "1 ", "1_", "é", "0.1,", '"', "\n", " ", "(", "a b "])
        .repeat(1 + random.int(700_000))
        .concat(random.pick(["", "", "x", "e", ".", " 1", "!"])),
    ),
  ),
  "one endless line*": (bytes, random) =>
    Buffer.alloc(
      1 + random.int(2_500_000),
      Buffer.from(bytes.toString("utf8").replaceAll(/[\r\n]/g, random.pick([",", " ", ""])) || "x"),
    ),
  "kinds that change between blocks*": onCells((cells, random) => {
    const width = cells[0].length;
    // They are repeated thousands of times: what another mutation made huge is left out.
    const rows = cells.slice(1).filter((row) => row.length < width + 64 && row.join().length < 20_000);
    if (rows.length === 0) return cells;
    const position = random.int(width);
    const value = random.pick(["True", "False", "", "0.5", "1", "x", "18446744073709551615"]);
    // Blocks are shorter the more columns there are; beyond sixteen a file of this size has several.
    const wide = Math.max(1, 64 - width);
    const block = 2 ** Math.floor(Math.log2((2 ** 20 - 1) / (width + wide)));
    const padding = new Array<string>(wide).fill("0");
    const filled = Array.from({ length: block + 5 }, (_, i) => {
      const row = rows[i % rows.length];
      return [...(i >= block ? row.with(Math.min(position, row.length - 1), value) : row), ...padding];
    });
    return [[...cells[0], ...padding.map((_, i) => `pad${i}`)], ...filled];
  }),
  "many rows*": (bytes, random) =>
    Buffer.concat(Array.from({ length: bytes.length > 2 ** 20 ? 3 : 1 + random.int(40) }, () => bytes)),
};

const SMALL = Object.keys(MUTATIONS).filter((name) => !name.endsWith("*"));
const LARGE = Object.keys(MUTATIONS).filter((name) => name.endsWith("*"));
const LARGE_SHARE = 0.03;

/** One to three mutations, one after the other, and their names. One alone leaves more files worth a score. */
export function mutate(bytes: Buffer, random: Random, other: Buffer): { bytes: Buffer; names: string[] } {
  const names = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () =>
    random.pick(random.chance(LARGE_SHARE) ? LARGE : SMALL),
  );
  let mutated = bytes;
  for (const name of names) mutated = MUTATIONS[name](mutated, random, other);
  return { bytes: mutated, names };
}

function onCells(change: (cells: Cells, random: Random) => Cells): Mutation {
  return (bytes, random) => {
    const cells = parseCells(bytes);
    return cells.length === 0 ? bytes : formatCells(change(cells, random));
  };
}

function inSomeCells(cells: Cells, random: Random, change: (cell: string) => string): Cells {
  const share = random.pick([0.01, 0.1, 0.5]);
  const changed = cells.map((row, i) =>
    i === 0 ? row : row.map((cell) => (random.chance(share) ? change(cell) : cell)),
  );
  return inOneCell(changed, random, change);
}

function inOneCell(cells: Cells, random: Random, change: (cell: string) => string): Cells {
  const rowNumber = cells.length > 1 ? 1 + random.int(cells.length - 1) : 0;
  const row = cells[rowNumber];
  if (row.length === 0) return cells;
  const position = random.int(row.length);
  return cells.with(rowNumber, row.with(position, change(row[position])));
}

function insert(bytes: Buffer, extra: string | readonly number[] | Buffer, random: Random): Buffer {
  const at = random.int(bytes.length + 1);
  const middle = typeof extra === "string" ? Buffer.from(extra) : Buffer.from(extra as number[]);
  return Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at)]);
}

function mark(count: number): Buffer {
  return Buffer.alloc(3 * count, Buffer.from([0xef, 0xbb, 0xbf]));
}
