import { describe, expect, test } from "vitest";
import {
  type ClassBox,
  cocoMeanPrecision,
  parseClassBoxes,
} from "../../../../src/metrics/pictures/coco-boxes.ts";
import { matchImage } from "../../../../src/metrics/pictures/coco-matching.ts";

describe("reading boxes", () => {
  test("a fractional class is cut", () => {
    expect(parseClassBoxes("3.9 .5 1 2 3 4")).toEqual([
      { category: 3, score: 0.5, x1: 1, y1: 2, x2: 3, y2: 4 },
    ]);
  });

  test.each([
    ["14 1 0 0 1", "token-count", "5"],
    ["14 1 0 0 1  1", "token-count", "7"],
    ["", "token-count", "1"],
    ["14 1 0 0 1 x", "not-a-number", "x"],
    ["14 1 0 0 1 1      ", "not-a-number", ""],
    ["nan 1 0 0 1 1", "class-not-finite", "nan"],
    ["-inf 1 0 0 1 1", "class-not-finite", "-inf"],
  ])("%j is refused", (text, error, token) => {
    expect(parseClassBoxes(text)).toEqual({ error, token });
  });
});

describe("matching on one image", () => {
  const box = (number: number, x1: number, y1: number, x2: number, y2: number, score = 1) => ({
    number,
    score,
    x1,
    y1,
    x2,
    y2,
  });

  test("corners act as width and height for the overlap", () => {
    // As corners these boxes are apart; as (x, y, width, height) they overlap by more than 0.4.
    const { detections } = matchImage([box(1, 0, 0, 10, 10)], [box(1, 2, 0, 10, 10)]);
    expect(detections[0].matched).toBe(true);
    const asCornersApart = matchImage([box(1, 0, 0, 10, 10)], [box(1, 11, 0, 21, 10)]);
    expect(asCornersApart.detections[0].matched).toBe(false);
  });

  test("true box number 0 never counts as matched", () => {
    expect(matchImage([box(0, 1, 1, 5, 5)], [box(3, 1, 1, 5, 5)]).detections).toEqual([
      { score: 1, matched: false, ignored: false },
    ]);
  });

  test("a true box matched by prediction number 0 can be matched again", () => {
    const matched = (first: number) =>
      matchImage([box(4, 1, 1, 5, 5)], [box(first, 1, 1, 5, 5), box(9, 1, 1, 5, 5)]).detections.map(
        (d) => d.matched,
      );
    expect(matched(0)).toEqual([true, true]);
    expect(matched(1)).toEqual([true, false]);
  });

  test("only the hundred best predictions are looked at", () => {
    const many = Array.from({ length: 120 }, (_, i) => box(i + 1, 1, 1, 5, 5, i));
    const { detections } = matchImage([], many);
    expect(detections).toHaveLength(100);
    expect(detections[99].score).toBe(20);
  });

  test("boxes with a negative area are ignored on both sides", () => {
    const result = matchImage([box(1, 5, 1, 2, 5)], [box(1, 50, 1, 2, 5), box(2, 5, 1, 2, 5)]);
    expect(result).toEqual({
      countedTruths: 0,
      detections: [
        { score: 1, matched: false, ignored: true },
        { score: 1, matched: true, ignored: true },
      ],
    });
  });

  test("NaN scores rank last and NaN overlaps match", () => {
    const { detections } = matchImage(
      [box(1, 1, 1, 5, 5)],
      [box(1, 1, 1, 5, 5, Number.NaN), box(2, Number.NaN, 1, 5, 5, 0)],
    );
    expect(detections.map((d) => d.matched)).toEqual([true, false]);
    expect(detections[1].score).toBeNaN();
  });
});

describe("mean precision", () => {
  const truth = (image: string, category: number, x: number) => ({
    image,
    category,
    x1: x,
    y1: x,
    x2: x + 9,
    y2: x + 9,
  });
  const found = (box: ReturnType<typeof truth>, score = 1) => ({ ...box, score });

  test("a perfect submission loses the box numbered 0", () => {
    const boxes = [truth("a", 3, 10), truth("a", 3, 100), truth("b", 5, 10)];
    // Class 3 reaches recall 1/2 only, and its one hit follows a false alarm.
    const classThree = (51 * 0.5) / 101;
    expect(
      cocoMeanPrecision(
        boxes,
        boxes.map((b) => found(b)),
      ),
    ).toBeCloseTo((classThree + 1) / 2, 12);
  });

  test("boxes are numbered image by image, not row by row", () => {
    const boxes = [truth("a", 1, 10), truth("b", 2, 10), truth("a", 3, 10)];
    const only = (category: number) =>
      cocoMeanPrecision(
        boxes,
        boxes.filter((b) => b.category === category).map((b) => found(b)),
      );
    expect(only(1)).toBe(0);
    expect(only(3)).toBeCloseTo(1 / 3, 12);
  });

  test("classes the truth lacks are free, and no judgeable class gives -1", () => {
    const stray: ClassBox & { image: string } = {
      image: "a",
      category: 8,
      score: 1,
      x1: 0,
      y1: 0,
      x2: 5,
      y2: 5,
    };
    expect(cocoMeanPrecision([{ ...truth("a", 1, 10), x2: 0 }], [stray])).toBe(-1);
    const boxes = [truth("a", 1, 10), truth("b", 2, 10)];
    expect(cocoMeanPrecision(boxes, [found(boxes[1]), stray])).toBe(
      cocoMeanPrecision(boxes, [found(boxes[1])]),
    );
  });
});
