import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGatheredFile } from "../../../../src/competitions/preparing/files/gathered-file.ts";
import { permutation, randomState } from "../../../../src/random/numpy-legacy.ts";
import { read, workshop } from "./workshop.ts";

function gather(count: number, expectedBytes: number, line: (position: number) => string) {
  const { preparation } = workshop();
  const path = join(preparation.public, "out.csv");
  const file = createGatheredFile(
    path,
    Buffer.from("head\n"),
    count,
    expectedBytes,
    join(preparation.scratch, "spill"),
  );
  for (const position of permutation(randomState(0), count)) {
    const bytes = Buffer.from(line(position));
    file.put(position, bytes, 0, bytes.length);
  }
  for (const _ of file.finish());
  file.close();
  const expected = `head\n${Array.from({ length: count }, (_, i) => line(i)).join("")}`;
  return { same: read(path) === expected, left: readdirSync(preparation.scratch) };
}

test("rows that arrive in any order come out in theirs, from one bucket in memory", () => {
  expect(gather(10_000, 1000, (position) => `row ${position}\n`)).toEqual({ same: true, left: [] });
});

test("many buckets spill to disk and leave nothing behind", () => {
  const line = (position: number) => `${position} ${"x".repeat(position % 700)}\n`;
  expect(gather(30_000, 400 * 2 ** 20, line)).toEqual({ same: true, left: [] });
});

test("a row longer than a flush buffer passes through", () => {
  const line = (position: number) => `${position} ${"y".repeat(position === 5 ? 900_000 : 10)}\n`;
  expect(gather(9, 400 * 2 ** 20, line)).toEqual({ same: true, left: [] });
});
