import type { CatalogueEntry } from "../../competitions/catalogue.ts";
import type { Direction } from "../../competitions/competition.ts";
import { meanOf } from "../aggregate/original-aggregate.ts";
import { fieldsOf, type Seeds } from "../aggregate/seeds.ts";
import type { GradedRun } from "../reports.ts";
import { byCompetition, type ComparedCompetition } from "./by-competition.ts";
import { corrected, type Difference, differenceOf } from "./difference.ts";
import { isBoardless, medalPoints, type Pair, paired, percentileOf, ranked, scoreLead } from "./pair.ts";
import { HYPOTHESIS } from "./paired-test.ts";
import { type Plan, planFor } from "./planner.ts";

export interface Comparison {
  schema: "mlebench/comparison";
  version: 1;
  /** Seeds that both have. */
  seeds: number;
  competitions: number;
  /** Runs that should be there and are not, of `planned` a side. They are in no test. */
  missing: { a: number; b: number; planned: number };
  /** Runs that are there and have no partner, since the other side has fewer seeds. */
  unpaired: { a: number; b: number };
  /** Pairs of runs that exist: what differences and tests are over. */
  pairs: number;
  /** Whose scores the medals were measured against. */
  fields: string[];
  /** What the p-values test. */
  hypothesis: string;
  /** Over competitions that have a board. Null when none has one, or no pair of runs exists. */
  medalRate: Difference | null;
  /** Null when reports carry no percentiles. */
  percentile: Difference | null;
  /** Pairs won minus pairs lost by score, in per cent, over competitions without a board; null when all have one. */
  score: Difference | null;
  /** The other reading: A − B when every missing run counts as failed. Never tested. Null when none is missing. */
  countingMissingAsFailed: { medalRate: number | null; percentile: number | null } | null;
  wins: number;
  ties: number;
  losses: number;
  byCompetition: ComparedCompetition[];
  /** What it would take to tell the medal rates apart; null when they are equal or were tried once. */
  plan: Plan | null;
  /** Seeds with which the test would find this difference in medals; null when no number would. */
  seedsNeeded: number | null;
}

/** Which way scores of a competition go; null where nobody knows. */
export type DirectionOf = (competitionId: string) => Direction | null;

export function directionsOf(entries: readonly CatalogueEntry[]): DirectionOf {
  const known = new Map(entries.map(({ id, metric }) => [id, metric.direction]));
  return (id) => known.get(id) ?? null;
}

/** Compares two agents over the same competitions and seeds. Both must be arranged over the same split. */
export function compare(a: Seeds, b: Seeds, directionOf: DirectionOf = () => null): Comparison {
  const seeds = Math.min(a.runs.length, b.runs.length);
  const column = (side: Seeds, i: number) => side.runs.slice(0, seeds).map((seed) => seed[i]);
  const pairs = a.competitions.map(
    (competitionId, i): Pair => ({ competitionId, a: column(a, i), b: column(b, i) }),
  );
  const boards = pairs.filter((pair) => !isBoardless(pair));
  const medals = paired(boards, (left, right) => medalPoints(left) - medalPoints(right));
  const wayOf = (pair: Pair) => directionOf(pair.competitionId) ?? recordedDirection(pair);
  const rows = pairs.map((pair) => byCompetition(pair, wayOf(pair)));
  const count = (winner: ComparedCompetition["winner"]) => rows.filter((row) => row.winner === winner).length;
  const absent = (side: "a" | "b") =>
    pairs.flatMap((pair) => pair[side]).filter((run) => run === null).length;
  const missing = { a: absent("a"), b: absent("b"), planned: pairs.length * seeds };
  const plan = planFor(medals.filter(({ length }) => length > 0));
  const result: Comparison = {
    schema: "mlebench/comparison",
    version: 1,
    seeds,
    competitions: pairs.length,
    missing,
    unpaired: { a: beyond(a, seeds), b: beyond(b, seeds) },
    pairs: paired(pairs, () => 0).flat().length,
    fields: fieldsOf(a, b),
    hypothesis: HYPOTHESIS,
    medalRate: differenceOf(medals),
    percentile: percentileDifference(pairs),
    score: scoreDifference(pairs, wayOf),
    countingMissingAsFailed: missing.a + missing.b === 0 ? null : asFailed(pairs),
    wins: count("a"),
    ties: count("tie"),
    losses: count("b"),
    byCompetition: rows,
    plan,
    seedsNeeded: plan?.seeds ?? null,
  };
  return correctTogether([result])[0];
}

/** Holds all differences of these comparisons against chance as one family of tests. */
export function correctTogether(comparisons: readonly Comparison[]): Comparison[] {
  const differences = comparisons.flatMap(({ medalRate, percentile, score }) =>
    [medalRate, percentile, score].filter((one) => one !== null),
  );
  const queue = corrected(differences);
  const next = (one: Difference | null) => (one === null ? null : queue.shift()!);
  return comparisons.map((one) => ({
    ...one,
    medalRate: next(one.medalRate),
    percentile: next(one.percentile),
    score: next(one.score),
  }));
}

function percentileDifference(pairs: readonly Pair[]): Difference | null {
  return differenceOf(paired(ranked(pairs), (a, b) => percentileOf(a) - percentileOf(b)));
}

/** As the reports say themselves: a competition of the user's own is in no catalogue unless its folder is named. */
function recordedDirection({ a, b }: Pair): Direction | null {
  return [...a, ...b].find((run) => run?.direction != null)?.direction ?? null;
}

function scoreDifference(pairs: readonly Pair[], wayOf: (pair: Pair) => Direction | null): Difference | null {
  const boardless = pairs.filter((pair) => isBoardless(pair) && wayOf(pair) !== null);
  return differenceOf(
    boardless.flatMap((pair) => paired([pair], (a, b) => 100 * Math.sign(scoreLead(a, b, wayOf(pair)!)))),
  );
}

function asFailed(pairs: readonly Pair[]): NonNullable<Comparison["countingMissingAsFailed"]> {
  const mean = (of: readonly Pair[], points: (run: GradedRun | null) => number) =>
    of.length === 0 ? null : meanOf(of.flatMap(({ a, b }) => a.map((run, i) => points(run) - points(b[i]))));
  return {
    medalRate: mean(
      pairs.filter((pair) => !isBoardless(pair)),
      medalPoints,
    ),
    percentile: mean(ranked(pairs), percentileOf),
  };
}

function beyond({ runs, unused }: Seeds, seeds: number): number {
  return (
    unused +
    runs
      .slice(seeds)
      .flat()
      .filter((run) => run !== null).length
  );
}
