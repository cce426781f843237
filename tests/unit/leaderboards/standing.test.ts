import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { awardMedal } from "../../../src/leaderboards/medal.ts";
import { medalPositions } from "../../../src/leaderboards/medal-rule.ts";
import { standing } from "../../../src/leaderboards/standing.ts";
import { fullBoard, summarise } from "./boards.ts";

const anyScore = fc.oneof(
  fc.double({ min: -11, max: 11, noNaN: true }),
  fc.integer({ min: -110, max: 110 }).map((tenths) => tenths / 10),
  fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
);

describe("a standing on a full board", () => {
  const scores = [5, 4, 4, 2, 1];
  const board = summarise(scores);

  it.each([
    [6, 1, 100],
    [5, 1, 90],
    [4.5, 2, 80],
    [4, 2, 60],
    [3, 4, 40],
    [1, 5, 10],
    [0, 6, 0],
    [Number.POSITIVE_INFINITY, 1, 100],
    [Number.NEGATIVE_INFINITY, 6, 0],
  ])("the score %f ranks %i at percentile %f", (score, rank, percentile) => {
    expect(standing(score, board, scores)).toEqual({ rank, percentile, teams: 5, exact: true });
  });

  it("counts in any order of the scores, by the board's direction", () => {
    const lower = summarise([1, 2, 4, 4, 5]);
    expect(standing(4, lower, [4, 1, 5, 4, 2])).toMatchObject({ rank: 3, percentile: 40 });
  });
});

describe("a standing from quantiles", () => {
  it("does not exist for NaN or no score", () => {
    const board = summarise([3, 2, 1]);
    expect(standing(Number.NaN, board)).toBeNull();
    expect(standing(null, board, [3, 2, 1])).toBeNull();
  });

  it("is marked as an estimate", () => {
    expect(standing(2, summarise([3, 2, 1]))?.exact).toBe(false);
  });

  it("an empty full board is not a board, and the quantiles serve", () => {
    expect(standing(2, summarise([3, 2, 1]), [])).toMatchObject({ rank: 2, teams: 3, exact: false });
  });

  it("interpolates between two quantiles by score", () => {
    const board = summarise(Array.from({ length: 1001 }, (_, i) => 1000 - i));
    expect(standing(445.5, board)).toMatchObject({ rank: 556, exact: false });
    expect(standing(444.5, board)?.percentile).toBeCloseTo(44.5, 0);
  });

  it("beyond either end it is first, or behind every team", () => {
    const board = summarise(Array.from({ length: 500 }, (_, i) => i));
    expect(standing(-1, board)).toMatchObject({ rank: 1, percentile: 100 });
    expect(standing(1000, board)).toMatchObject({ rank: 501, percentile: 0 });
  });

  it("a score shared by half of the board stands in the middle of them", () => {
    const board = summarise([...Array(250).fill(3), ...Array(500).fill(2), ...Array(250).fill(1)]);
    expect(standing(2, board)?.percentile).toBeCloseTo(50, 0);
    expect(Math.abs((standing(2, board)?.rank ?? 0) - 251)).toBeLessThanOrEqual(10);
  });

  it("a board on which everybody has the same score puts that score at the middle", () => {
    expect(standing(7, summarise(Array(400).fill(7)))).toMatchObject({ rank: 1, percentile: 50 });
  });

  it("survives a gap wider than the largest double", () => {
    const board = summarise([...Array(300).fill(1.7e308), ...Array(300).fill(-1.7e308)]);
    expect(standing(0, board)?.percentile).toBeCloseTo(50, 0);
  });

  it("is exactly the counted one on boards of up to 101 teams", () => {
    fc.assert(
      fc.property(fullBoard, anyScore, ({ scores }, score) => {
        const few = scores.slice(0, 101);
        const board = summarise(few, { lowerIsBetter: few[0] < few[few.length - 1] });
        expect(standing(score, board)).toEqual({ ...standing(score, board, few), exact: false });
      }),
    );
  });

  it("lies within 1.5 points of the counted one", () => {
    fc.assert(
      fc.property(fullBoard, anyScore, ({ scores, board }, score) => {
        const counted = standing(score, board, scores)?.percentile ?? Number.NaN;
        const estimated = standing(score, board)?.percentile ?? Number.NaN;
        expect(Math.abs(counted - estimated)).toBeLessThanOrEqual(1.5);
      }),
      { numRuns: 300 },
    );
  });
});

describe("any standing", () => {
  it("keeps rank and percentile in range, and a better score never ranks behind a worse one", () => {
    fc.assert(
      fc.property(fullBoard, anyScore, anyScore, fc.boolean(), ({ scores, board }, a, b, exact) => {
        const full = exact ? scores : undefined;
        const [better, worse] = (board.lowerIsBetter ? a < b : a > b) ? [a, b] : [b, a];
        const first = standing(better, board, full);
        const second = standing(worse, board, full);
        if (first === null || second === null) throw new Error("a number always has a standing");
        expect(first.rank).toBeLessThanOrEqual(second.rank);
        expect(first.percentile).toBeGreaterThanOrEqual(second.percentile);
        for (const { rank, percentile, teams } of [first, second]) {
          expect(rank >= 1 && rank <= teams + 1 && Number.isInteger(rank)).toBe(true);
          expect(percentile >= 0 && percentile <= 100).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("never ranks a medal's score behind the last team with that medal", () => {
    fc.assert(
      fc.property(fullBoard, anyScore, ({ scores, board }, score) => {
        const { medal } = awardMedal(score, board);
        if (medal === null) return;
        const last = medalPositions(scores.length)[medal];
        expect(standing(score, board)?.rank).toBeLessThanOrEqual(last);
      }),
      { numRuns: 500 },
    );
  });
});
