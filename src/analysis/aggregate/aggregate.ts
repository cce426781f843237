import type { CatalogueEntry } from "../../competitions/catalogue.ts";
import {
  type MedalSplit,
  releasedOn,
  splitMedals,
  type Timing,
  timingOf,
} from "../../integrity/contamination/contamination.ts";
import type { GradedRun } from "../reports.ts";
import { type Interval, overSeedsInterval, rateInterval } from "../statistics/intervals.ts";
import {
  counts,
  hasMedal,
  meanOf,
  type OriginalAggregate,
  originalAggregate,
  PERCENTAGES,
  type PercentageName,
  seedPercentages,
} from "./original-aggregate.ts";
import { passCurve } from "./pass-at-k.ts";
import { fieldsOf, missingRuns, type Seeds } from "./seeds.ts";

/** One percentage with what is known about its uncertainty. */
export interface Rate {
  mean: number;
  perSeed: number[];
  /** About these competitions, from the spread of seeds inside each. Null where no spread was seen. */
  overSeeds: Interval | null;
  /** About competitions like these, whatever the number of seeds. Null with fewer than three. */
  overBoth: Interval | null;
}

/** How often the runs of one competition reached what. */
export interface CompetitionRow {
  competitionId: string;
  runs: number;
  missing: number;
  submitted: number;
  valid: number;
  aboveMedian: number;
  bronze: number;
  silver: number;
  gold: number;
  meanPercentile: number | null;
  /** Of the runs that have one; what is left to look at where a competition has no board. */
  meanScore: number | null;
  /** Which scores are better, by the reports; null where they do not say. */
  direction: "maximize" | "minimize" | null;
  /** When it was opened, and whether that was before the model's training data end. */
  released: string | null;
  timing: Timing;
}

/** Rates in per cent of all runs, missing ones included. */
export interface GroupRow {
  name: string;
  competitions: number;
  valid: number;
  anyMedal: number;
  gold: number;
}

export interface Aggregate {
  schema: "mlebench/aggregate";
  version: 1;
  split: string;
  seeds: number;
  competitions: number;
  /** Whose scores the medals were measured against. */
  fields: string[];
  /** Exactly what the original computes and prints. */
  original: OriginalAggregate;
  rates: Record<PercentageName, Rate>;
  /** Rates of the runs that exist alone, in per cent; null when none is missing. Competitions weigh as their runs. */
  present: { runs: number; valid: number; medal: number; gold: number } | null;
  /** As agents publish them: valid, medal and gold rate in per cent of all runs. */
  published: { valid: number; medal: number; gold: number };
  passAtK: { k: number; rate: number }[];
  byCompetition: CompetitionRow[];
  byCategory: GroupRow[];
  byComplexity: GroupRow[];
  missing: Seeds["missing"];
  /** Runs that are there and not used: other competitions have fewer. */
  unused: number;
  /** Runs that a person disqualified: they count as runs without a valid submission. */
  disqualified: number;
  /** Medals on competitions from before and after the end of the model's training data; null where that is not known. */
  contamination: MedalSplit | null;
}

export function aggregate(
  split: string,
  seeds: Seeds,
  catalogue: readonly CatalogueEntry[],
  cutoff: string | null = null,
): Aggregate {
  const original = originalAggregate(seeds);
  const byCompetition = seeds.competitions.map((id, i) =>
    competitionRow(
      id,
      seeds.runs.map((seed) => seed[i]),
      cutoff,
    ),
  );
  const known = new Map(catalogue.map((entry) => [entry.id, entry]));
  return {
    schema: "mlebench/aggregate",
    version: 1,
    split,
    seeds: seeds.runs.length,
    competitions: seeds.competitions.length,
    fields: fieldsOf(seeds),
    original,
    rates: rates(seeds),
    present: presentRates(seeds),
    published: {
      valid: original.metrics.valid_submissions_percentage.mean,
      medal: original.metrics.any_medal_percentage.mean,
      gold: original.metrics.gold_medal_percentage.mean,
    },
    passAtK: passCurve(byCompetition.map((row) => ({ attempts: seeds.runs.length, successes: medals(row) }))),
    byCompetition,
    byCategory: grouped(byCompetition, (id) => known.get(id)?.category ?? "unknown").sort(largestFirst),
    byComplexity: grouped(byCompetition, (id) => known.get(id)?.complexity ?? "unknown").sort(byDifficulty),
    missing: seeds.missing,
    unused: seeds.unused,
    disqualified: seeds.runs.flat().filter((run) => run?.disqualified).length,
    contamination: cutoff === null ? null : splitMedals(seeds.runs.flat().flatMap(medalOf), cutoff),
  };
}

