import { sumTotals } from "../models/ledger/totals.ts";
import { plural } from "../wording/counts.ts";
import { NOT_A_MODEL } from "../wording/language-models.ts";
import type { TrialRecord } from "./trial-records.ts";

/** What the trials of an agent asked of models, all together. */
export interface ModelSpending {
  /** Trials whose run named models. */
  trials: number;
  /** `anthropic:claude-sonnet-5`, …; in the order of the roles. */
  models: string[];
  /** False: some are scripted, simulated or echo; what came out is not a language model's result. */
  languageModels: boolean;
  calls: number;
  tokens: number;
  /** USD; null where nothing is known. */
  cost: number | null;
  /** False: some calls have no price or no usage of the provider's own; the cost is then at least what it says. */
  complete: boolean;
  /** Trials that ended because they had spent what they may. */
  endedByBudget: number;
}

/** Null when no trial has a record of models. */
export function modelSpending(records: readonly TrialRecord[]): ModelSpending | null {
  const trials = records.flatMap(({ trial }) =>
    trial?.modelTotals !== undefined && trial.modelAccess !== undefined
      ? [{ totals: trial.modelTotals, access: trial.modelAccess, outcome: trial.outcome }]
      : [],
  );
  if (trials.length === 0) return null;
  const totals = sumTotals(trials.map((trial) => trial.totals));
  const roles = trials.flatMap(({ access }) => access.roles);
  return {
    trials: trials.length,
    models: [...new Set(roles.map(({ name }) => name))],
    languageModels: roles.every(({ languageModel }) => languageModel),
    calls: totals.calls - totals.refused,
    tokens: totals.tokens.total,
    cost: totals.cost,
    complete: totals.complete,
    endedByBudget: trials.filter(({ outcome }) => outcome?.stopReason === "budget").length,
  };
}

/** In a sentence, for every kind of report. */
export function spendingText(spending: ModelSpending): string {
  const { models, calls, tokens, trials, endedByBudget, languageModels } = spending;
  return [
    `${models.join(", ")}: ${plural(calls, "call")}, ${plural(tokens, "token")}, ${costText(spending)} in ${plural(trials, "trial")}`,
    ...(endedByBudget > 0 ? [`${endedByBudget} ended by their budget`] : []),
    ...(languageModels ? [] : [NOT_A_MODEL]),
  ].join("; ");
}

/** A cost is never shown without saying whether it is all of it. */
export function costText({ cost, complete }: Pick<ModelSpending, "cost" | "complete">): string {
  if (cost === null) return "cost unknown (incomplete)";
  const text = `$${cost < 0.1 && cost > 0 ? cost.toPrecision(2) : cost.toFixed(2)}`;
  return complete ? text : `at least ${text} (incomplete)`;
}
