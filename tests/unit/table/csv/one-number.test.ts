import fc from "fast-check";
import { expect, test } from "vitest";
import { rowsPerBlock } from "../../../../src/table/csv/layout.ts";
import { readCsvBytes } from "../../../../src/table/csv/reader.ts";

const BLOCK = rowsPerBlock(2);

function columnOf(cells: readonly string[]) {
  const read = readCsvBytes(Buffer.from(`id,size\n${cells.map((cell) => `a,${cell}\n`).join("")}`));
  if (!read.ok) throw new Error(read.problem.message);
  return read.table.column("size")!;
}

const rows = (count: number, cell: string) => Array.from({ length: count }, () => cell);

test.each<[string, string[], number | null, string]>([
  ["the same integer", rows(2 * BLOCK + 7, "256"), 256, "int"],
  ["the same float", rows(5, "0.5"), 0.5, "float"],
  ["nothing but gaps", rows(5, ""), Number.NaN, "float"],
  ["minus zero among floats", rows(3, "-0.0"), -0, "float"],
  ["minus zero among integers", rows(3, "-0"), null, "int"],
  ["another at the end", [...rows(BLOCK + 3, "1"), "2"], null, "int"],
  ["a gap at the end", [...rows(3, "1"), ""], null, "float"],
  ["another sign of zero", ["0.0", "-0.0"], null, "float"],
  ["words in a later block", [...rows(BLOCK, "1"), ...rows(3, "word")], null, "mixed"],
])("%s", (_, cells, onlyNumber, kind) => {
  const column = columnOf(cells);
  expect(column.kind).toBe(kind);
  expect(column.onlyNumber).toBe(onlyNumber);
  const numbers = cells.map((cell) => (cell === "" || cell === "word" ? Number.NaN : Number(cell)));
  expect([...column.numbers]).toEqual(kind === "int" ? numbers.map((value) => value + 0) : numbers);
});

test("numbers are those of the cells, however many of the first are the same", () => {
  const cell = fc.constantFrom("1", "1", "1", "2", "-0.0", "0.0", "7.25");
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40 }),
      fc.array(cell, { minLength: 1, maxLength: 20 }),
      (n, rest) => {
        const cells = [...rows(n, "1"), ...rest];
        const column = columnOf(cells);
        const asIntegers = column.kind === "int";
        expect([...column.numbers]).toEqual(cells.map((text) => Number(text) + (asIntegers ? 0 : -0)));
        const [first] = column.numbers;
        expect(column.onlyNumber !== null).toBe(column.numbers.every((value) => Object.is(value, first)));
      },
    ),
  );
});