function medalOf(run: GradedRun | null): { competitionId: string; medal: boolean }[] {
  return run === null ? [] : [{ competitionId: run.competition_id, medal: hasMedal(run) }];
}

function rates(seeds: Seeds): Record<PercentageName, Rate> {
  const entries = PERCENTAGES.map((name): [PercentageName, Rate] => {
    const perSeed = seedPercentages(seeds, name);
    const points = seeds.competitions.map((_, i) =>
      seeds.runs.map((seed) => (counts(seed[i], name) ? 100 : 0)),
    );
    return [
      name,
      {
        mean: meanOf(perSeed),
        perSeed,
        overSeeds: withinBounds(overSeedsInterval(points)),
        overBoth: rateInterval(points.map(meanOf)),
      },
    ];
  });
  return Object.fromEntries(entries) as Record<PercentageName, Rate>;
}

/** The other reading of missing runs: as if nobody had meant to run them. */
function presentRates(seeds: Seeds): Aggregate["present"] {
  const runs = seeds.runs.flat().filter((run) => run !== null);
  if (missingRuns(seeds) === 0 || runs.length === 0) return null;
  const rate = (name: PercentageName) => (100 * runs.filter((run) => counts(run, name)).length) / runs.length;
  return {
    runs: runs.length,
    valid: rate("valid_submissions_percentage"),
    medal: rate("any_medal_percentage"),
    gold: rate("gold_medal_percentage"),
  };
}

/** Student's t knows nothing of percentages, and the truth lies nowhere else. */
function withinBounds(interval: Interval | null): Interval | null {
  if (interval === null) return null;
  return { ...interval, low: Math.max(0, interval.low), high: Math.min(100, interval.high) };
}

function competitionRow(
  competitionId: string,
  runs: (GradedRun | null)[],
  cutoff: string | null,
): CompetitionRow {
  const present = runs.filter((run) => run !== null);
  const count = (holds: (run: GradedRun) => boolean) => present.filter(holds).length;
  const percentiles = present.flatMap(({ percentile }) => (percentile == null ? [] : [percentile]));
  const scores = present.flatMap(({ score }) => (score == null ? [] : [score]));
  return {
    competitionId,
    runs: present.length,
    missing: runs.length - present.length,
    submitted: count((run) => run.submission_exists),
    valid: count((run) => run.valid_submission),
    aboveMedian: count((run) => run.above_median),
    bronze: count((run) => run.bronze_medal),
    silver: count((run) => run.silver_medal),
    gold: count((run) => run.gold_medal),
    meanPercentile: percentiles.length > 0 ? meanOf(percentiles) : null,
    meanScore: scores.length > 0 ? meanOf(scores) : null,
    direction: present.find(({ direction }) => direction != null)?.direction ?? null,
    released: releasedOn(competitionId),
    timing: timingOf(competitionId, cutoff),
  };
}

function medals({ bronze, silver, gold }: CompetitionRow): number {
  return bronze + silver + gold;
}

function grouped(rows: readonly CompetitionRow[], nameOf: (id: string) => string): GroupRow[] {
  const groups = new Map<string, CompetitionRow[]>();
  for (const row of rows) {
    const name = nameOf(row.competitionId);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups].map(([name, members]) => {
    const rate = (count: (row: CompetitionRow) => number) =>
      meanOf(members.map((row) => (100 * count(row)) / (row.runs + row.missing)));
    return {
      name,
      competitions: members.length,
      valid: rate(({ valid }) => valid),
      anyMedal: rate(medals),
      gold: rate(({ gold }) => gold),
    };
  });
}

const DIFFICULTY = ["low", "medium", "high"];

/** Those of the 75 from easy to hard, all others behind them. */
function byDifficulty(a: GroupRow, b: GroupRow): number {
  const place = ({ name }: GroupRow) => (DIFFICULTY.includes(name) ? DIFFICULTY.indexOf(name) : 3);
  return place(a) - place(b);
}

function largestFirst(a: GroupRow, b: GroupRow): number {
  return b.competitions - a.competitions || (a.name < b.name ? -1 : 1);
}
