import fc from "fast-check";
import { expect, it } from "vitest";
import { readCsvBytes } from "../../../src/table/csv/reader.ts";

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
