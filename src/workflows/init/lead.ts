import { type Competition, graderOf } from "../../competitions/competition.ts";
import { resampledScores } from "../../grading/noise.ts";
import { isBetter } from "../../leaderboards/leaderboard.ts";
import type { MadeCompetition } from "./schema.ts";

const RESAMPLES = 200;
const MIN_RESAMPLES = 20;
/** Rows of all resamples together: those of a large table say enough when there are few of them. */
const MAX_RESAMPLED_ROWS = 4_000_000;
/** So often the baseline must be ahead. On a table that tells nothing it is in one case of twenty. */
const ENOUGH = 0.95;

/** How often the baseline is better than the constant guess when the rows of the test set are drawn again. */
export interface Lead {
  share: number;
  rows: number;
}

/** Null without a baseline, or where rows cannot be drawn again. */
export function leadOverSample(
  competition: Competition,
  submissions: { sample: string; baseline: string | null },
  answers: string,
): Lead | null {
  const grader = graderOf(competition, "v1");
  if (submissions.baseline === null || grader === null) return null;
  const scoresOf = (submission: string) => resampledScores(grader, { submission, answers }, resamplesFor);
  const [baseline, sample] = [scoresOf(submissions.baseline), scoresOf(submissions.sample)];
  if (baseline === null || sample === null) return null;
  const lowerIsBetter = competition.metric.direction === "minimize";
  const drawn = baseline.scores.flatMap((score, i) => {
    const guess = sample.scores[i];
    return score === null || guess === null ? [] : [isBetter(score, guess, lowerIsBetter)];
  });
  if (drawn.length === 0) return null;
  return { share: drawn.filter(Boolean).length / drawn.length, rows: baseline.rows };
}

function resamplesFor(rows: number): number {
  return Math.max(MIN_RESAMPLES, Math.min(RESAMPLES, Math.floor(MAX_RESAMPLED_ROWS / rows)));
}

/**
 * A task whose constant guess is as good as a learner's cannot tell agents apart; nor can one whose test set is too small
 * to see the difference.
 */
export function hopelessProblem(
  { sample, baseline }: MadeCompetition["scores"],
  direction: "maximize" | "minimize",
  lead: Lead | null,
): string[] {
  if (baseline.status === "none" || sample.status === "none") return [];
  const scores = `The baseline (${baseline.score}) is not better than the constant guess (${sample.score})`;
  if (!isBetter(baseline.score, sample.score, direction === "minimize"))
    return [`${scores}: the columns may not tell the target, or the time was too short (--time-limit).`];
  if (lead === null || lead.share >= ENOUGH) return [];
  return [
    `${scores} by more than chance: drawing the ${lead.rows} test rows again, it is ahead in ${Math.floor(100 * lead.share)} % of cases, and ${100 * ENOUGH} % are asked for. The columns may not tell the target, the time was too short (--time-limit), or the test set is too small (--test-size).`,
  ];
}
