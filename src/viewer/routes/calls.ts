import { ledgerLine } from "../../analysis/overview/trial-facts.ts";
import { readRows } from "../../files/window.ts";
import type { LedgerLine } from "../../models/ledger/schema.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import { answer, countOf, gone, type Route } from "./route.ts";

/** One call as a row: `[seq, time, role, model, outcome, milliseconds, first byte, tokens in, tokens out, cost, problem, toTools]`. */
export type CallRow = [
  seq: number,
  time: string,
  role: string | null,
  model: string | null,
  outcome: LedgerLine["outcome"],
  milliseconds: number,
  firstByte: number | null,
  tokensIn: number | null,
  tokensOut: number | null,
  cost: number | null,
  problem: string | null,
  /** The model asked for tools: until the next call the agent is at their work. */
  toTools: boolean,
];

export interface CallsPart {
  calls: CallRow[];
  next: number;
  more: boolean;
  /** Lines that are not calls: the last one of a killed harness, or damage. */
  unreadable: number;
}

const MAX_BYTES = 8 * 2 ** 20;

/** The model calls of a trial, from an offset of its ledger on. */
export const calls: Route = (store, { group = "", trial = "", from }) => {
  const folder = store.trialFolder(group, trial);
  if (folder === null) return gone(`The trial ${trial}`);
  const begin = countOf(from, 0);
  const { rows, next, size } = readRows(trialPaths(folder).ledger, begin, MAX_BYTES);
  const lines = rows.flatMap((row) => ledgerLine(row) ?? []);
  const heading = rows[0]?.includes('"mlebench/ledger"') ? 1 : 0;
  const part: CallsPart = {
    calls: lines.map(callRow),
    next,
    more: next < size && next > begin,
    unreadable: rows.length - heading - lines.length,
  };
  return answer(part);
};

function callRow(line: LedgerLine): CallRow {
  const { usage, milliseconds } = line;
  return [
    line.seq,
    line.time,
    line.role,
    line.model ?? line.modelAsked,
    line.outcome,
    Math.round(milliseconds.total),
    milliseconds.firstByte === null ? null : Math.round(milliseconds.firstByte),
    usage === null ? null : usage.inputUncached + usage.cacheRead + usage.cacheWrite,
    usage?.output ?? null,
    line.cost,
    line.problem?.slice(0, 300) ?? null,
    line.stopReason === "tools",
  ];
}
