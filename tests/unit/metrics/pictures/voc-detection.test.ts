import { describe, expect, test } from "vitest";
import {
  type DetectionRow,
  detectionPairs,
  type LabelledBox,
  meanDetectionPrecision,
  parseLabelledBoxes,
} from "../../../../src/metrics/pictures/voc-detection.ts";

const boxes = (text: string) => parseLabelledBoxes(text) as LabelledBox[];
const row = (truth: string, predicted: string): DetectionRow => ({
  truth: boxes(truth),
  predicted: boxes(predicted),
});
const pairs = (...rows: DetectionRow[]) => {
  const { truth, score } = detectionPairs(rows, "opacity");
  return Array.from(truth, (y, i) => [y, score[i]]);
};

describe("reading boxes", () => {
  test("a blank text has no boxes", () => {
    expect(parseLabelledBoxes("  ")).toEqual([]);
  });

  test("a broken group names what is wrong", () => {
    expect(parseLabelledBoxes("none 1 0 0 1")).toEqual({ error: "token-count", token: "5" });
    expect(parseLabelledBoxes("none 1 0 0 1 l")).toEqual({ error: "not-a-number", token: "l" });
  });
});

describe("pairs of one label", () => {
  test("a true box is matched once, by the most confident prediction", () => {
    const truth = "opacity 1 0 0 10 10";
    expect(pairs(row(truth, "opacity .3 0 0 10 10 opacity .8 0 0 10 9"))).toEqual([
      [1, 0.8],
      [0, 0.3],
    ]);
  });

  test("an IoU of exactly one half does not match, and the missed box is a positive with score 0", () => {
    expect(pairs(row("opacity 1 0 0 10 10", "opacity .8 0 0 10 5"))).toEqual([
      [0, 0.8],
      [1, 0],
    ]);
  });

  test("a row with nothing of the label is a negative with score 0", () => {
    expect(pairs(row("none 1 0 0 1 1", "none 1 0 0 1 1"))).toEqual([[0, 0]]);
  });

  test("a box with NaN coordinates matches nothing", () => {
    expect(pairs(row("opacity 1 0 0 10 10", "opacity .8 nan 0 10 10"))).toEqual([
      [0, 0.8],
      [1, 0],
    ]);
  });
});

describe("mean precision", () => {
  test("a perfect submission scores 1 and unknown labels are ignored", () => {
    const truth = "opacity 1 0 0 10 10";
    const rows = [row(truth, `${truth} cat nan 0 0 1 1`), row("none 1 0 0 1 1", "none 1 0 0 1 1")];
    expect(meanDetectionPrecision(rows)).toBe(1);
  });

  test("a confidence that is not finite has no score", () => {
    const other = row("none 1 0 0 1 1", "");
    for (const confidence of ["nan", "inf"]) {
      expect(
        meanDetectionPrecision([row("opacity 1 0 0 9 9", `opacity ${confidence} 0 0 9 9`), other]),
      ).toBeNull();
    }
  });

  test("a label without any negative pair has no score", () => {
    expect(meanDetectionPrecision([row("opacity 1 0 0 9 9", "opacity 1 0 0 9 9")])).toBeNull();
  });
});
