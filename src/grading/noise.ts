import type { Grader, RowPairs, Tables } from "../competitions/grader.ts";
import { collectProblems } from "../competitions/problems.ts";
import { reaches, type Thresholds } from "../leaderboards/leaderboard.ts";
import { takeRows } from "../table/rows/take-rows.ts";
import type { Noise } from "./grade-schema.ts";
import { type GradedFiles, readTables, roundScore } from "./run-grader.ts";

/**
 * Grades resamples of the graded rows (drawn with replacement, always the same draws) and counts how many would
 * have earned each medal. Null where rows are not independent, so that resampling them would mean nothing.
 */
export function measureNoise(
  grader: Grader,
  files: GradedFiles,
  board: Thresholds,
  resamples: number,
): Noise | null {
  const drawn = resampledScores(grader, files, () => resamples);
  if (drawn === null) return null;
  const scores = drawn.scores.filter((score) => score !== null);
  if (scores.length === 0) return null;
  scores.sort((a, b) => a - b);
  const share = (threshold: number) =>
    scores.filter((score) => reaches(score, threshold, board.lowerIsBetter)).length / scores.length;
  return {
    resamples: scores.length,
    low: scores[Math.floor(scores.length * 0.025)],
    high: scores[Math.ceil(scores.length * 0.975) - 1],
    gold: share(board.gold),
    silver: share(board.silver),
    bronze: share(board.bronze),
  };
}

/**
 * The scores of resamples of the graded rows, which are the same rows for every submission to the same answers. One is
 * null where its rows have no score; all of them where rows are not independent.
 */
export function resampledScores(
  grader: Grader,
  files: GradedFiles,
  resamplesFor: (rows: number) => number,
): { scores: (number | null)[]; rows: number } | null {
  const tables = readTables(grader, files, "all");
  if ("status" in tables || !grader.pairs) return null;
  const checked = grader.check(tables, collectProblems());
  if (checked === null) return null;
  const pairs = grader.pairs(checked, tables);
  const rows = pairs.answers.length;
  if (rows === 0) return null;
  const draw = drawRows(rows);
  const scores = Array.from({ length: resamplesFor(rows) }, () =>
    scoreResample(grader, tables, pairs, draw()),
  );
  return { scores, rows };
}

function scoreResample(grader: Grader, tables: Tables, pairs: RowPairs, chosen: Uint32Array): number | null {
  const resampled = {
    submission: takeRows(
      tables.submission,
      chosen.map((i) => pairs.submission[i]),
      pairs.idColumn,
    ),
    answers: takeRows(
      tables.answers,
      chosen.map((i) => pairs.answers[i]),
      pairs.idColumn,
    ),
  };
  const checked = grader.check(resampled, collectProblems());
  const score = checked === null ? null : grader.score(checked, resampled);
  // A resample may hold one class only, where the metric has no value.
  return typeof score === "number" && Number.isFinite(score) ? roundScore(score, grader.rounding) : null;
}

/** xorshift32: the draws must be the same on every run, and nothing else is asked of them. */
function drawRows(rows: number): () => Uint32Array {
  let state = 0x9e3779b9;
  return () => {
    const chosen = new Uint32Array(rows);
    for (let i = 0; i < rows; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      chosen[i] = ((state >>> 0) / 2 ** 32) * rows;
    }
    return chosen;
  };
}
