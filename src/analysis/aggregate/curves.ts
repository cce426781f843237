import type { Direction } from "../../competitions/competition.ts";
import type { TimelinePoint } from "../../trials/certificate/schema.ts";
import { bestPoint } from "../../trials/trial/timeline.ts";
import type { TrialRecord } from "../trial-records.ts";
import { meanOf } from "./original-aggregate.ts";

type Point = Omit<TimelinePoint, "sha256">;

/** One trial: what it had submitted when, the best of that, and what it left in the end. */
interface TrialCurve {
  trialId: string;
  competitionId: string;
  seed: number;
  wallSeconds: number;
  /** Each with the best score so far. */
  points: (Point & { bestScore: number | null })[];
  best: Point | null;
  final: Point | null;
  /** By how much the best was better than the final one, in the metric's own unit and in percentiles; never below 0. */
  selectionError: { score: number | null; percentile: number | null; medalLost: boolean };
}

/** All trials at one moment. A trial without a scored submission counts as no medal and percentile 0. */
interface Moment {
  seconds: number;
  /** As if every trial had been stopped then. */
  medalRate: number;
  percentile: number | null;
  /** As if the best so far had been chosen. */
  bestMedalRate: number;
  bestPercentile: number | null;
}

export interface Curves {
  trials: TrialCurve[];
  /** Trials that have no graded timeline and are in no curve. */
  without: number;
  moments: Moment[];
  selection: {
    finalMedalRate: number;
    bestMedalRate: number;
    medalsLost: number;
    percentileGap: number | null;
  };
}

/** A trial with what was the best when each of its points was made. */
interface Traced {
  curve: TrialCurve;
  bestSoFar: (Point | null)[];
}

/** Score and medal over time, from the submission timelines. Null when no trial has one. */
export function curves(
  records: readonly TrialRecord[],
  directionOf: (competitionId: string) => Direction | null,
): Curves | null {
  const traced = records.flatMap((record) => {
    const { trial, grade } = record;
    if (trial === null || grade === null) return [];
    const usual = grade.is_lower_better ? "minimize" : "maximize";
    return trace(record, directionOf(record.competitionId) ?? grade.direction ?? usual);
  });
  if (traced.length === 0) return null;
  const trials = traced.map(({ curve }) => curve);
  const longest = trials.reduce((most, { wallSeconds }) => Math.max(most, wallSeconds), 0);
  const step = STEPS.find((seconds) => longest / seconds <= MAX_MOMENTS) ?? STEPS.at(-1)!;
  const gaps = trials.flatMap(({ selectionError }) => selectionError.percentile ?? []);
  const ranked = gaps.length > 0;
  return {
    trials,
    without: records.length - trials.length,
    moments: Array.from({ length: Math.ceil(longest / step) + 1 }, (_, i) =>
      moment(traced, i * step, ranked),
    ),
    selection: {
      finalMedalRate: share(trials, ({ final }) => final?.medal != null),
      bestMedalRate: share(trials, ({ best }) => best?.medal != null),
      medalsLost: trials.filter(({ selectionError }) => selectionError.medalLost).length,
      percentileGap: ranked ? meanOf(gaps) : null,
    },
  };
}

const MAX_MOMENTS = 24;
const STEPS = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];

function trace({ id, competitionId, seed, trial, timeline }: TrialRecord, direction: Direction): Traced {
  const ordered = timeline.toSorted((a, b) => a.elapsedSeconds - b.elapsedSeconds);
  const bestSoFar: (TimelinePoint | null)[] = [];
  for (const point of ordered) {
    const before = bestSoFar.at(-1);
    bestSoFar.push(bestPoint(before ? [before, point] : [point], direction));
  }
  const best = bestSoFar.at(-1) ?? null;
  const finalHash = trial?.final?.sha256 ?? null;
  const final = finalHash === null ? null : (ordered.findLast(({ sha256 }) => sha256 === finalHash) ?? null);
  const curve: TrialCurve = {
    trialId: id,
    competitionId,
    seed,
    wallSeconds: Math.max(trial?.measurements?.wallSeconds ?? 0, ordered.at(-1)?.elapsedSeconds ?? 0),
    points: ordered.map((point, i) => ({ ...withoutHash(point), bestScore: bestSoFar[i]?.score ?? null })),
    best: best && withoutHash(best),
    final: final && withoutHash(final),
    selectionError: {
      score: best?.score != null && final?.score != null ? Math.abs(best.score - final.score) : null,
      percentile: best?.percentile == null ? null : best.percentile - (final?.percentile ?? 0),
      medalLost: medalRank(best) > medalRank(final),
    },
  };
  return { curve, bestSoFar };
}

function withoutHash({ sha256: _, ...point }: TimelinePoint): Point {
  return point;
}

function medalRank(point: Point | null): number {
  return point?.medal == null ? 0 : { bronze: 1, silver: 2, gold: 3 }[point.medal];
}

function moment(traced: readonly Traced[], seconds: number, ranked: boolean): Moment {
  const standing: (Point | null)[] = [];
  const best: (Point | null)[] = [];
  for (const { curve, bestSoFar } of traced) {
    const last = curve.points.findLastIndex(({ elapsedSeconds }) => elapsedSeconds <= seconds);
    standing.push(seconds >= curve.wallSeconds ? curve.final : (curve.points[last] ?? null));
    best.push(bestSoFar[last] ?? null);
  }
  const percentile = (points: readonly (Point | null)[]) =>
    ranked ? meanOf(points.map((point) => point?.percentile ?? 0)) : null;
  return {
    seconds,
    medalRate: share(standing, (point) => point?.medal != null),
    percentile: percentile(standing),
    bestMedalRate: share(best, (point) => point?.medal != null),
    bestPercentile: percentile(best),
  };
}

function share<T>(values: readonly T[], holds: (value: T) => boolean): number {
  return (100 * values.filter(holds).length) / values.length;
}
