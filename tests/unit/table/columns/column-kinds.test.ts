import { expect, test } from "vitest";
import { type BlockKind, type PrintMode, printModes } from "../../../../src/table/columns/column-kinds.ts";

test.each<[string, BlockKind[], PrintMode[]]>([
  ["booleans alone", ["bool", "bool"], ["bool", "bool"]],
  ["booleans and integers", ["bool", "int"], ["bool-as-int", "int"]],
  ["booleans and floats", ["bool", "float"], ["bool-as-float", "float"]],
  ["booleans and a block without a value", ["bool", "missing"], ["bool-as-float", "float"]],
  [
    "integers, booleans, gaps",
    ["int", "bool", "int+missing"],
    ["int-as-float", "bool-as-float", "gappy-int"],
  ],
  ["booleans, floats, texts", ["bool", "float", "text"], ["bool", "float", "text"]],
  ["booleans with gaps and floats", ["bool+missing", "float"], ["bool", "float"]],
])("blocks of %s print as numpy joins them", (_, blocks, modes) => {
  expect(printModes(blocks)).toEqual(modes);
});
