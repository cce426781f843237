import { readRows } from "../../files/window.ts";
import { LedgerLine, type ModelTotals } from "../../models/ledger/schema.ts";
import { addLine, noTotals } from "../../models/ledger/totals.ts";
import { readTrial, trialPaths } from "../../trials/trial/folder.ts";
import { isolationOf, isolationText, networkText } from "../../trials/trial/isolation.ts";

/** What a list of trials says of each beyond its grade: small, since there may be ten thousand. */
export interface TrialFacts {
  startedAt: string | null;
  endedAt: string | null;
  stopReason: string | null;
  blame: string | null;
  message: string | null;
  wallSeconds: number | null;
  peakMemoryBytes: number | null;
  cpuSeconds: number | null;
  submissions: number;
  isolation: string;
  isolated: boolean | null;
  network: string;
  externalKnowledge: boolean;
  languageModels: boolean | null;
  calls: number | null;
  failedCalls: number | null;
  tokens: number | null;
  cost: number | null;
  costComplete: boolean | null;
  /** How far the ledger of a running trial has been read. */
  ledger: { offset: number; totals: ModelTotals } | null;
}

const PIECE = 4 * 2 ** 20;

/** Null where there is no record that can be used. What a running trial has spent is read on from where `before` ended. */
export function factsOf(folder: string, before: TrialFacts | null): TrialFacts | null {
  const trial = readTrial(folder);
  if (trial === null) return null;
  const { measurements, outcome, modelTotals, modelAccess, sandbox } = trial;
  const ledger =
    modelTotals === undefined && modelAccess !== undefined ? readOn(folder, before?.ledger ?? null) : null;
  const totals = modelTotals ?? ledger?.totals ?? null;
  return {
    startedAt: trial.startedAt,
    endedAt: trial.endedAt,
    stopReason: outcome?.stopReason ?? null,
    blame: outcome?.blame ?? null,
    message: outcome?.message ?? null,
    wallSeconds: measurements?.wallSeconds ?? null,
    peakMemoryBytes: measurements?.peakMemoryBytes ?? null,
    cpuSeconds: measurements?.cpuSeconds ?? null,
    submissions: trial.submissions.length,
    isolation: isolationText(trial),
    isolated: sandbox.policy === null ? null : isolationOf(sandbox.policy).isolated,
    network: networkText(trial),
    externalKnowledge: trial.externalKnowledge,
    languageModels: modelAccess?.roles.every(({ languageModel }) => languageModel) ?? null,
    calls: totals === null ? null : totals.calls - totals.refused,
    failedCalls: totals?.failed ?? null,
    tokens: totals?.tokens.total ?? null,
    cost: totals?.cost ?? null,
    costComplete: totals?.complete ?? null,
    ledger,
  };
}

function readOn(folder: string, before: TrialFacts["ledger"]): TrialFacts["ledger"] {
  const file = trialPaths(folder).ledger;
  let { offset, totals } = before ?? { offset: 0, totals: noTotals() };
  for (;;) {
    const { rows, next } = readRows(file, offset, PIECE);
    if (next < offset) totals = noTotals();
    if (next === offset) return { offset: next, totals };
    for (const row of rows) {
      const line = ledgerLine(row);
      if (line !== null) totals = addLine(totals, line);
    }
    offset = next;
  }
}

/** Null for the heading and for what is not a call. */
export function ledgerLine(row: string): LedgerLine | null {
  try {
    const parsed = LedgerLine.safeParse(JSON.parse(row));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
