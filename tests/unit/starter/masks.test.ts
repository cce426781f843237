import { describe, expect, test } from "vitest";
import { bestThreshold, maskFrom } from "../../../src/starter/fields/cutouts/finishing.ts";
import {
  close,
  dilate,
  dropSmall,
  erode,
  fillHoles,
  type Mask,
  maskOf,
  open,
  overlap,
  runsOf,
} from "../../../src/starter/fields/cutouts/masks.ts";
import { wayFromBorder } from "../../../src/starter/fields/cutouts/planes.ts";

const drawn = (...rows: string[]): Mask => ({
  width: rows[0].length,
  height: rows.length,
  set: Uint8Array.from(rows.join(""), (sign) => Number(sign === "#")),
});

const shown = ({ width, height, set }: Mask): string[] =>
  Array.from({ length: height }, (_, y) =>
    Array.from(set.subarray(y * width, (y + 1) * width), (is) => (is ? "#" : ".")).join(""),
  );

describe("masks", () => {
  const ring = drawn(".....", ".###.", ".#.#.", ".###.", ".....");
  const bay = drawn("###..", "#.#..", "#.#..", ".....", "....#");
  test.each<[string, (mask: Mask) => Mask, Mask, string[]]>([
    ["a dot grows to a cross", (mask) => dilate(mask, 1), drawn("...", ".#.", "..."), [".#.", "###", ".#."]],
    ["a cross shrinks to a dot", (mask) => erode(mask, 1), drawn(".#.", "###", ".#."), ["...", ".#.", "..."]],
    ["the border does not shrink", (mask) => erode(mask, 2), drawn("##", "##"), ["##", "##"]],
    [
      "opening drops a line",
      (mask) => open(mask, 1),
      drawn(".....", "#####", "....."),
      [".....", ".....", "....."],
    ],
    [
      "closing bridges a gap",
      (mask) => close(mask, 1),
      drawn(
        ...[".........", "........."],
        "..##.##..",
        "..##.##..",
        "..##.##..",
        ...[".........", "........."],
      ),
      [...[".........", "........."], "..##.##..", "..#####..", "..##.##..", ...[".........", "........."]],
    ],
    ["a hole is filled", fillHoles, ring, [".....", ".###.", ".###.", ".###.", "....."]],
    ["a bay is not a hole", fillHoles, bay, shown(bay)],
    [
      "only large parts stay",
      (mask) => dropSmall(mask, 0.5),
      bay,
      ["###..", "#.#..", "#.#..", ".....", "....."],
    ],
  ])("%s", (_, change, mask, expected) => {
    expect(shown(change(mask))).toEqual(expected);
  });

  test("runs count from 1 along the rows, and go on from one row to the next", () => {
    const mask = drawn("..##", "#...", ".#..");
    expect(runsOf(mask)).toBe("3 3 10 1");
    expect(shown(maskOf("3 3 10 1", 4, 3))).toEqual(shown(mask));
  });

  test.each([
    ["##..", "##..", 1],
    ["##..", "..##", 0],
    ["##..", ".#..", 2 / 3],
  ])("the overlap of %s and %s is %d", (a, b, expected) => {
    expect(overlap(drawn(a).set, drawn(b).set)).toBeCloseTo(expected, 12);
  });
});

describe("finishing", () => {
  const how = { smooth: 0, opened: 0, closed: 0, filled: false, least: 0 };
  const picture = { width: 2, height: 2, pixels: Float32Array.of(10, 40, 20, 30) };

  test("a mask is never empty: the likeliest pixel stays", () => {
    expect(runsOf(maskFrom(picture, picture.pixels, 99, how))).toBe("2 1");
  });

  test("the threshold that parts the examples is found", () => {
    const pixels = Float32Array.from({ length: 64 }, (_, i) => i);
    const example = {
      picture: { width: 8, height: 8, pixels },
      target: pixels.map((value) => Number(value > 40)),
    };
    const threshold = bestThreshold([example], ({ pixels: own }) => Float32Array.from(own), how);
    expect(Math.abs(threshold - 40.5)).toBeLessThan(4);
  });

  test("what is shut in by an edge is far from the border", () => {
    const pixels = Float32Array.from(
      drawn(".....", ".###.", ".#.#.", ".###.", ".....").set,
      (is) => 100 * is,
    );
    const way = wayFromBorder({ width: 5, height: 5, pixels }, 0);
    expect([way[0], way[6], way[12]]).toEqual([0, 100, 200]);
  });
});
