import fs from "node:fs";
import path from "node:path";
import type { Spending } from "../../models/budget.ts";
import { readLedger } from "../../models/ledger/ledger.ts";
import { readTrial, trialPaths } from "../trial/folder.ts";
import { groupPaths } from "./folder.ts";
import type { RunGroup } from "./schema.ts";

/** What a group's trials have spent on models so far, earlier attempts included: the money is gone all the same. */
export function spentByGroup(folder: string, { trials }: RunGroup): Spending {
  return spentIn(
    trials.flatMap(({ id }) => {
      const paths = trialPaths(groupPaths(folder).trial(id));
      const attempts = fs.existsSync(paths.attempts) ? fs.readdirSync(paths.attempts) : [];
      const folders = [
        ...attempts.sort((a, b) => Number(a) - Number(b)).map((name) => path.join(paths.attempts, name)),
        paths.folder,
      ];
      // An attempt that goes on from another one begins with its ledger.
      return folders
        .filter((_, at) => folders[at + 1] === undefined || !isContinued(folders[at + 1]))
        .map((place) => path.join(place, "model"));
    }),
  );
}

const isContinued = (folder: string) => (readTrial(folder)?.continuations ?? 0) > 0;

/** What the ledgers in these folders come to. */
export function spentIn(folders: readonly string[]): Spending {
  const spent = { cost: 0, tokens: 0, calls: 0 };
  for (const folder of folders)
    for (const { outcome, usage, cost } of readLedger(path.join(folder, "ledger.jsonl")).lines) {
      if (outcome === "refused") continue;
      spent.calls++;
      spent.cost += cost ?? 0;
      if (usage !== null)
        spent.tokens += usage.inputUncached + usage.cacheRead + usage.cacheWrite + usage.output;
    }
  return spent;
}
