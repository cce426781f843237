import type { LedgerLine, ModelTotals } from "./schema.ts";

export function noTotals(): ModelTotals {
  return {
    calls: 0,
    answered: 0,
    failed: 0,
    refused: 0,
    cancelled: 0,
    retries: 0,
    tokens: { inputUncached: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0, total: 0 },
    cost: 0,
    complete: true,
    waiting: 0,
    thinking: 0,
  };
}

/** Adds one call. A cost that is not known makes the sum incomplete, never smaller. */
export function addLine(before: ModelTotals, line: LedgerLine): ModelTotals {
  const { usage } = line;
  const reached = line.outcome !== "refused";
  const unknown = reached && usage !== null && line.cost === null;
  const unmetered = line.usageSource === "estimated" || (line.outcome === "answered" && usage === null);
  const tokens = { ...before.tokens };
  if (usage !== null) {
    tokens.inputUncached += usage.inputUncached;
    tokens.cacheRead += usage.cacheRead;
    tokens.cacheWrite += usage.cacheWrite;
    tokens.output += usage.output;
    tokens.reasoning += usage.reasoning;
    tokens.total += usage.inputUncached + usage.cacheRead + usage.cacheWrite + usage.output;
  }
  return {
    calls: before.calls + 1,
    answered: before.answered + (line.outcome === "answered" ? 1 : 0),
    failed: before.failed + (line.outcome === "failed" ? 1 : 0),
    refused: before.refused + (line.outcome === "refused" ? 1 : 0),
    cancelled: before.cancelled + (line.outcome === "cancelled" ? 1 : 0),
    retries: before.retries + line.retries,
    tokens,
    cost: unknown ? knownSoFar(before) : line.cost === null ? before.cost : (before.cost ?? 0) + line.cost,
    complete: before.complete && !unknown && !unmetered,
    waiting: before.waiting + line.milliseconds.waiting,
    thinking: before.thinking + Math.max(0, line.milliseconds.total - line.milliseconds.waiting),
  };
}

/** A sum of which nothing is known is not 0. */
function knownSoFar({ cost }: ModelTotals): number | null {
  return cost === 0 ? null : cost;
}

export function sumTotals(all: readonly ModelTotals[]): ModelTotals {
  return all.reduce((sum, one) => {
    const tokens = { ...sum.tokens };
    for (const name of Object.keys(tokens) as (keyof typeof tokens)[]) tokens[name] += one.tokens[name];
    const bothUnknown = one.cost === null && knownSoFar(sum) === null;
    return {
      calls: sum.calls + one.calls,
      answered: sum.answered + one.answered,
      failed: sum.failed + one.failed,
      refused: sum.refused + one.refused,
      cancelled: sum.cancelled + one.cancelled,
      retries: sum.retries + one.retries,
      tokens,
      cost: bothUnknown ? null : (sum.cost ?? 0) + (one.cost ?? 0),
      complete: sum.complete && one.complete,
      waiting: sum.waiting + one.waiting,
      thinking: sum.thinking + one.thinking,
    };
  }, noTotals());
}
