import { catalogue } from "../../competitions/catalogue.ts";
import { type Aggregate, aggregate } from "../aggregate/aggregate.ts";
import { deviationsOfPlaces, spendingOfPlaces } from "../aggregate/group-insights.ts";
import { meanOf } from "../aggregate/original-aggregate.ts";
import { arrangeSeeds, type Seeds } from "../aggregate/seeds.ts";
import { type CircumstanceSummary, circumstancesOfPlaces } from "../circumstances.ts";
import {
  type Comparison,
  compare,
  correctTogether,
  type DirectionOf,
  directionsOf,
} from "../compare/compare.ts";
import { percentileOf } from "../compare/pair.ts";
import type { ModelSpending } from "../model-spending.ts";
import { groupReport, readReports } from "../reports.ts";

const FACTORS = ["agent", "model", "budget", "setting"] as const;
type Factor = (typeof FACTORS)[number];

export interface ExperimentCell {
  name: string;
  /** Its run group. */
  folder: string;
  /** Null where the experiment does not vary it. */
  factors: Record<Factor, string | null>;
}

/** Two cells that differ in one thing alone, so that the difference is due to it. */
interface FactorComparison {
  factor: Factor;
  a: string;
  b: string;
  result: Comparison;
}

export interface ExperimentReport {
  schema: "mlebench/experiment-report";
  version: 1;
  name: string;
  competitions: number;
  cells: {
    name: string;
    factors: ExperimentCell["factors"];
    aggregate: Aggregate;
    /** Mean over competitions with a board and over seeds, a missing or invalid run counted as 0; null without a board. */
    percentile: number | null;
    deviations: string[];
    circumstances: CircumstanceSummary;
    /** What its models were asked; null where it named none. */
    models: ModelSpending | null;
  }[];
  comparisons: FactorComparison[];
  /** Cells without numbers, and why. */
  missing: { cell: string; reason: string }[];
}

/**
 * Aggregates every cell over the same competitions, and compares those that differ in one factor; with `against`, those
 * of them alone of which one has that name there. Missing runs count as failed.
 */
export async function experimentReport(
  name: string,
  cells: readonly ExperimentCell[],
  competitionIds: readonly string[],
  { competitionsDir, against }: { competitionsDir?: string | undefined; against?: string | undefined } = {},
): Promise<ExperimentReport> {
  const entries = await catalogue(competitionsDir);
  const read: { cell: ExperimentCell; seeds: Seeds }[] = [];
  const missing: ExperimentReport["missing"] = [];
  for (const cell of cells) {
    const seeds = seedsOf(cell, competitionIds);
    if (typeof seeds === "string") missing.push({ cell: cell.name, reason: seeds });
    else read.push({ cell, seeds });
  }
  return {
    schema: "mlebench/experiment-report",
    version: 1,
    name,
    competitions: competitionIds.length,
    cells: await Promise.all(
      read.map(async ({ cell, seeds }) => ({
        name: cell.name,
        factors: cell.factors,
        aggregate: aggregate(name, seeds, entries),
        percentile: meanPercentile(seeds),
        deviations: deviationsOfPlaces([cell.folder], seeds.runs.length),
        circumstances: await circumstancesOfPlaces([cell.folder]),
        models: spendingOfPlaces([cell.folder]),
      })),
    ),
    comparisons: comparisonsOf(read, directionsOf(entries), against),
    missing,
  };
}

/** All of them are tested together, since a reader looks at all of them. */
function comparisonsOf(
  read: readonly { cell: ExperimentCell; seeds: Seeds }[],
  directionOf: DirectionOf,
  against: string | undefined,
): FactorComparison[] {
  const found = read.flatMap((first, i) =>
    read.slice(i + 1).flatMap((second) => {
      const differing = FACTORS.filter(
        (factor) => first.cell.factors[factor] !== second.cell.factors[factor],
      );
      if (differing.length !== 1) return [];
      const [factor] = differing;
      const has = ({ cell }: typeof first) => cell.factors[factor] === against;
      if (against !== undefined && !has(first) && !has(second)) return [];
      // What is compared with stands behind the minus, so that a difference says what the change brought.
      const [a, b] = against !== undefined && has(first) ? [second, first] : [first, second];
      return { factor, a: a.cell.name, b: b.cell.name, result: compare(a.seeds, b.seeds, directionOf) };
    }),
  );
  const results = correctTogether(found.map(({ result }) => result));
  return found.map((one, i) => ({ ...one, result: results[i] }));
}

function meanPercentile({ competitions, runs }: Seeds): number | null {
  const columns = competitions.map((_, i) => runs.map((seed) => seed[i]));
  const known = columns.filter((column) => column.some((run) => run?.percentile != null));
  return known.length === 0 ? null : meanOf(known.map((column) => meanOf(column.map(percentileOf))));
}

function seedsOf({ folder }: ExperimentCell, competitions: readonly string[]): Seeds | string {
  const found = groupReport(folder);
  if (!found.ok) return found.message;
  const read = readReports([found.file]);
  if (!read.ok) return read.message;
  const arranged = arrangeSeeds(read.reports, { competitions, padMissing: true });
  return arranged.ok ? arranged.seeds : arranged.message;
}
