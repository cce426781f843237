import { recordedDeviations } from "../aggregate/canonical-setup.ts";
import type { CompetitionFacts } from "../competition-facts.ts";
import { type ModelSpending, modelSpending } from "../model-spending.ts";
import type { TrialRecord } from "../trial-records.ts";
import { type Band, bandOf, type Dimensions, FORMULAS, FORMULAS_VERSION, twoDecimals } from "./formulas.ts";
import type { ReplayTrial } from "./replay.ts";
import type { ScorecardRequest } from "./request.ts";
import { missingUnit, type ScoredUnit, scoreUnit } from "./unit.ts";

/** The scorecard of one seed of one agent. */
export interface SeedCard {
  seed: number;
  units: ScoredUnit[];
  dimensions: Dimensions;
  artifactValidity: number;
  overall: number;
  band: Band;
  caps: string[];
}

export interface Scorecard {
  schema: "mlebench/scorecard";
  version: 1;
  formulasVersion: string;
  formulas: Record<string, string>;
  agent: string;
  request: ScorecardRequest;
  /** Where the list of tasks comes from. */
  tasks: string;
  competitionIds: string[];
  seeds: SeedCard[];
  /** Mean over seeds. */
  overall: number;
  band: Band;
  /** From the canonical set-up. */
  deviations: string[];
  /** What the models were asked; null where the runs named none. */
  models: ModelSpending | null;
}

export interface ScorecardInputs {
  agent: string;
  records: readonly TrialRecord[];
  facts: ReadonlyMap<string, CompetitionFacts>;
  request: ScorecardRequest;
  /** Null when nothing can be run again; `execute` then counts as no replay. */
  replay: ReplayTrial | null;
}

/**
 * The five-dimension score. Each trial is a unit with a score and a cap of its own; a suite is their weighted mean.
 * Without a request that names tasks, the tasks are those the group was run on.
 */
export async function scorecard(inputs: ScorecardInputs): Promise<Scorecard> {
  const { agent, records, request } = inputs;
  const own = [...new Set(records.map(({ competitionId }) => competitionId))].sort();
  const competitionIds = request.competitionIds ?? own;
  const allSeeds = [...new Set(records.map(({ seed }) => seed))].sort((a, b) => a - b);
  const seeds = request.seed === undefined ? allSeeds : [request.seed];
  const cards: SeedCard[] = [];
  for (const seed of seeds) cards.push(await seedCard(seed, competitionIds, inputs));
  const overall = twoDecimals(cards.reduce((sum, card) => sum + card.overall, 0) / cards.length);
  return {
    schema: "mlebench/scorecard",
    version: 1,
    formulasVersion: FORMULAS_VERSION,
    formulas: FORMULAS,
    agent,
    request,
    tasks: request.competitionIds ? "the request's" : "those the group was run on",
    competitionIds,
    seeds: cards,
    overall,
    band: bandOf(overall),
    deviations: recordedDeviations(records, allSeeds.length),
    models: modelSpending(records),
  };
}

async function seedCard(
  seed: number,
  competitionIds: readonly string[],
  { records, facts, request, replay }: ScorecardInputs,
): Promise<SeedCard> {
  const units: ScoredUnit[] = [];
  for (const id of competitionIds) {
    const record = records.find((one) => one.competitionId === id && one.seed === seed);
    units.push(
      record === undefined
        ? missingUnit(id, request, seed)
        : await scoreUnit(record, facts.get(id), request, replay),
    );
  }
  return { seed, units, ...suite(units) };
}

/** Weighted means over units; rounded once, at the end. */
function suite(
  units: readonly ScoredUnit[],
): Pick<SeedCard, "dimensions" | "artifactValidity" | "overall" | "band" | "caps"> {
  const weights = units.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (of: (unit: ScoredUnit) => number) =>
    twoDecimals(units.reduce((sum, unit) => sum + unit.weight * of(unit), 0) / weights);
  const overall = mean((unit) => unit.overall);
  return {
    dimensions: {
      quality: mean((unit) => unit.dimensions.quality),
      efficiency: mean((unit) => unit.dimensions.efficiency),
      reproducibility: mean((unit) => unit.dimensions.reproducibility),
      operations: mean((unit) => unit.dimensions.operations),
    },
    artifactValidity: mean((unit) => unit.artifactValidity),
    overall,
    band: bandOf(overall),
    caps: units.flatMap(({ competitionId, caps }) => caps.map((cap) => `${competitionId}: ${cap}`)),
  };
}
