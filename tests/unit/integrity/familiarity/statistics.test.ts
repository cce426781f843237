import { describe, expect, test } from "vitest";
import { atLeast } from "../../../../src/integrity/familiarity/chat-checks.ts";
import { trueTokenProbability } from "../../../../src/integrity/familiarity/score-document.ts";
import { correlate } from "../../../../src/integrity/familiarity/statistics.ts";
import recorded from "./recorded-from-scipy.json" with { type: "json" };

describe("the statistics are scipy's", () => {
  test.each(recorded.cases.map((one) => [one.x.length, one] as const))("%d pairs", (_, one) => {
    const ours = correlate(one.x, one.y)!;
    expect(ours.pearson).toBeCloseTo(one.pearson, 12);
    expect(ours.pearsonP).toBeCloseTo(one.pearsonP, 10);
    expect(ours.spearman).toBeCloseTo(one.spearman, 12);
    expect(ours.spearmanP).toBeCloseTo(one.spearmanP, 10);
    // Drawn with another generator: four standard errors of a share of 10,000 draws, and of scipy's own 20,000.
    const noise = 4 * Math.sqrt((one.permutationP * (1 - one.permutationP)) / 10_000 + 1e-8);
    expect(Math.abs(ours.permutationP - one.permutationP)).toBeLessThan(1.3 * noise + 2e-4);
    expect(ours.bootstrap.low).toBeCloseTo(one.bootstrap[0], 1);
    expect(ours.bootstrap.high).toBeCloseTo(one.bootstrap[1], 1);
  });
});

test("where nothing varies or too little is there, nothing is said", () => {
  expect(correlate([1, 2], [1, 2])).toBeNull();
  expect(correlate([1, 1, 1], [1, 2, 3])).toBeNull();
});

test("the true token is the longest that the text goes on with", () => {
  const top = new Map([
    [" a", Math.log(0.2)],
    [" air", Math.log(0.5)],
    [" b", Math.log(0.1)],
  ]);
  expect(trueTokenProbability(top, " airplane")).toBeCloseTo(0.5, 12);
  expect(trueTokenProbability(top, " and")).toBeCloseTo(0.2, 12);
  expect(trueTokenProbability(top, " x")).toBe(0);
});

test("how likely so many hits are by chance", () => {
  expect(atLeast(0, 10, 0.1)).toBe(1);
  expect(atLeast(1, 10, 0.1)).toBeCloseTo(1 - 0.9 ** 10, 12);
  expect(atLeast(20, 20, 0.5)).toBeCloseTo(0.5 ** 20, 12);
});
