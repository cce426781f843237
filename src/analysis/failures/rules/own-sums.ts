import { countText } from "../../../wording/counts.ts";
import { sumsOf } from "../../turns.ts";
import type { Evidence, TrialView } from "../view.ts";

/** Programs round, and count a cancelled call differently; beyond this somebody counts something else. */
const TOLERATED_SHARE = 0.02;

/**
 * The agent's own count of tokens against the gateway's ledger: one of them misses calls, the agent reads its program's stream no
 * longer, or it has asked somebody else than its gateway.
 */
export function ownSums({ record: { folder, trial } }: TrialView): Evidence[] {
  // A run that was cut short could not write its last count.
  if (folder === null || trial?.modelTotals === undefined || trial.outcome?.stopReason !== "exited")
    return [];
  const sums = sumsOf(folder);
  if (sums === null || sums.estimated || sums.difference <= TOLERATED_SHARE) return [];
  const { own, ledger } = sums;
  const text = `counted ${countText(own.input)} tokens in and ${countText(own.output)} out; the gateway ${countText(ledger.input)} and ${countText(ledger.output)}`;
  return [{ source: "log", where: "logs/coding-agent.json", text }];
}
