import { hasMedal, meanOf } from "../aggregate/original-aggregate.ts";
import { fieldsOf, type Seeds } from "../aggregate/seeds.ts";
import type { GradedRun } from "../reports.ts";
import {
  bootstrapInterval,
  type Interval,
  SEEDS_FOR_BOOTSTRAP,
  studentInterval,
} from "../statistics/intervals.ts";
import { signFlipTest } from "./paired-test.ts";

/** A paired difference, A minus B, with its uncertainty. */
export interface Difference {
  mean: number;
  overSeeds: Interval | null;
  overBoth: Interval | null;
  /** How often chance alone would make a difference this large. */
  pValue: number;
  withinNoise: boolean;
}

export interface ComparedCompetition {
  competitionId: string;
  a: { medals: number; percentile: number | null };
  b: { medals: number; percentile: number | null };
  /** Who has more medals; with equal medals, the higher mean percentile; a tie otherwise. */
  winner: "a" | "b" | "tie";
}

export interface Comparison {
  schema: "mlebench/comparison";
  version: 1;
  seeds: number;
  competitions: number;
  /** Whose scores the medals were measured against. */
  fields: string[];
  medalRate: Difference;
  /** Null when reports carry no percentiles. */
  percentile: Difference | null;
  wins: number;
  ties: number;
  losses: number;
  byCompetition: ComparedCompetition[];
  /** Seeds that would separate the two at this difference; null when nothing separates them. */
  seedsNeeded: number | null;
}

const SIGNIFICANT = 0.05;

/** Compares two agents over the same competitions and seeds. Both must be arranged over the same split. */
export function compare(a: Seeds, b: Seeds): Comparison {
  const seeds = Math.min(a.runs.length, b.runs.length);
  const pairs = a.competitions.map((competitionId, i) => ({
    competitionId,
    a: a.runs.slice(0, seeds).map((seed) => seed[i]),
    b: b.runs.slice(0, seeds).map((seed) => seed[i]),
  }));
  const medalDifferences = pairs.map((pair) =>
    pair.a.map((run, s) => medalPoints(run) - medalPoints(pair.b[s])),
  );
  const byCompetition = pairs.map((pair) => comparedCompetition(pair.competitionId, pair.a, pair.b));
  const count = (winner: ComparedCompetition["winner"]) =>
    byCompetition.filter((row) => row.winner === winner).length;
  return {
    schema: "mlebench/comparison",
    version: 1,
    seeds,
    competitions: pairs.length,
    fields: fieldsOf(a, b),
    medalRate: difference(medalDifferences),
    percentile: percentileDifference(pairs),
    wins: count("a"),
    ties: count("tie"),
    losses: count("b"),
    byCompetition,
    seedsNeeded: seedsToSeparate(perSeed(medalDifferences)),
  };
}

function medalPoints(run: GradedRun | null): number {
  return run !== null && hasMedal(run) ? 100 : 0;
}

/** A run without a valid submission stands behind everybody. */
function percentileOf(run: GradedRun | null): number {
  return run?.percentile ?? 0;
}

function percentileDifference(
  pairs: { a: (GradedRun | null)[]; b: (GradedRun | null)[] }[],
): Difference | null {
  const known = (runs: (GradedRun | null)[]) => runs.some((run) => run?.percentile != null);
  if (!pairs.some((pair) => known(pair.a)) || !pairs.some((pair) => known(pair.b))) return null;
  const ranked = pairs.filter((pair) => ![...pair.a, ...pair.b].some(hasNoBoard));
  return difference(
    ranked.map((pair) => pair.a.map((run, s) => percentileOf(run) - percentileOf(pair.b[s]))),
  );
}

/** A score that stands nowhere: without this, a competition that has no board would count as a tie. */
function hasNoBoard(run: GradedRun | null): boolean {
  return run?.score != null && run.percentile == null;
}

/** `differences[competition][seed]`. */
function difference(differences: number[][]): Difference {
  const seeds = perSeed(differences);
  const pValue = signFlipTest(differences.flat());
  return {
    mean: meanOf(seeds),
    overSeeds: studentInterval(seeds),
    overBoth: seeds.length >= SEEDS_FOR_BOOTSTRAP ? bootstrapInterval(differences) : null,
    pValue,
    withinNoise: pValue > SIGNIFICANT,
  };
}

function perSeed(differences: number[][]): number[] {
  return differences[0].map((_, seed) => meanOf(differences.map((row) => row[seed])));
}

function comparedCompetition(
  competitionId: string,
  a: (GradedRun | null)[],
  b: (GradedRun | null)[],
): ComparedCompetition {
  const [left, right] = [summary(a), summary(b)];
  const lead = left.medals - right.medals || (left.percentile ?? 0) - (right.percentile ?? 0);
  return { competitionId, a: left, b: right, winner: lead > 0 ? "a" : lead < 0 ? "b" : "tie" };
}

function summary(runs: (GradedRun | null)[]): { medals: number; percentile: number | null } {
  const medals = runs.filter((run) => run !== null && hasMedal(run)).length;
  const known = runs.some((run) => run?.percentile != null);
  return { medals, percentile: known ? meanOf(runs.map(percentileOf)) : null };
}

const POWER_FACTOR = 1.959963984540054 + 0.8416212335729143;
const MOST_SEEDS = 100_000;

/** For 95 % confidence and 80 % power, from the spread of the seeds' own mean differences. */
export function seedsToSeparate(meanDifferences: readonly number[]): number | null {
  const count = meanDifferences.length;
  const mean = meanOf(meanDifferences);
  if (count < 2 || mean === 0) return null;
  const variance = meanDifferences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const needed = Math.max(2, Math.ceil((POWER_FACTOR ** 2 * variance) / mean ** 2));
  return needed > MOST_SEEDS ? null : needed;
}
