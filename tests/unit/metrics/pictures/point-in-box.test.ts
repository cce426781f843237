import { describe, expect, test } from "vitest";
import {
  type LabelledPoint,
  type LabelledRectangle,
  parsePoints,
  parseRectangles,
  pointInBoxF1,
} from "../../../../src/metrics/pictures/point-in-box.ts";

const page = (truth: string | null, predicted: string | null) => ({
  truth: truth === null ? [] : (parseRectangles(truth) as LabelledRectangle[]),
  predicted: predicted === null ? [] : (parsePoints(predicted) as LabelledPoint[]),
});

describe("reading points", () => {
  test.each(["U+1 2", "U+1 2 3 ", " U+1 2 3", "  ", "", "U+1 a 3"])("%j is refused", (text) => {
    expect(parsePoints(text)).toHaveProperty("error");
  });
});

describe("F1", () => {
  test("pages with a missing side count as misses or false alarms", () => {
    expect(
      pointInBoxF1([
        page("U+306F 1 1 10 10 U+306F 20 20 5 5 U+3044 1 1 10 10", "U+306F 2 2 U+306F 3 3 U+3044 3 30"),
        page("U+0041 0 0 4 4", null),
        page(null, "U+1 2 2"),
      ]),
    ).toBe(0.25);
  });

  test("a point on the edge is outside and NaN never matches", () => {
    expect(pointInBoxF1([page("a 0 0 4 4", "a 0 2 a 4 2 a nan 2")])).toBe(0);
  });

  test("matching is greedy in file order", () => {
    expect(pointInBoxF1([page("a 0 0 9 9 a 0 0 4 4", "a 2 2 a 6 6")])).toBe(0.5);
  });

  test("nothing on either side scores 0", () => {
    expect(pointInBoxF1([page(null, null)])).toBe(0);
  });
});
