import { describe, expect, test } from "vitest";
import { roundNumpy } from "../../../../src/metrics/arithmetic/rounding.ts";
import { type Box3d, meanPrecision3d, parseBoxes3d } from "../../../../src/metrics/pictures/box-3d.ts";
import {
  type Corners,
  rectangleCorners,
  sharedArea,
} from "../../../../src/metrics/pictures/rotated-rectangle.ts";

const boxes = (text: string) => parseBoxes3d(text) as Box3d[];
const CAR_A = "10 20 1 2 4 1.5 0.3 car";
const CAR_B = "30 20 1 2 4 1.5 1.3 car";
const TRUTH_A = boxes(`1.0 ${CAR_A} 1.0 ${CAR_B} 1.0 0 0 0 1 1 2 0 pedestrian`);
const TRUTH_B = boxes("1.0 5 5 1 3 8 3 0.5 truck");
const score = (a: string, b = "") =>
  meanPrecision3d([
    { truth: TRUTH_A, predicted: boxes(a) },
    { truth: TRUTH_B, predicted: boxes(b) },
  ]);

describe("reading boxes", () => {
  test("a blank text has no boxes", () => {
    expect(parseBoxes3d("")).toEqual([]);
    expect(parseBoxes3d("   ")).toEqual([]);
  });

  test.each([
    [`0.9 ${CAR_A} `, "token-count"],
    [` 0.9 ${CAR_A}`, "token-count"],
    [`0.9 x ${CAR_A.slice(3)}`, "not-a-number"],
    ["0.9 10 20 1 2 4 1.5 inf car", "infinite-yaw"],
  ])("%j is refused", (text, error) => {
    expect(parseBoxes3d(text)).toMatchObject({ error });
  });
});

describe("mean precision", () => {
  test("one of two cars found gives half a class out of three", () => {
    expect(score(`0.9 ${CAR_A}`)).toBe(0.125);
  });

  test("a moved box loses the high thresholds", () => {
    expect(score(`0.9 10.3 ${CAR_A.slice(3)}`)).toBeCloseTo(0.075, 15);
  });

  test("equal confidences keep their order", () => {
    expect(score(`0.8 90 90 1 2 4 1.5 0 car 0.8 ${CAR_A}`)).toBe(0.0625);
    expect(roundNumpy(score(`0.99 90 90 1 2 4 1.5 0 car 0.5 ${CAR_A} 0.4 ${CAR_B}`)!)).toBe(0.16667);
  });

  test("a second prediction on a taken box is a false alarm", () => {
    expect(score(`0.9 ${CAR_A} 0.8 ${CAR_A} 0.7 ${CAR_B}`)).toBeCloseTo((0.5 + 0.5 * (2 / 3)) / 2 / 2, 15);
  });

  test("illegal shapes matter only for classes of the scene", () => {
    for (const shape of [
      "10 20 1 0 4 1.5 0.3",
      "nan 20 1 2 4 1.5 0.3",
      "10 20 1 2 4 -1 0.3",
      "10 20 1 2 4 1 nan",
      "1e300 20 1 2 4 1 1",
    ]) {
      expect(score(`0.9 ${shape} car`)).toBeNull();
      expect(score(`0.9 ${shape} bus`)).toBe(0);
    }
  });
});

describe("rotated rectangles", () => {
  const square = (x: number, y: number, side: number, yaw: number): Corners =>
    rectangleCorners(x, y, side, side, yaw)!;

  test("two squares at 45 degrees share a regular octagon", () => {
    expect(sharedArea(square(7, -3, 2, 0), square(7, -3, 2, Math.PI / 4))).toBeCloseTo(
      8 * (Math.SQRT2 - 1),
      12,
    );
  });

  test("a rectangle shares its whole area with itself and none with a distant one", () => {
    expect(sharedArea(square(1000.5, 2000.25, 3, 0.7), square(1000.5, 2000.25, 3, 0.7))).toBeCloseTo(9, 9);
    expect(sharedArea(square(0, 0, 1, 0.7), square(10, 0, 1, 0.1))).toBe(0);
    expect(sharedArea(square(0, 0, 2, 0), square(2, 0, 2, 0))).toBe(0);
  });

  test("one inside the other shares the smaller area", () => {
    expect(sharedArea(square(0, 0, 10, 0.2), square(1, 1, 2, 1))).toBeCloseTo(4, 12);
  });
});
