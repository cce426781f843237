import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { planMemory } from "../../../../src/agents/baseline/memory-plan.ts";
import { areCoded, areNumbers, isNumberColumn } from "../../../../src/agents/baseline/reading/cells.ts";
import { readTable, tableFacts } from "../../../../src/agents/baseline/reading/table-file.ts";
import { readTextTable, type TextTable } from "../../../../src/agents/baseline/reading/text-table.ts";
import { csvField, csvRow } from "../../../../src/table/csv/writer.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const FOLDER = temporaryFolder();

function facts(content: string) {
  const found = tableFacts(writeText(FOLDER, "table.csv", content));
  if (found === null) throw new Error("no table");
  return found;
}

const texts = (table: TextTable | null) => table?.columns.map((cells) => [...cells]);

test("texts come back as they were written, whatever they look like", () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab01.-e ,"\né'.split("")), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 30 }), (rows) => {
      const lines = rows.map((cells, row) => csvRow([`r${row}`, ...cells.map((one) => csvField(one))]));
      const table = readTextTable(writeText(FOLDER, "texts.csv", `id,x,y\n${lines.join("")}`));
      expect(texts(table)?.slice(1)).toEqual([0, 1].map((at) => rows.map((cells) => cells[at])));
    }),
    { numRuns: 60 },
  );
});

test("numbers are kept as numbers, few texts as codes, and gaps as empty cells", () => {
  const table = readTable(facts("a,b,c\n1,x,0.1\n,y,2\n3.5,x,NA\n"));
  expect(texts(table)).toEqual([
    ["1", "", "3.5"],
    ["x", "y", "x"],
    ["0.1", "2", ""],
  ]);
  const [a, b, c] = table?.columns ?? [];
  expect([areNumbers(a), areCoded(b), areNumbers(c)]).toEqual([true, true, true]);
  expect(isNumberColumn(b)).toBe(false);
});

test("a column that turns out to be text late keeps what was read before", () => {
  const rows = Array.from({ length: 300 }, (_, i) => (i === 299 ? "word" : String(i / 4)));
  expect(texts(readTable(facts(`a\n${rows.join("\n")}\n`)))).toEqual([rows]);
});

test("more different texts than are worth a code are kept too", () => {
  const rows = Array.from({ length: 20_050 }, (_, i) => `word ${i}`);
  expect(texts(readTable(facts(`a\n${rows.join("\n")}\n`)))).toEqual([rows]);
});

test("a part of the rows is spread over the whole file", () => {
  const rows = Array.from({ length: 1000 }, (_, i) => String(i));
  const own = facts(`a\n${rows.join("\n")}\n`);
  expect(own.rows).toBe(1000);
  const kept = texts(readTable(own, { rows: 100 }))?.[0].map(Number) ?? [];
  expect(kept).toHaveLength(100);
  for (const [i, value] of kept.entries()) expect(Math.abs(value - 10 * i)).toBeLessThan(10);
});

test("of a file that takes too long to read the beginning is read", () => {
  const own = facts(`a\n${Array.from({ length: 1000 }, (_, i) => i).join("\n")}\n`);
  expect(readTable(own, { mostBytes: 100 })?.rows).toBeLessThan(60);
});

test("the less memory, the fewer rows and columns are held, and never none", () => {
  const header = Array.from({ length: 200 }, (_, i) => `c${i}`);
  const table = { file: "", header, rows: 1e6, textBytes: 500 };
  const plans = [2 ** 26, 2 ** 29, 2 ** 31, 2 ** 34].map((bytes) => planMemory(bytes, table, table, 1e6));
  for (const [i, plan] of plans.entries()) {
    expect(plan.trainRows).toBeGreaterThan(100);
    expect(plan.testColumns).toBeGreaterThan(1);
    const before = plans[i - 1];
    if (before === undefined) continue;
    expect(plan.trainRows).toBeGreaterThanOrEqual(before.trainRows);
    expect(plan.testColumns).toBeGreaterThanOrEqual(before.testColumns);
    expect(plan.blockRows).toBeGreaterThanOrEqual(before.blockRows);
  }
});

test("a folder, an empty file and one that is cut are not tables", () => {
  expect(tableFacts(FOLDER)).toBeNull();
  expect(tableFacts(path.join(FOLDER, "none.csv"))).toBeNull();
  expect(tableFacts(writeText(FOLDER, "empty.csv", ""))).toBeNull();
  expect(readTextTable(writeText(FOLDER, "cut.csv", 'a,b\n1,"2\n'))).toBeNull();
  fs.rmSync(path.join(FOLDER, "cut.csv"));
});
