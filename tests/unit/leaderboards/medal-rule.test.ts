import { describe, expect, it } from "vitest";
import { medalPositions, thresholdsFromScores } from "../../../src/leaderboards/medal-rule.ts";

describe("medal positions", () => {
  it.each([
    [1, 1, 1, 1],
    [2, 1, 1, 1],
    [5, 1, 1, 2],
    [9, 1, 1, 3],
    [10, 1, 2, 4],
    [19, 1, 3, 7],
    [99, 9, 19, 39],
    [100, 10, 20, 40],
    [115, 10, 23, 46],
    [249, 10, 49, 99],
    [250, 10, 50, 100],
    [499, 10, 50, 100],
    [500, 11, 50, 100],
    [999, 11, 50, 100],
    [1000, 12, 50, 100],
    [1499, 12, 74, 149],
    [1500, 13, 75, 150],
    [4321, 18, 216, 432],
    [10_000, 30, 500, 1000],
  ])("a board of %i teams gives gold to %i, silver to %i, bronze to %i", (teams, gold, silver, bronze) => {
    expect(medalPositions(teams)).toEqual({ gold, silver, bronze });
  });

  it("stay on the board and in order for every size up to 20,000", () => {
    for (let teams = 1; teams <= 20_000; teams++) {
      const { gold, silver, bronze } = medalPositions(teams);
      expect(gold >= 1 && gold <= silver && silver <= bronze && bronze <= teams, `${teams} teams`).toBe(true);
    }
  });
});

describe("thresholds from a full board", () => {
  it("are the scores at the medal positions, as listed", () => {
    const scores = Array.from({ length: 300 }, (_, i) => 1 - i / 1000);
    expect(thresholdsFromScores(scores)).toMatchObject({
      teams: 300,
      lowerIsBetter: false,
      gold: scores[9],
      silver: scores[49],
      bronze: scores[99],
    });
  });

  it("lower is better when the first score is below the last", () => {
    expect(thresholdsFromScores([0.1, 0.2, 0.3])?.lowerIsBetter).toBe(true);
    expect(thresholdsFromScores([0.3, 0.2, 0.1])?.lowerIsBetter).toBe(false);
    expect(thresholdsFromScores([0.2, 0.2])?.lowerIsBetter).toBe(false);
  });

  it("the median of an even number of teams is the mean of the two middle scores", () => {
    expect(thresholdsFromScores([4, 3, 1, 0])?.median).toBe(2);
    expect(thresholdsFromScores([4, 3, 0])?.median).toBe(3);
  });

  it("an empty board has none", () => {
    expect(thresholdsFromScores([])).toBeNull();
  });
});
