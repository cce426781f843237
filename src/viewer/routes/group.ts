import path from "node:path";
import type { GridCell } from "../../analysis/overview/group-overview.ts";
import type { TrialFacts } from "../../analysis/overview/trial-facts.ts";
import { readGroup } from "../../trials/group/folder.ts";
import type { GroupSettings } from "../../trials/group/schema.ts";
import { answer, gone, type Route } from "./route.ts";
import { type GroupLine, groupLine } from "./runs.ts";

export interface GroupPage {
  group: GroupLine;
  cells: (GridCell & Partial<Omit<TrialFacts, "ledger">>)[];
  complete: boolean;
  settings: Pick<
    GroupSettings,
    "timeSeconds" | "workers" | "sandbox" | "gpus" | "competitionVersion" | "models"
  > | null;
  memoryBytes: number | null;
  cpus: number | null;
  /** Other groups, to compare with; those with the most competitions in common first. */
  others: { id: string; agent: string; common: number }[];
}

const MAX_OTHERS = 40;

export const group: Route = (store, { group: id = "" }) => {
  const found = store.group(id);
  if (found === null) return gone(`The run group ${id}`);
  const facts = store.facts(found);
  const settings = readGroup(path.join(store.runsDir, id))?.settings ?? null;
  const mine = new Set(found.cells.map(({ competitionId }) => competitionId));
  const others = store
    .groups()
    .filter((other) => other.id !== id && other.graded)
    .map((other) => ({
      id: other.id,
      agent: other.agent,
      common: new Set(
        other.cells.map(({ competitionId }) => competitionId).filter((competition) => mine.has(competition)),
      ).size,
    }))
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common)
    .slice(0, MAX_OTHERS);
  const page: GroupPage = {
    group: groupLine(store, found, facts),
    cells: found.cells.map((cell) => {
      const { ledger: _, ...known } = facts.of.get(cell.id) ?? { ledger: null };
      return { ...cell, ...known };
    }),
    complete: facts.complete,
    settings: settings && {
      timeSeconds: settings.timeSeconds,
      workers: settings.workers,
      sandbox: settings.sandbox,
      gpus: settings.gpus,
      competitionVersion: settings.competitionVersion,
      models: settings.models,
    },
    memoryBytes: settings?.memoryBytes.value ?? null,
    cpus: settings?.cpus.value ?? null,
    others,
  };
  return answer(page);
};
