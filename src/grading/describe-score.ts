import type { Competition } from "../competitions/competition.ts";
import type { ReadBoard } from "../leaderboards/board-files.ts";
import { medalDistances, normalisedScore } from "../leaderboards/distance.ts";
import { fragility } from "../leaderboards/fragile.ts";
import { awardMedal } from "../leaderboards/medal.ts";
import { standing } from "../leaderboards/standing.ts";
import type { Grade, Noise, ScoreKind } from "./grade-schema.ts";

type Scored = Extract<Grade, { status: "scored" }>;

/** A score seen against the leaderboard. */
export function describeScore(
  score: number,
  { sampleScore }: Competition,
  board: ReadBoard | null,
  noise: Noise | null,
): Omit<Scored, "competitionId" | "competitionVersion" | "submissionPath"> {
  const scored = { status: "scored" as const, score, scoreKind: scoreKind(score), noise };
  if (!board) {
    return {
      ...scored,
      board: null,
      medal: null,
      aboveMedian: false,
      rank: null,
      percentile: null,
      exactRank: false,
      distance: null,
      normalisedScore: null,
      fragileMedal: false,
      nearMiss: false,
    };
  }
  const { leaderboard, fullScores, summary } = board;
  const { medal, aboveMedian } = awardMedal(score, leaderboard);
  const place = standing(score, leaderboard, fullScores ?? undefined);
  const { fragileMedal, nearMiss } = fragility(score, leaderboard);
  return {
    ...scored,
    board: summary,
    medal,
    aboveMedian,
    rank: place?.rank ?? null,
    percentile: place?.percentile ?? null,
    exactRank: place?.exact ?? false,
    distance: medalDistances(score, leaderboard),
    normalisedScore: normalisedScore(score, sampleScore ?? null, leaderboard),
    fragileMedal: fragileMedal || (noise !== null && medal !== null && noise[medal] < 1),
    nearMiss,
  };
}

function scoreKind(score: number | null): ScoreKind {
  if (score === null) return "none";
  if (Number.isNaN(score)) return "nan";
  if (Number.isFinite(score)) return "finite";
  return score > 0 ? "infinity" : "-infinity";
}
