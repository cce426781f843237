import { expect, test } from "vitest";
import { hausdorffScore } from "../../../../src/metrics/pictures/hausdorff.ts";
import { parseRuns, type Runs } from "../../../../src/metrics/pictures/run-length.ts";
import type { Volume } from "../../../../src/metrics/pictures/volume.ts";

function volume(height: number, width: number, ...slices: string[][]): Volume {
  return {
    height,
    width,
    slices: slices.map((masks) => masks.map((mask) => parseRuns(mask, height * width) as Runs)),
  };
}

test("two empty volumes are skipped", () => {
  expect(hausdorffScore(volume(2, 2, [""]), volume(2, 2, [""], []))).toBeNull();
});

test("one empty volume scores the worst distance", () => {
  expect(hausdorffScore(volume(2, 2, [""]), volume(2, 2, ["1 1"]))).toBe(1);
  expect(hausdorffScore(volume(2, 2, ["1 1"]), volume(2, 2, [""]))).toBe(1);
});

test("identical volumes score 0, whichever masks make up their slices", () => {
  expect(hausdorffScore(volume(3, 3, ["1 2", "2 3"]), volume(3, 3, ["1 4"]))).toBe(0);
});

test("a prediction over ten times larger scores 1, a truth over ten times larger does not", () => {
  const large = volume(4, 4, ["1 11"]);
  const small = volume(4, 4, ["1 1"]);
  expect(hausdorffScore(large, small)).toBe(1);
  expect(hausdorffScore(small, large)).toBe(Math.sqrt(0.75 ** 2 + 0.25 ** 2) / Math.sqrt(3));
});

test("flat positions run down the rows first, and distances are in units of the true size", () => {
  const truth = volume(10, 2, ["1 1"], [], [], []);
  expect(hausdorffScore(volume(10, 2, ["4 1"], [], [], []), truth)).toBe(
    Math.sqrt((3 / 10) ** 2) / Math.sqrt(3),
  );
  expect(hausdorffScore(volume(10, 2, ["11 1"], [], [], []), truth)).toBe(Math.sqrt(0.25) / Math.sqrt(3));
  expect(hausdorffScore(volume(10, 2, [], [], ["1 1"], []), truth)).toBe(Math.sqrt(0.25) / Math.sqrt(3));
});

test("a prediction of another shape is measured against the true size", () => {
  expect(hausdorffScore(volume(4, 9, [], [], [], ["33 1"]), volume(2, 2, ["1 1"]))).toBe(
    Math.sqrt(9 + 16) / Math.sqrt(3),
  );
});
