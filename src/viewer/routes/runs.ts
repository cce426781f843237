import path from "node:path";
import type { CellState, GroupOverview } from "../../analysis/overview/group-overview.ts";
import type { Facts, Store } from "../store.ts";
import { answer, type Route } from "./route.ts";
import { type Running, runningTrials } from "./running.ts";

/** A group as a line of the first page. */
export interface GroupLine extends Omit<GroupOverview, "cells"> {
  trials: number;
  competitions: number;
  seeds: number;
  finished: number;
  counts: Partial<Record<CellState, number>>;
  cost: number | null;
  costComplete: boolean;
  calls: number;
  /** Trials that ran as a plain process and could have read the answers; null while not all were looked at. */
  unisolated: number | null;
  /** False: a trial's model was scripted, simulated or an echo. Null: no trial that was looked at named a model. */
  languageModels: boolean | null;
  /** Who is to blame for trials that did not end by themselves, and how often. */
  blamed: Record<string, number>;
  startedAt: string | null;
  running: Running[];
}

export interface RunsPage {
  runsDir: string;
  /** False while trials are still being looked at: costs and blame come with them. */
  complete: boolean;
  groups: GroupLine[];
}

export const runs: Route = (store) => {
  const groups = store.groups().map((group) => {
    const facts = store.facts(group);
    return { line: groupLine(store, group, facts), complete: facts.complete };
  });
  const page: RunsPage = {
    runsDir: path.basename(store.runsDir),
    complete: groups.every(({ complete }) => complete),
    groups: groups
      .map(({ line }) => line)
      .sort((a, b) => (b.createdAt ?? "").localeCompare(a.createdAt ?? "") || a.id.localeCompare(b.id)),
  };
  return answer(page);
};

export function groupLine(store: Store, group: GroupOverview, facts: Facts): GroupLine {
  const { cells, ...rest } = group;
  const counts: GroupLine["counts"] = {};
  for (const { state } of cells) counts[state] = (counts[state] ?? 0) + 1;
  const perCompetition = new Map<string, number>();
  for (const { competitionId } of cells)
    perCompetition.set(competitionId, (perCompetition.get(competitionId) ?? 0) + 1);
  const known = [...facts.of.values()];
  const blamed: Record<string, number> = {};
  for (const { blame } of known) if (blame !== null) blamed[blame] = (blamed[blame] ?? 0) + 1;
  const models = known.flatMap(({ languageModels }) => languageModels ?? []);
  const costs = known.flatMap(({ cost }) => cost ?? []);
  return {
    ...rest,
    trials: cells.length,
    competitions: perCompetition.size,
    seeds: Math.max(0, ...perCompetition.values()),
    finished: cells.filter(({ finished }) => finished).length,
    counts,
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    costComplete: facts.complete && known.every(({ costComplete }) => costComplete !== false),
    calls: known.reduce((sum, { calls }) => sum + (calls ?? 0), 0),
    unisolated: facts.complete ? known.filter(({ isolated }) => isolated === false).length : null,
    languageModels: models.length === 0 ? null : models.every((real) => real),
    blamed,
    startedAt: known.reduce<string | null>(
      (first, { startedAt }) =>
        startedAt !== null && (first === null || startedAt < first) ? startedAt : first,
      null,
    ),
    running: runningTrials(store, group, facts),
  };
}
