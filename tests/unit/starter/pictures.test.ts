import { describe, expect, test } from "vitest";
import { surface, toned } from "../../../src/starter/fields/stained-drawings/filters.ts";
import {
  boxMean,
  type Filter,
  localDeviation,
  rankFilter,
  shifted,
} from "../../../src/starter/learners/pictures.ts";

const picture = { width: 3, height: 3, pixels: Float32Array.of(0, 9, 0, 9, 18, 9, 0, 9, 90) };

describe("filters", () => {
  test.each<[string, Filter, number]>([
    ["mean", (one) => boxMean(one, 1), 16],
    ["median", (one) => rankFilter(one, 1, 0.5), 9],
    ["darkest", (one) => rankFilter(one, 1, 0), 0],
    ["brightest", (one) => rankFilter(one, 1, 1), 90],
    ["deviation", (one) => localDeviation(one, 1), Math.sqrt((5 * 81 + 324 - 81 + 8100) / 9 - 256)],
    ["right neighbour", (one) => shifted(one, 1, 0), 9],
  ])("the %s around the middle", (_, filter, expected) => {
    expect(filter(picture)[4]).toBeCloseTo(expected, 3);
  });

  test("beyond the border lie the pixels of the border", () => {
    expect(boxMean(picture, 1)[0]).toBeCloseTo((4 * 0 + 4 * 9 + 18) / 9, 4);
    expect(shifted(picture, 5, 5)[0]).toBe(90);
  });

  test("a surface follows paper that gets darker to one side, not the ink on it", () => {
    const paper = Float32Array.from({ length: 400 }, (_, at) => 200 - 2 * (at % 20));
    const inked = paper.map((value, at) => (at % 7 === 0 ? 20 : value));
    const found = surface({ width: 20, height: 20, pixels: inked }, 1);
    expect(Math.max(...found.map((value, at) => Math.abs(value - paper[at])))).toBeLessThan(12);
  });

  test("shades are put right as the examples have them", () => {
    const pixels = Float32Array.from({ length: 900 }, (_, at) => (at % 52) * 5);
    const example = {
      picture: { width: 30, height: 30, pixels },
      target: pixels.map((value) => 1 - value / 255),
    };
    const restored = toned((one) => Float32Array.from(one.pixels))([example])(example.picture);
    expect(Math.max(...restored.map((value, at) => Math.abs(value - example.target[at])))).toBeLessThan(0.06);
  });
});
