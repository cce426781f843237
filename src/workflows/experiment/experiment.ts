import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { resolveAgent } from "../../agents/definition/load-definitions.ts";
import type { ExperimentCell } from "../../analysis/experiment/report.ts";
import { groupReport } from "../../analysis/reports.ts";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { resolveSplit } from "../../competitions/splits.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { fileTimestamp } from "../../grading/report.ts";
import { DEFAULT_LIMITS } from "../../table/csv/layout.ts";
import { groupPaths, readGroup } from "../../trials/group/folder.ts";
import { gradeGroup } from "../../trials/group/grade.ts";
import { describeRun } from "../../trials/group/record.ts";
import type { Experiment, Options } from "./schema.ts";

/** A cell of the matrix: one run group, in the experiment's folder. */
export interface Cell extends ExperimentCell {
  agentId: string;
  /** What `mlebench run` is called with, apart from where things are. */
  runArguments: string[];
}

/** Agents × budgets × settings. A dimension that the file does not name does not show in the cells' names. */
export function cellsOf(experiment: Experiment, folder: string, competitionIds: readonly string[]): Cell[] {
  const { defaults, agents, budgets = [null], settings = [null], seeds, sign } = experiment;
  const cells: Cell[] = [];
  for (const agent of agents.map((one) => (typeof one === "string" ? { id: one } : one)))
    for (const budget of budgets)
      for (const setting of settings) {
        const { id, name: agentName = id.replaceAll("/", "-"), ...own } = agent;
        const { name: budgetName = null, ...budgetOptions } = budget ?? {};
        const { name: settingName = null, ...settingOptions } = setting ?? {};
        const name = [agentName, budgetName, settingName].filter((part) => part !== null).join("_");
        const options = { ...defaults, ...own, ...budgetOptions, ...settingOptions };
        cells.push({
          name,
          folder: path.join(folder, name),
          agentId: id,
          factors: { agent: agentName, budget: budgetName, setting: settingName },
          runArguments: [
            ...["--agent", id, "--name", name, "--seeds", String(seeds)],
            ...["--competition", ...competitionIds],
            ...optionArguments(options),
            ...(experiment.agentsDir === undefined ? [] : ["--agents-dir", experiment.agentsDir]),
            ...(sign ? ["--sign"] : []),
          ],
        });
      }
  return cells;
}

const FLAGS: Record<keyof Options, string> = {
  time: "--time-limit",
  grace: "--grace",
  memory: "--memory",
  disk: "--disk",
  cpus: "--cpus",
  gpus: "--gpus",
  processes: "--processes",
  workers: "--workers",
  sandbox: "--sandbox",
  image: "--image",
  root: "--root",
  network: "--network",
  materials: "--materials",
  competitionVersion: "--competition-version",
};

function optionArguments(options: Options): string[] {
  return Object.entries(options).flatMap(([key, value]) => [FLAGS[key as keyof Options], String(value)]);
}

/** The competitions that every cell runs. */
export function competitionsOf({ competitions, split }: Experiment) {
  return competitions === undefined ? resolveSplit(split!) : { ok: true as const, ids: competitions };
}

/** What would stop a cell hours after the first one started; null when there is nothing of that kind. */
export async function experimentProblem(
  cells: readonly Cell[],
  competitionIds: readonly string[],
  agentFolders: readonly string[],
  competitionsDir: string | undefined,
): Promise<string | null> {
  const names = cells.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return `Two cells are called "${twice}"; give their agents a name each.`;
  for (const { agentId, name } of cells) {
    const resolved = resolveAgent(agentId, agentFolders);
    if (resolved.status !== "found") return resolved.message;
    if (name !== path.basename(name) || name.startsWith(".")) return `"${name}" is no name for a folder.`;
  }
  for (const id of competitionIds)
    if ((await loadCompetition(id, competitionsDir)) === null) return `There is no competition "${id}".`;
  return null;
}

const Written = z.object({ cells: z.record(z.string(), z.array(z.string())) });

/**
 * Writes down what each cell is run with, and the original's table of groups. A cell that was started with something
 * else is named in the result: its trials must not be mixed with others.
 */
export function recordExperiment(folder: string, name: string, cells: readonly Cell[]): string | null {
  const file = path.join(folder, "experiment.json");
  const before = readWritten(file);
  const changed = cells.find(
    (cell) =>
      before[cell.name] !== undefined &&
      fs.existsSync(cell.folder) &&
      JSON.stringify(before[cell.name]) !== JSON.stringify(cell.runArguments),
  );
  if (changed !== undefined) return changed.name;
  const now = Object.fromEntries(cells.map((cell) => [cell.name, cell.runArguments]));
  const content = { schema: "mlebench/experiment", version: 1, name, cells: { ...before, ...now } };
  writeFileAtomically(file, `${JSON.stringify(content, null, 2)}\n`);
  const rows = Object.keys(content.cells).map((cell) => `${cell},${cell}\n`);
  writeFileAtomically(
    path.join(folder, "run_group_experiments.csv"),
    `experiment_id,run_group\n${rows.join("")}`,
  );
  return null;
}

function readWritten(file: string): Record<string, string[]> {
  try {
    return Written.parse(JSON.parse(fs.readFileSync(file, "utf8"))).cells;
  } catch {
    return {};
  }
}

/** `new`: never planned; `started`: trials are missing. */
export function cellState({ folder }: Cell): "new" | "started" | "finished" | "graded" {
  const group = readGroup(folder);
  if (group === null) return "new";
  const missing = group.trials.some(({ id }) => describeRun(groupPaths(folder).trial(id)) === null);
  if (missing) return "started";
  return groupReport(folder).ok ? "graded" : "finished";
}

/** Grades what a cell has finished. A sentence when it cannot be. */
export async function gradeCell({ folder }: Cell, dataDir: string | undefined): Promise<string | null> {
  const outcome = await gradeGroup(folder, {
    dataDir,
    limits: DEFAULT_LIMITS,
    reportFile: (group, now) => path.join(group, `${fileTimestamp(now)}_grading_report.json`),
  });
  return outcome.status === "graded" ? null : outcome.problem.message;
}
