import fc from "fast-check";
import { expect, it } from "vitest";
import { sameTexts } from "../../../../src/table/columns/text-store.ts";
import { readCsvBytes } from "../../../../src/table/csv/reader.ts";

const decimal = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map(String),
  fc.constantFrom("0", "-0", "-0.0", "5.", ".5", "-.25", "00012", "123456789", "1234567890", "0.1234567891"),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);
const oddCell = fc.constantFrom("", "-", ".", "x", " 1", "1e5", "nan", '"7"', "True", "+1", "9".repeat(20));
const cell = fc.oneof({ weight: 30, arbitrary: decimal }, { weight: 1, arbitrary: oddCell });
const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 60 });
const lineEnd = fc.constantFrom("\n", "\r\n", "\n\n");

function column(text: string, name: string, all: boolean) {
  const read = readCsvBytes(Buffer.from(text), all ? {} : { columns: () => [name] });
  if (!read.ok) throw new Error(read.problem.message);
  const { kind, numbers, texts, missing } = read.table.column(name)!;
  return { rowCount: read.table.rowCount, kind, numbers: [...numbers], texts, missing };
}

it("a column holds the same whether its table is read whole, row by row, or for that column alone", () => {
  fc.assert(
    fc.property(rows, lineEnd, fc.boolean(), (cells, end, closed) => {
      const text = ["a,b,c", ...cells.map((row) => row.join(","))].join(end) + (closed ? end : "");
      for (const name of ["a", "b", "c"]) expect(column(text, name, true)).toEqual(column(text, name, false));
    }),
    { numRuns: 500 },
  );
});

it("a row with a cell too many behind many good ones is refused by its number", () => {
  const good = Array.from({ length: 500 }, (_, i) => `${i},${i / 4}`);
  const read = readCsvBytes(Buffer.from(["a,b", ...good, "1,2,3", "4,5", ""].join("\n")));
  expect(read).toMatchObject({ ok: false, problem: { code: "RAGGED_ROW", row: 501 } });
});

const plainText = fc.oneof(
  fc.constantFrom("ab", "x", "-", "N", "1", "no", "1a", "é✓", "a-rather-long-id-of-more-than-sixteen-bytes"),
  fc.integer({ min: 0, max: 10 ** 8 }).map((number) => `im${number}.jpg`),
);
const textCell = fc.oneof(
  { weight: 60, arbitrary: plainText },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "NA", "nan", "1.#IND", '"q,""r"', " b", "a\0b", "null", "<NA>"),
  },
);
const mixedRow = fc.tuple(textCell, cell, plainText, cell);
const manyRows = fc.array(mixedRow, { minLength: 1, maxLength: 40 });

it("long files give the same table whether their plain rows are taken together or cell by cell", () => {
  // A limit below the size of a window has every cell measured, and so every row read cell by cell.
  const cellByCell = { limits: { fieldBytes: 2 ** 16, fileBytes: 2 ** 30 } };
  const borders = fc.constantFrom(9_000, 140_000, 300_000);
  const ends = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(manyRows, borders, ends, fc.boolean(), (some, bytes, end, closed) => {
      const part = some.map((row) => `${row.join(",")}${end}`).join("");
      const text = `id,a,t,b${end}${part.repeat(Math.ceil(bytes / part.length))}`;
      const content = Buffer.from(closed ? text : text.slice(0, text.length - end.length));
      for (const columns of [["id", "a", "t", "b"], ["id", "b"], ["a"], ["t", "b"]]) {
        const options = { columns: () => columns };
        const [together, apart] = [
          readCsvBytes(content, options),
          readCsvBytes(content, { ...options, ...cellByCell }),
        ];
        expect(together.ok).toBe(apart.ok);
        if (!together.ok || !apart.ok) {
          // A value that is returned would be the property's verdict.
          expect(together).toEqual(apart);
          return;
        }
        expect(together.table.rowCount).toBe(apart.table.rowCount);
        for (const name of columns) {
          const [ours, theirs] = [together.table.column(name)!, apart.table.column(name)!];
          expect({ ...ours, numbers: null, texts: null }).toEqual({ ...theirs, numbers: null, texts: null });
          expect(Buffer.compare(bytesOf(ours.numbers), bytesOf(theirs.numbers))).toBe(0);
          expect(ours.texts === null || sameTexts(ours.texts, theirs.texts!)).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});

function bytesOf(numbers: Float64Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
