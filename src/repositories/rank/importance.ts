import type { CallEdge } from "../graphs/call-graph.ts";
import { betweenness, pageRank } from "../graphs/centrality.ts";
import type { ModuleGraph } from "../graphs/module-graph.ts";
import type { Module } from "../graphs/modules.ts";
import type { History } from "../source/git-history.ts";

/** How much a module matters, from 0 to 10, and what it is made of (each from 0 to 1). */
export interface Importance {
  total: number;
  usage: number;
  dependency: number;
  complexity: number;
  semantic: number;
  /** Null without a history. */
  history: number | null;
}

/** RepoMaster's weights. Their sum is not 10, and without git there is no history: so the sum in use is scaled to 10. */
const WEIGHTS = { usage: 2, dependency: 3, complexity: 1, semantic: 0.5, history: 4 };
const SEMANTIC =
  /main|core|engine|api|service|controller|manager|model|train|predict|inference|pipeline|handler|processor|factory|server|run/i;
const COMMON = /^(__init__|app|config|utils|settings|constants|helpers|common|base)$/;
const YEAR = 365 * 86_400;

export function importanceOf(
  modules: readonly Module[],
  graph: ModuleGraph,
  calls: readonly CallEdge[],
  history: History | null,
): Importance[] {
  const rank = pageRank(graph.imports);
  const between = betweenness(graph.imports);
  const callsFromOutside = new Float64Array(modules.length);
  for (const { fromModule, toModule } of calls) if (fromModule !== toModule) callsFromOutside[toModule]++;
  return modules.map((module, index) => {
    const parts = {
      usage: 0.5 * share(graph.importedBy[index].length, 5) + 0.5 * share(callsFromOutside[index], 20),
      dependency: dependency(
        graph.importedBy[index].length,
        graph.imports[index].length,
        rank[index],
        between[index],
      ),
      complexity: Math.min(share(module.outline.branches, 50) + 0.3 * share(module.outline.nesting, 10), 1),
      semantic: semantic(module.path),
      history: history ? historyOf(module.path, history) : null,
    };
    return { total: total(parts), ...parts };
  });
}

const share = (value: number, full: number) => Math.min(value / full, 1);

/** A module that many need and that needs little is a foundation; one with both is a hub. */
function dependency(needed: number, needs: number, rank: number, between: number): number {
  const weighted =
    0.5 * share(needed, 5) +
    0.2 * share(needs, 10) +
    0.6 * Math.min(10 * rank, 1) +
    0.4 * Math.min(10 * between, 1);
  const bonus = needed > 2 ? (needs <= 1 ? 0.3 : needs > 2 ? 0.2 : 0) : 0;
  return Math.min(weighted / 1.7 + bonus, 1);
}

function semantic(file: string): number {
  const parts = file.replace(/\.\w+$/, "").split("/");
  const name = parts.pop() ?? "";
  const own =
    (SEMANTIC.test(name) ? 0.3 : 0) +
    (/^(__)?main(__)?$/.test(name) ? 0.7 : 0) +
    (COMMON.test(name) ? 0.5 : 0);
  const folders = parts.filter((part) => SEMANTIC.test(part)).length * 0.15;
  return Math.min(own + folders, 1);
}

function historyOf(file: string, { files, newest }: History): number {
  const known = files.get(file);
  if (!known) return 0;
  return 0.7 * share(known.commits, 20) + 0.3 * Math.max(0, 1 - (newest - known.last) / YEAR);
}

function total(parts: Omit<Importance, "total">): number {
  let sum = 0;
  let weights = 0;
  for (const [name, weight] of Object.entries(WEIGHTS) as [keyof typeof WEIGHTS, number][]) {
    const value = parts[name];
    if (value === null) continue;
    sum += weight * value;
    weights += weight;
  }
  return (10 * sum) / weights;
}
