import path from "node:path";
import { type AgentTurn, readAgentSummary, readAgentTurns } from "../agents/kit/agent-summary.ts";
import { readLedger } from "../models/ledger/ledger.ts";
import type { LedgerLine } from "../models/ledger/schema.ts";
import { trialPaths } from "../trials/trial/folder.ts";

/** A turn by the agent's own stream, with the calls that the gateway answered for it. */
export interface JoinedTurn extends AgentTurn {
  /** Counted from 1. */
  number: number;
  calls: Pick<LedgerLine, "seq" | "outcome" | "requestId" | "stopReason">[];
  ledgerTokens: { input: number; output: number };
}

/** What the agent counted and what the gateway counted. */
export interface TokenSums {
  own: { input: number; output: number };
  ledger: { input: number; output: number };
  /** Larger of the two differences, as a share of the ledger's sum. */
  difference: number;
  /** The provider did not say what some call took: then the ledger's sum is no measure for the agent's. */
  estimated: boolean;
}

export interface TrialTurns {
  turns: JoinedTurn[];
  /** Calls after the agent's last word: a summary nobody read, or a run that was cut. */
  unmatched: number;
  sums: TokenSums | null;
}

/** The program's line may arrive a moment before the gateway has written its own. */
const SLACK_MS = 20;

/**
 * Joins an agent's own stream with the ledger of its gateway by time: a call belongs to the first turn that was told after
 * the call had ended. The agent's times are its own word, so this is for reading, never for grading.
 */
export function joinTurns(trialFolder: string): TrialTurns {
  const { lines } = readLedger(path.join(trialPaths(trialFolder).model, "ledger.jsonl"));
  const calls = lines
    .filter(({ outcome }) => outcome !== "refused")
    .map((line) => ({ line, end: Date.parse(line.time) + line.milliseconds.total }));
  calls.sort((a, b) => a.end - b.end);
  const told = withTheirTools(readAgentTurns(trialFolder));
  let next = 0;
  const turns = told.map((turn, i): JoinedTurn => {
    const own: typeof calls = [];
    while (next < calls.length && calls[next].end <= turn.time + SLACK_MS) own.push(calls[next++]);
    return {
      ...turn,
      number: i + 1,
      calls: own.map(({ line: { seq, outcome, requestId, stopReason } }) => ({
        seq,
        outcome,
        requestId,
        stopReason,
      })),
      ledgerTokens: tokensOf(own.map(({ line }) => line)),
    };
  });
  return { turns, unmatched: calls.length - next, sums: sumsOf(trialFolder, lines) };
}

/** Some programs tell a tool's use on a line of its own: it belongs to the turn before it. */
function withTheirTools(lines: readonly AgentTurn[]): AgentTurn[] {
  const turns: AgentTurn[] = [];
  for (const line of lines) {
    const last = turns.at(-1);
    if ((line.turns ?? 0) > 0) turns.push({ ...line });
    else if (last !== undefined && line.tools !== undefined)
      last.tools = [...(last.tools ?? []), ...line.tools];
  }
  return turns;
}

/** Null where the agent keeps no count, or nothing was asked and nothing counted. */
export function sumsOf(trialFolder: string, lines?: readonly LedgerLine[]): TokenSums | null {
  const own = readAgentSummary(trialFolder)?.ownTokens ?? null;
  const all = lines ?? readLedger(path.join(trialPaths(trialFolder).model, "ledger.jsonl")).lines;
  const counted = all.filter(({ outcome }) => outcome === "answered");
  if (own === null || (own.input + own.output === 0 && counted.length === 0)) return null;
  const ledger = tokensOf(counted);
  const share = (a: number, b: number) => (b === 0 ? (a === 0 ? 0 : 1) : Math.abs(a - b) / b);
  return {
    own,
    ledger,
    difference: Math.max(share(own.input, ledger.input), share(own.output, ledger.output)),
    estimated: counted.some(({ usageSource }) => usageSource !== "reported"),
  };
}

function tokensOf(lines: readonly LedgerLine[]): { input: number; output: number } {
  let [input, output] = [0, 0];
  for (const { usage } of lines) {
    input += (usage?.inputUncached ?? 0) + (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
    output += usage?.output ?? 0;
  }
  return { input, output };
}
