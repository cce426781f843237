import { catalogue } from "../../competitions/catalogue.ts";
import { type Aggregate, aggregate } from "../aggregate/aggregate.ts";
import { deviationsOfPlaces } from "../aggregate/group-insights.ts";
import { arrangeSeeds, type Seeds } from "../aggregate/seeds.ts";
import { type CircumstanceSummary, circumstancesOfPlaces } from "../circumstances.ts";
import {
  type Comparison,
  compare,
  correctTogether,
  type DirectionOf,
  directionsOf,
} from "../compare/compare.ts";
import { groupReport, readReports } from "../reports.ts";

const FACTORS = ["agent", "budget", "setting"] as const;
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
    deviations: string[];
    circumstances: CircumstanceSummary;
  }[];
  comparisons: FactorComparison[];
  /** Cells without numbers, and why. */
  missing: { cell: string; reason: string }[];
}

/** Aggregates every cell over the same competitions, and compares those that differ in one factor. Missing runs count as failed. */
export async function experimentReport(
  name: string,
  cells: readonly ExperimentCell[],
  competitionIds: readonly string[],
  competitionsDir?: string,
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
        deviations: deviationsOfPlaces([cell.folder], seeds.runs.length),
        circumstances: await circumstancesOfPlaces([cell.folder]),
      })),
    ),
    comparisons: comparisonsOf(read, directionsOf(entries)),
    missing,
  };
}

/** All of them are tested together, since a reader looks at all of them. */
function comparisonsOf(
  read: readonly { cell: ExperimentCell; seeds: Seeds }[],
  directionOf: DirectionOf,
): FactorComparison[] {
  const found = read.flatMap((a, i) =>
    read.slice(i + 1).flatMap((b) => {
      const differing = FACTORS.filter((factor) => a.cell.factors[factor] !== b.cell.factors[factor]);
      if (differing.length !== 1) return [];
      const result = compare(a.seeds, b.seeds, directionOf);
      return { factor: differing[0], a: a.cell.name, b: b.cell.name, result };
    }),
  );
  const results = correctTogether(found.map(({ result }) => result));
  return found.map((one, i) => ({ ...one, result: results[i] }));
}

function seedsOf({ folder }: ExperimentCell, competitions: readonly string[]): Seeds | string {
  const found = groupReport(folder);
  if (!found.ok) return found.message;
  const read = readReports([found.file]);
  if (!read.ok) return read.message;
  const arranged = arrangeSeeds(read.reports, { competitions, padMissing: true });
  return arranged.ok ? arranged.seeds : arranged.message;
}
