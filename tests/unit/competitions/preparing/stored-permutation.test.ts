import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { storePermutation } from "../../../../src/competitions/preparing/splits/stored-permutation.ts";
import { permutation, randomState } from "../../../../src/random/numpy-legacy.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";

const quiet = { progress: () => {}, signal: new AbortController().signal };

test.each([
  [1, 0],
  [2, 0],
  [3, 7],
  [10, 42],
  [1000, 1],
  // A bucket holds 16,384 items.
  [16_384, 0],
  [16_385, 0],
  [200_001, 3],
  [700_000, 5],
])("the places of %i items are numpy's permutation turned around (seed %i)", async (count, seed) => {
  const folder = temporaryFolder();
  const file = path.join(folder, "places");
  await storePermutation(quiet, file, randomState(seed), count);
  const bytes = fs.readFileSync(file);
  const places = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const expected = new Uint32Array(count);
  permutation(randomState(seed), count).forEach((item, place) => {
    expected[item] = place;
  });
  expect(Buffer.compare(Buffer.from(places.buffer), Buffer.from(expected.buffer))).toBe(0);
  expect(fs.readdirSync(folder)).toEqual(["places"]);
});

test("an interruption leaves no temporary file", async () => {
  const folder = temporaryFolder();
  const stopped = { ...quiet, signal: AbortSignal.abort() };
  await expect(
    storePermutation(stopped, path.join(folder, "places"), randomState(0), 200_000),
  ).rejects.toThrow();
  expect(fs.readdirSync(folder)).toEqual([]);
});
