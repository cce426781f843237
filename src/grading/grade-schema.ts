import { z } from "zod";
import { Blame } from "../wording/problem.ts";

/** A number, and what kind it is: JSON has no NaN and no infinity. */
export const ScoreKind = z.enum(["finite", "nan", "infinity", "-infinity", "none"]);
export type ScoreKind = z.infer<typeof ScoreKind>;

/** Any score: NaN and infinities included, which zod's own number is not. */
const Score = z.custom<number>((value) => typeof value === "number");

export const Reason = z.object({
  code: z.string(),
  message: z.string(),
  row: z.number().int().positive().optional(),
  column: z.string().optional(),
});
export type Reason = z.infer<typeof Reason>;

/** How far chance alone could move a score, from resampling the graded rows. */
export const Noise = z.object({
  resamples: z.number().int(),
  low: z.number(),
  high: z.number(),
  /** Share of resamples that reach each medal. */
  gold: z.number(),
  silver: z.number(),
  bronze: z.number(),
});
export type Noise = z.infer<typeof Noise>;

const Common = z.object({
  competitionId: z.string(),
  competitionVersion: z.enum(["v1", "v2"]),
  submissionPath: z.string(),
  /** Which way its scores go; left out where the competition could not be loaded. */
  direction: z.enum(["maximize", "minimize"]).optional(),
});

/** Whose scores the medals were measured against, and what they are. */
export const Board = z.object({
  source: z.string(),
  teams: z.number().int(),
  lowerIsBetter: z.boolean(),
  gold: z.number(),
  silver: z.number(),
  bronze: z.number(),
  median: z.number(),
  crowded: z.boolean(),
  /** The strongest reference solution of a board that was made, and how far chance moves its score. */
  bestRung: z.object({ name: z.string(), score: z.number(), noise: z.number().nullable() }).nullish(),
});
export type Board = z.infer<typeof Board>;

const Failure = {
  message: z.string(),
  nextStep: z.string().nullable(),
  blame: Blame,
  retryable: z.boolean(),
};

/** The outcome of grading one submission. */
export const Grade = z.discriminatedUnion("status", [
  Common.extend({
    status: z.literal("scored"),
    score: Score,
    scoreKind: ScoreKind,
    board: Board.nullable(),
    medal: z.enum(["gold", "silver", "bronze"]).nullable(),
    aboveMedian: z.boolean(),
    rank: z.number().int().nullable(),
    percentile: z.number().nullable(),
    /** Whether rank and percentile were counted on the full leaderboard, not estimated from its quantiles. */
    exactRank: z.boolean(),
    distance: z.object({ gold: z.number(), silver: z.number(), bronze: z.number() }).nullable(),
    normalisedScore: z.number().nullable(),
    fragileMedal: z.boolean(),
    nearMiss: z.boolean(),
    noise: Noise.nullable(),
    /** Why the competition's board does not count for this score; left out where it does, or where there is none. */
    whyNoBoard: z.string().optional(),
  }),
  Common.extend({
    status: z.literal("invalid"),
    board: Board.nullable(),
    reasons: z.array(Reason),
    /** All problems that were found; `reasons` lists the first of them. */
    reasonCount: z.number().int(),
  }),
  Common.extend({ status: z.literal("missing"), board: Board.nullable(), ...Failure }),
  Common.extend({ status: z.literal("unprepared"), board: Board.nullable(), ...Failure }),
  Common.extend({ status: z.literal("unknown-competition"), nearest: z.array(z.string()), ...Failure }),
  /** The answers are unreadable, the competition's own code failed, or a worker died. */
  Common.extend({ status: z.literal("failed"), board: Board.nullable(), ...Failure }),
]);
export type Grade = z.infer<typeof Grade>;
