import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { cellText } from "../../../../src/table/columns/column.ts";
import { readCsvFile } from "../../../../src/table/csv/reader.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "late-text-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

// Two columns are decided in blocks of 262,144 rows; the file is longer than a block and than one window.
const ROWS = 600_000;
const idOf = (row: number) => row.toString(16).padStart(10, "0");

function writeRows(name: string, lastRow: string): string {
  const file = path.join(folder, name);
  const rows = Array.from({ length: ROWS }, (_, row) => `${idOf(row)},${row}`);
  fs.writeFileSync(file, `id,value\n${rows.join("\n")}\n${lastRow}`);
  return file;
}

test("a long file whose ids look like numbers until a later row keeps every row in its place", () => {
  const outcome = readCsvFile(writeRows("whole.csv", ""));
  if (!outcome.ok) throw new Error(outcome.problem.message);
  const { table } = outcome;
  const ids = table.column("id")!;
  const values = table.column("value")!.numbers;
  expect(table.rowCount).toBe(ROWS);
  let wrong = 0;
  for (let row = 0; row < ROWS; row++) if (cellText(ids, row) !== idOf(row) || values[row] !== row) wrong++;
  expect(wrong).toBe(0);
});

test("a row with too many fields behind such a block is named by its place in the file", () => {
  const outcome = readCsvFile(writeRows("ragged.csv", "x,1,2\n"));
  expect(outcome).toMatchObject({ ok: false, problem: { code: "RAGGED_ROW", row: ROWS + 1 } });
});
