import fs from "node:fs";
import path from "node:path";
import type { Spending } from "../../models/budget.ts";
import { readLedger } from "../../models/ledger/ledger.ts";
import { trialPaths } from "../trial/folder.ts";
import { groupPaths } from "./folder.ts";
import type { RunGroup } from "./schema.ts";

/** What a group's trials have spent on models so far, earlier attempts included: the money is gone all the same. */
export function spentByGroup(folder: string, { trials }: RunGroup): Spending {
  const spent = { cost: 0, tokens: 0, calls: 0 };
  for (const { id } of trials) {
    const paths = trialPaths(groupPaths(folder).trial(id));
    const attempts = fs.existsSync(paths.attempts) ? fs.readdirSync(paths.attempts) : [];
    const places = [paths.model, ...attempts.map((attempt) => path.join(paths.attempts, attempt, "model"))];
    for (const place of places)
      for (const { outcome, usage, cost } of readLedger(path.join(place, "ledger.jsonl")).lines) {
        if (outcome === "refused") continue;
        spent.calls++;
        spent.cost += cost ?? 0;
        if (usage !== null)
          spent.tokens += usage.inputUncached + usage.cacheRead + usage.cacheWrite + usage.output;
      }
  }
  return spent;
}
