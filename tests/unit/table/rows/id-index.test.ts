import fc from "fast-check";
import { expect, it } from "vitest";
import { readCsvBytes } from "../../../../src/table/csv/reader.ts";
import { indexIds } from "../../../../src/table/rows/id-index.ts";

function column(cells: string[]) {
  const read = readCsvBytes(Buffer.from(`c,d\n${cells.map((cell) => `${cell},0`).join("\n")}\n`));
  if (!read.ok) throw new Error(read.problem.message);
  return read.table.column("c")!;
}

const ids = fc.oneof(
  fc.array(fc.constantFrom("a", "b", "aa", "ab", "x1", "", "nan", "é"), { minLength: 1, maxLength: 40 }),
  fc.array(fc.constantFrom("1", "2", "3.5", "1.0", ""), { minLength: 1, maxLength: 40 }),
);

it("looking up a whole column finds for each row the first row with its value", () => {
  fc.assert(
    fc.property(ids, ids, (known, wanted) => {
      const [there, here] = [column(known), column(wanted)];
      const index = indexIds(there)!;
      const found = index.findAll(here);
      const comparable = (there.kind === "text") === (here.kind === "text");
      for (let row = 0; row < wanted.length; row++) {
        const value = (cell: string) => (there.kind === "text" ? cell : Number(cell));
        const missing = wanted[row] === "" || wanted[row] === "nan";
        const expected =
          missing || !comparable
            ? -1
            : known.findIndex((cell) => cell !== "" && cell !== "nan" && value(cell) === value(wanted[row]));
        expect(found[row]).toBe(expected);
        expect(index.find(here, row)).toBe(expected);
      }
    }),
  );
});
