import { expect, test } from "vitest";
import { collectProblems } from "../../../src/competitions/problems.ts";
import { exactLabels } from "../../../src/competitions/shapes/cells/exact-labels.ts";
import { integerLabels, truncatedInteger } from "../../../src/competitions/shapes/cells/integer-cells.ts";
import { requireLabels, requireWholeNumbers } from "../../../src/competitions/shapes/cells/labels.ts";
import type { Column } from "../../../src/table/columns/column.ts";
import { readCsvBytes } from "../../../src/table/csv/reader.ts";

function column(...cells: string[]): Column {
  const outcome = readCsvBytes(Buffer.from(`a,b\n${cells.map((cell) => `x,${cell}\n`).join("")}`));
  if (!outcome.ok) throw new Error(outcome.problem.message);
  return outcome.table.column("b")!;
}

function convert(...cells: string[]) {
  const problems = collectProblems();
  const labels = integerLabels(column(...cells), truncatedInteger, problems);
  return labels ? [...labels] : problems.list.map(({ code, row }) => `${code} ${row}`);
}

test("fractions are cut off towards zero", () => {
  expect(convert("5.9", "-5.9", "7")).toEqual([5, -5, 7]);
});

test("texts follow Python's integer syntax, and each other text is named with its row", () => {
  expect(convert("1_0", " 7 ", "+3")).toEqual([10, 7, 3]);
  expect(convert("1_0", "3.0", "", "oak")).toEqual(["WRONG_KIND 2", "MISSING_VALUE 3", "WRONG_KIND 4"]);
});

test("labels beyond 64 bits are refused", () => {
  expect(convert("1", "1e19")).toEqual(["OUT_OF_RANGE 2"]);
  expect(convert("-9223372036854775809", "1")).toEqual(["OUT_OF_RANGE 1"]);
});

test("labels in the upper half of the unsigned range are legal only when all of them are there", () => {
  expect(convert("9223372036854775808", "18446744073709551615")).toHaveLength(2);
  expect(convert("9223372036854775808", "1")).toEqual(["OUT_OF_RANGE 1"]);
});

test("integers that are the same double stay different labels in their own order", () => {
  const labels = exactLabels(
    column("9007199254740993", "9007199254740992", "5", "-9007199254740993", "-9007199254740992"),
  );
  const order = [...labels.keys()].sort((a, b) => labels[a] - labels[b]);
  expect(order).toEqual([3, 4, 2, 1, 0]);
  expect(new Set(labels).size).toBe(5);
  expect(labels[2]).toBe(5);
});

test.each([
  ["whole floats", ["3.0", "4"], true],
  ["true and false", ["True", "false"], true],
  ["a fraction", ["3.5", "4"], false],
  ["an empty cell", ["", "4"], false],
  ["an infinite value", ["inf", "4"], false],
  ["a float beyond 64 bits", ["1e19", "4"], false],
  ["true and false with a gap", ["True", ""], false],
])("%s as class numbers: %j is accepted: %s", (_, cells, accepted) => {
  const problems = collectProblems();
  expect(requireWholeNumbers(column(...cells), problems)).toBe(accepted);
  expect(problems.count === 0).toBe(accepted);
});

test("texts are labels but no class numbers, and a gap among them is refused", () => {
  expect(requireLabels(column("oak", "elm"), collectProblems())).toBe(true);
  expect(requireWholeNumbers(column("oak", "elm"), collectProblems())).toBe(false);
  const problems = collectProblems();
  expect(requireLabels(column("oak", ""), problems)).toBe(false);
  expect(problems.list).toMatchObject([{ code: "MISSING_VALUE", row: 2, column: "b" }]);
});
