import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ENTRIES } from "../../../src/competitions/catalogue.generated.ts";
import { isCrowded } from "../../../src/leaderboards/crowded.ts";
import { Leaderboard } from "../../../src/leaderboards/leaderboard-schema.ts";
import { medalPositions, thresholdsFromScores } from "../../../src/leaderboards/medal-rule.ts";
import { readLeaderboardCsv } from "../../../src/leaderboards/read-leaderboard.ts";
import { quantilePlace, standing } from "../../../src/leaderboards/standing.ts";
import { rebuiltBoard } from "./rebuilt-board.ts";

// The full human boards may not be shipped. `npm run soak -- published-figures <folder>` compares the summaries with
// them where somebody has them; here each summary meets a made-up board that it could have come from.
const KAGGLE = new Map(
  ENTRIES.map(({ id }) => [id, readSummary(id)] as const).filter(([, board]) => board?.source === "kaggle"),
);
const ids = [...KAGGLE.keys()].sort();

function readSummary(id: string): Leaderboard | null {
  const file = new URL(`../../../src/competitions/${id}/leaderboard.json`, import.meta.url);
  try {
    return Leaderboard.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

function load(id: string): { board: Leaderboard; scores: Float64Array } {
  const board = KAGGLE.get(id)!;
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const rows = rebuiltBoard(board, random).map((score, i) => `team ${i},${score}`);
  const file = readLeaderboardCsv(["teamName,score", ...rows, ""].join("\n"));
  if (file.status === "invalid") throw new Error(`${id}: ${file.reason}`);
  return { board, scores: file.scores };
}

describe("the summaries of the human boards", () => {
  it("exist for every competition of the catalogue", () => {
    expect(ids.length).toBe(82);
  });

  it.each(ids)("%s: thresholds, median, direction and quantiles fit one board", (id) => {
    const { board, scores } = load(id);
    const { median, ...thresholds } = thresholdsFromScores(scores)!;
    expect(board).toMatchObject(thresholds);
    expect(median).toBeCloseTo(board.median, 9);
    const places = board.quantiles.map((_, i) => quantilePlace(i, scores.length));
    expect(board.quantiles).toEqual(places.map((place) => scores[place]));
  });

  it.each(ids)("%s: an estimated standing lies within 1.5 points of the counted one", (id) => {
    const { board, scores } = load(id);
    const step = Math.ceil(scores.length / 200);
    const candidates = Array.from(scores).flatMap((score, i) =>
      i % step === 0 ? [score, (score + (scores[i + 1] ?? 0)) / 2] : [],
    );
    const distances = candidates.map((score) => {
      const counted = standing(score, board, scores);
      const estimated = standing(score, board);
      if (counted === null || estimated === null) throw new Error("a number always has a standing");
      return Math.abs(counted.percentile - estimated.percentile);
    });
    expect(Math.max(...distances)).toBeLessThanOrEqual(1.5);
    for (const medal of ["gold", "silver", "bronze"] as const) {
      expect(standing(board[medal], board)?.rank).toBeLessThanOrEqual(medalPositions(scores.length)[medal]);
    }
  });

  it("call these boards crowded and no others", () => {
    expect(ids.filter((id) => isCrowded(KAGGLE.get(id)!))).toEqual([
      "aerial-cactus-identification",
      "bms-molecular-translation",
      "cassava-leaf-disease-classification",
      "dog-breed-identification",
      "dogs-vs-cats-redux-kernels-edition",
      "hubmap-kidney-segmentation",
      "invasive-species-monitoring",
      "jigsaw-toxic-comment-classification-challenge",
      "leaf-classification",
      "learning-agency-lab-automated-essay-scoring-2",
      "paddy-disease-classification",
      "plant-pathology-2020-fgvc7",
      "ranzcr-clip-catheter-line-classification",
      "tabular-playground-series-dec-2021",
      "tabular-playground-series-may-2022",
      "ventilator-pressure-prediction",
    ]);
  });
});
