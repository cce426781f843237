import { join } from "node:path";
import { expect, test } from "vitest";
import { readLines } from "../../../../src/competitions/preparing/texts/text-lines.ts";
import { workshop } from "./workshop.ts";

test("lines come without their line feed, the last one also without", () => {
  const { preparation } = workshop({ "a.txt": "one\r\n\nthree" });
  expect(Array.from(readLines(join(preparation.raw, "a.txt")), String)).toEqual(["one\r", "", "three"]);
});

test("a file longer than the buffer, with a line longer than the buffer, loses nothing", () => {
  const lines = [...Array(300_000).keys()].map((i) => `line ${i}`);
  lines.splice(1000, 0, "z".repeat(9_000_000));
  const { preparation } = workshop({ "a.txt": `${lines.join("\n")}\n` });
  let number = 0;
  for (const line of readLines(join(preparation.raw, "a.txt"))) {
    if (line.toString() !== lines[number++]) throw new Error(`line ${number} differs`);
  }
  expect(number).toBe(lines.length);
});
