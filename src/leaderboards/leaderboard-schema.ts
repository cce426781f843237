import { z } from "zod";

const score = z.number();

/** A solution made outside our own learners, by a script in src/starter/rungs. */
const Rung = z.object({
  name: z.string().min(1),
  family: z.string().min(1),
  score,
  /** The SHA-256 of its submission. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Rung = z.infer<typeof Rung>;

const Figures = z.object({
  /** Where the field comes from: "kaggle", or what a competition of your own was measured against. */
  source: z.string().min(1),
  teams: z.int().min(1),
  lowerIsBetter: z.boolean(),
  gold: score,
  silver: score,
  bronze: score,
  median: score,
  quantiles: z.array(score).length(101),
  /** How a field that no people took part in came about; left out for a board of teams. */
  made: z
    .object({
      /** The command that makes it again. */
      by: z.string().min(1),
      seed: z.int(),
      /** The MD5 of the answers it was scored on: another split needs another field. */
      answers: z.string().regex(/^[0-9a-f]{32}$/),
      solutions: z.int().min(1),
      /** How many solutions each kind of method contributed. */
      families: z.record(z.string(), z.int().min(1)),
      /** Reference rungs, weakest first; they stand on the board beside the solutions. */
      rungs: z.array(Rung).optional(),
      /** Those of the solutions that stand on the board: evenly spaced from the best to the worst, without the rungs. */
      scores: z.array(score).optional(),
      /** Standard deviation of the best rung's score when the graded rows are resampled. */
      noise: z.number().min(0).optional(),
    })
    .optional(),
});

/**
 * The field of one competition as we ship it: medal thresholds, median, and 101 quantiles from best
 * (index 0) to worst (index 100), each the score of a real team. Grading takes only the type from this file, since
 * loading zod would cost more than the grading itself; the schema is for files we did not write.
 */
export const Leaderboard = Figures.extend({
  schema: z.literal("mlebench/leaderboard"),
  version: z.literal(1),
  /** Boards that this one replaced, so that what was graded on them can be worked out again. */
  earlier: z.array(Figures).optional(),
}).check(({ value, issues }) => {
  const bestFirst = (scores: number[]) =>
    scores.every((s, i) => i === 0 || (value.lowerIsBetter ? scores[i - 1] <= s : scores[i - 1] >= s));
  const report = (path: string, message: string) =>
    issues.push({ code: "custom", message, path: [path], input: value });
  if (!bestFirst(value.quantiles)) report("quantiles", "quantiles must run from best to worst");
  if (!bestFirst([value.gold, value.silver, value.bronze]))
    report("gold", "gold must be at least as good as silver, silver at least as good as bronze");
});

export type Leaderboard = z.infer<typeof Leaderboard>;
