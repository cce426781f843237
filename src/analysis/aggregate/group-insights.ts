import { catalogue } from "../../competitions/catalogue.ts";
import type { Direction } from "../../competitions/competition.ts";
import { type CircumstanceSummary, summarise, withVerdicts } from "../circumstances.ts";
import { type ModelSpending, modelSpending } from "../model-spending.ts";
import { readMetrics } from "../scorecard/artifacts.ts";
import { type AgentRecords, readRecords, recordedCutoff, type TrialRecord } from "../trial-records.ts";
import { type TrialSummary, trialSummary } from "../trial-summary.ts";
import { type BestOfK, bestOfK, type OwnAttempt } from "./best-of-k.ts";
import { recordedDeviations } from "./canonical-setup.ts";
import { type Curves, curves } from "./curves.ts";
import { hasMedal } from "./original-aggregate.ts";

/** What run groups know beyond their grading reports. */
export interface GroupInsights {
  curves: Curves | null;
  /** Empty when no trial left a validation score of its own. */
  bestOfK: BestOfK[];
  deviations: string[];
  /** Null when no run named models. */
  models: ModelSpending | null;
  /** In what the trials ran, and what verify says of them. */
  circumstances: CircumstanceSummary;
  /** Where the training data of their models end, as the records say; null where they do not. */
  cutoff: string | null;
  /** Every medal with what is known of it. */
  medals: TrialSummary[];
}

/**
 * Over the runs that the aggregate is over: the first `seeds` of each competition, in the order of the groups. Null when
 * there is no record of a trial: grading reports alone, or groups of the original.
 */
export async function groupInsights(
  groups: readonly string[],
  competitionIds: readonly string[],
  seeds: number,
  competitionsDir?: string,
): Promise<GroupInsights | null> {
  const left = new Map(competitionIds.map((id) => [id, seeds]));
  const records = groups.flatMap(recordsOf).filter(({ competitionId, trial, grade }) => {
    const more = left.get(competitionId) ?? 0;
    if (grade !== null) left.set(competitionId, more - 1);
    return trial !== null && more > 0;
  });
  if (records.length === 0) return null;
  const directions = new Map(
    (await catalogue(competitionsDir)).map(({ id, metric }) => [id, metric.direction]),
  );
  const directionOf = (id: string) => directions.get(id) ?? null;
  const verified = (await withVerdicts([{ name: "", records }])).flatMap((agent) => agent.records);
  return {
    curves: curves(records, directionOf),
    bestOfK: bestOfK(ownAttempts(records, directionOf)),
    deviations: recordedDeviations(records, seeds),
    models: modelSpending(records),
    circumstances: summarise(verified),
    cutoff: recordedCutoff(records),
    medals: verified.map(trialSummary).filter(({ state }) => /^(gold|silver|bronze)$/.test(state)),
  };
}

function recordsOf(group: string): TrialRecord[] {
  const read = readRecords([group]);
  return read.ok ? read.agents.flatMap((agent) => agent.records) : [];
}

/** By agent. Seeds are those of the competition that was tried most often: others may lack trials. */
export function deviationsByAgent(agents: readonly AgentRecords[]): Record<string, string[]> {
  return Object.fromEntries(
    agents.map(({ name, records }) => {
      const tries = new Map<string, number>();
      for (const { competitionId } of records) tries.set(competitionId, (tries.get(competitionId) ?? 0) + 1);
      return [name, recordedDeviations(records, Math.max(...tries.values()))];
    }),
  );
}

/** What the models of these run groups were asked; null when they named none. */
export function spendingOfPlaces(places: readonly string[]): ModelSpending | null {
  const read = readRecords(places);
  return read.ok ? modelSpending(read.agents.flatMap((agent) => agent.records)) : null;
}

/** How what these run groups and grading reports hold was made; a report alone does not say. */
export function deviationsOfPlaces(places: readonly string[], seeds: number): string[] {
  const read = readRecords(places);
  return recordedDeviations(read.ok ? read.agents.flatMap((agent) => agent.records) : [], seeds);
}

function ownAttempts(
  records: readonly TrialRecord[],
  directionOf: (id: string) => Direction | null,
): OwnAttempt[][] {
  const competitions = new Map<string, OwnAttempt[]>();
  for (const record of records) {
    const { competitionId, grade } = record;
    const attempts = competitions.get(competitionId) ?? [];
    competitions.set(competitionId, attempts);
    const medal = grade !== null && hasMedal(grade);
    attempts.push({ ownScore: ownScore(record, directionOf(competitionId)), medal });
  }
  return [...competitions.values()];
}

/** Larger is better. A score whose direction is not the competition's measures something else and does not count. */
function ownScore({ folder }: TrialRecord, direction: Direction | null): number | null {
  const own = folder === null ? null : readMetrics(folder).metrics;
  if (own === null || (direction !== null && own.direction !== direction)) return null;
  return own.direction === "maximize" ? own.value : -own.value;
}
