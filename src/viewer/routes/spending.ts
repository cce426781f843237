import path from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { ledgerLine } from "../../analysis/overview/trial-facts.ts";
import { readRows } from "../../files/window.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import { answer, gone, type Route } from "./route.ts";

export interface SpendingLine {
  model: string;
  role: string;
  calls: number;
  failed: number;
  refused: number;
  tokensIn: number;
  tokensOut: number;
  cost: number;
  /** Calls whose cost nobody knows. */
  unpriced: number;
  seconds: number;
  slowest: number;
}

export interface NotableCall {
  trial: string;
  seq: number;
  model: string;
  role: string;
  outcome: string;
  seconds: number;
  problem: string | null;
}

export interface SpendingPage {
  lines: SpendingLine[];
  slow: NotableCall[];
  failed: NotableCall[];
  trials: number;
  /** More calls than are counted here. */
  cut: boolean;
}

const MAX_CALLS = 200_000;
const MAX_NOTABLE = 25;
const PIECE = 4 * 2 ** 20;

/** Model calls across a group: what they cost by model and role, which were slow and which failed. */
export const spending: Route = async (store, { group: id = "" }) => {
  const group = store.group(id);
  if (group === null) return gone(`The run group ${id}`);
  const lines = new Map<string, SpendingLine>();
  const slow: NotableCall[] = [];
  const failed: NotableCall[] = [];
  let counted = 0;
  let trials = 0;
  for (const { id: trial } of group.cells) {
    const file = trialPaths(path.join(store.runsDir, id, trial)).ledger;
    let found = false;
    for (let offset = 0; counted < MAX_CALLS; ) {
      const { rows, next } = readRows(file, offset, PIECE);
      // A line too long to be a call is passed over: others come behind it.
      if (next <= offset) break;
      offset = next;
      for (const row of rows) {
        const call = ledgerLine(row);
        if (call === null) continue;
        found = true;
        counted++;
        const [model, role] = [call.model ?? call.modelAsked ?? "unknown", call.role ?? "none"];
        const seconds = call.milliseconds.total / 1000;
        const line = lines.get(`${model}\n${role}`) ?? emptyLine(model, role);
        lines.set(`${model}\n${role}`, line);
        line.calls++;
        if (call.outcome === "failed" || call.outcome === "cancelled") line.failed++;
        if (call.outcome === "refused") line.refused++;
        line.tokensIn +=
          (call.usage?.inputUncached ?? 0) + (call.usage?.cacheRead ?? 0) + (call.usage?.cacheWrite ?? 0);
        line.tokensOut += call.usage?.output ?? 0;
        line.cost += call.cost ?? 0;
        if (call.usage !== null && call.cost === null) line.unpriced++;
        line.seconds += seconds;
        line.slowest = Math.max(line.slowest, seconds);
        const notable = {
          ...{ trial, seq: call.seq, model, role, outcome: call.outcome, seconds },
          problem: call.problem?.slice(0, 300) ?? null,
        };
        if (call.outcome !== "answered") failed.push(notable);
        else if (slow.length < MAX_NOTABLE || seconds > slow[slow.length - 1].seconds) {
          slow.push(notable);
          slow.sort((a, b) => b.seconds - a.seconds);
          slow.length = Math.min(slow.length, MAX_NOTABLE);
        }
      }
      await breathe();
    }
    if (found) trials++;
  }
  const page: SpendingPage = {
    lines: [...lines.values()].sort((a, b) => b.cost - a.cost || b.calls - a.calls),
    slow,
    failed: failed.slice(-MAX_NOTABLE).reverse(),
    trials,
    cut: counted >= MAX_CALLS,
  };
  return answer(page);
};

function emptyLine(model: string, role: string): SpendingLine {
  return {
    ...{ model, role, calls: 0, failed: 0, refused: 0, tokensIn: 0, tokensOut: 0 },
    ...{ cost: 0, unpriced: 0, seconds: 0, slowest: 0 },
  };
}
