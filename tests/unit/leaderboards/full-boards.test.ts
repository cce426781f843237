import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isCrowded } from "../../../src/leaderboards/crowded.ts";
import { decimalPlaces } from "../../../src/leaderboards/decimal.ts";
import { printedDecimals } from "../../../src/leaderboards/fragile.ts";
import { Leaderboard } from "../../../src/leaderboards/leaderboard-schema.ts";
import { medalPositions, thresholdsFromScores } from "../../../src/leaderboards/medal-rule.ts";
import { readLeaderboardCsv } from "../../../src/leaderboards/read-leaderboard.ts";
import { quantilePlace, standing } from "../../../src/leaderboards/standing.ts";

// The full human boards may not be shipped: these checks run only where they lie beside the project.
const shared = new URL("../../../../shared/", import.meta.url);
const folder = new URL("leaderboards/", shared);
const summaries = new URL("data/leaderboards.json", shared);
const present = existsSync(folder) && existsSync(summaries);
if (!present)
  console.warn("skipped: no full leaderboards beside the project, nothing to compare the summaries with");

const shipped: Record<string, object> = present ? JSON.parse(readFileSync(summaries, "utf8")) : {};
const ids = present ? readdirSync(folder).map((name) => name.replace(/\.csv$/, "")) : [];

function load(id: string): { board: Leaderboard; scores: Float64Array } {
  const board = Leaderboard.parse({
    schema: "mlebench/leaderboard",
    version: 1,
    source: "kaggle",
    ...shipped[id],
  });
  const file = readLeaderboardCsv(readFileSync(new URL(`${id}.csv`, folder), "utf8"));
  if (file.status === "invalid") throw new Error(`${id}: ${file.reason}`);
  return { board, scores: file.scores };
}

describe.skipIf(!present)("the summaries of the full boards", () => {
  it("exist for every board", () => {
    expect(ids.length).toBe(82);
    expect(ids.toSorted()).toEqual(Object.keys(shipped).toSorted());
  });

  it.each(ids)(
    "%s: thresholds, median, direction, quantiles and precision are those of the full board",
    (id) => {
      const { board, scores } = load(id);
      expect(board).toMatchObject(thresholdsFromScores(scores) ?? {});
      const places = board.quantiles.map((_, i) => quantilePlace(i, scores.length));
      expect(board.quantiles).toEqual(places.map((place) => scores[place]));
      expect(printedDecimals(board)).toBe(Math.min(5, Math.max(...Array.from(scores, decimalPlaces))));
    },
  );

  it.each(ids)("%s: an estimated standing lies within 1.5 points of the counted one", (id) => {
    const { board, scores } = load(id);
    const candidates = new Set([...scores, ...scores.map((score, i) => (score + (scores[i + 1] ?? 0)) / 2)]);
    for (const score of candidates) {
      const counted = standing(score, board, scores);
      const estimated = standing(score, board);
      if (counted === null || estimated === null) throw new Error("a number always has a standing");
      expect(Math.abs(counted.percentile - estimated.percentile)).toBeLessThanOrEqual(1.5);
    }
    for (const medal of ["gold", "silver", "bronze"] as const) {
      expect(standing(board[medal], board)?.rank).toBeLessThanOrEqual(medalPositions(scores.length)[medal]);
    }
  });

  it("call these boards crowded and no others", () => {
    expect(ids.filter((id) => isCrowded(load(id).board)).toSorted()).toEqual([
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
