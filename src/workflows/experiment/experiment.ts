import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { resolveAgent } from "../../agents/definition/load-definitions.ts";
import type { ExperimentCell } from "../../analysis/experiment/report.ts";
import { groupReport } from "../../analysis/reports.ts";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { resolveSplit } from "../../competitions/splits.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import type { SandboxKind } from "../../sandbox/kind.ts";
import { valueDigest } from "../../trials/certificate/canonical-json.ts";
import { keysFolder } from "../../trials/certificate/signing.ts";
import { groupPaths, readGroup } from "../../trials/group/folder.ts";
import type { GivenPlaces } from "../../trials/group/places.ts";
import { describeRun } from "../../trials/group/record.ts";
import { parseNetwork } from "../../trials/trial/schema.ts";
import { parseDuration } from "../../wording/durations.ts";
import type { Problem } from "../../wording/problem.ts";
import { parseSize } from "../../wording/sizes.ts";
import type { RunControl, RunOutcome, RunRequest } from "../run/request.ts";
import { gradeRun, resumeRun, startRun } from "../run/run.ts";
import type { Experiment, Options } from "./schema.ts";

/** A cell of the matrix: one run group, in the experiment's folder. */
export interface Cell extends ExperimentCell {
  /** What it is run with, apart from where things are. */
  run: CellRun;
}

type CellRun = Omit<RunRequest, "runsDir" | "dataDir" | "competitionsDir"> & { name: string };

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
          factors: { agent: agentName, budget: budgetName, setting: settingName },
          run: {
            agent: id,
            name,
            seeds,
            competitions: competitionIds,
            agentFolders: [agentsFolder(experiment)],
            ...wishesOf(options),
            ...(sign ? { signingKey: path.join(keysFolder(), "default.key") } : {}),
          },
        });
      }
  return cells;
}

function agentsFolder({ agentsDir }: Experiment): string {
  return path.resolve(agentsDir ?? process.env.MLEBENCH_AGENTS_DIR ?? "agents");
}

/** The options of a cell as a run's request has them; what the file does not say is left out. */
function wishesOf({ time, grace, memory, disk, network, root, ...same }: Options): Partial<CellRun> {
  const wishes = {
    ...same,
    timeSeconds: time === undefined ? undefined : parseDuration(time)!,
    graceSeconds: grace === undefined ? undefined : parseDuration(grace)!,
    memoryBytes: memory === undefined ? undefined : parseSize(memory)!,
    diskBytes: disk === undefined ? undefined : parseSize(disk)!,
    network: network === undefined ? undefined : parseNetwork(network)!,
    rootFolder: root,
  };
  return Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined));
}

/** The competitions that every cell runs. */
export function competitionsOf({ competitions, split }: Experiment) {
  return competitions === undefined ? resolveSplit(split!) : { ok: true as const, ids: competitions };
}

/**
 * The cells in the sandbox that the command line names, if it does. A file may choose any but `process`: whoever wrote
 * it need not be the one whose machine it is.
 */
export function inSandbox(cells: readonly Cell[], asked: SandboxKind | undefined): Cell[] | Problem {
  if (asked !== undefined) return cells.map((cell) => ({ ...cell, run: { ...cell.run, sandbox: asked } }));
  const bare = cells.find(({ run }) => run.sandbox === "process");
  if (bare === undefined) return [...cells];
  return {
    code: "NOT_ISOLATED",
    message: `The cell "${bare.name}" asks to run without isolation (sandbox: process); only you can decide that.`,
    nextStep: "take the line out; or, for agents you trust with this machine: --sandbox process",
  };
}

/** What would stop a cell hours after the first one started; null when there is nothing of that kind. */
export async function experimentProblem(
  cells: readonly Cell[],
  competitionIds: readonly string[],
  competitionsDir: string | undefined,
): Promise<string | null> {
  const names = cells.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return `Two cells are called "${twice}"; give their agents a name each.`;
  for (const { run, name } of cells) {
    const resolved = resolveAgent(run.agent, run.agentFolders ?? []);
    if (resolved.status !== "found") return resolved.message;
    if (name !== path.basename(name) || name.startsWith(".")) return `"${name}" is not a name for a folder.`;
  }
  for (const id of competitionIds)
    if ((await loadCompetition(id, competitionsDir)) === null) return `There is no competition "${id}".`;
  return null;
}

/** Version 1 kept a command line for each cell. */
const Written = z.object({ cells: z.record(z.string(), z.union([z.array(z.string()), z.looseObject({})])) });
type Written = z.infer<typeof Written>["cells"];

/**
 * Writes down what each cell is run with, and the original's table of groups. A cell that was started with something
 * else is named in the result: its trials must not be mixed with others.
 */
export function recordExperiment(folder: string, name: string, cells: readonly Cell[]): string | null {
  const file = path.join(folder, "experiment.json");
  const before = readWritten(file);
  const changed = cells.find((cell) => fs.existsSync(cell.folder) && !isSame(before[cell.name], cell));
  if (changed !== undefined) return changed.name;
  const now = Object.fromEntries(cells.map((cell) => [cell.name, cell.run]));
  const content = { schema: "mlebench/experiment", version: 2, name, cells: { ...before, ...now } };
  writeFileAtomically(file, `${JSON.stringify(content, null, 2)}\n`);
  const rows = Object.keys(content.cells).map((cell) => `${cell},${cell}\n`);
  writeFileAtomically(
    path.join(folder, "run_group_experiments.csv"),
    `experiment_id,run_group\n${rows.join("")}`,
  );
  return null;
}

/** Of a cell from version 1 the group's own plan tells what it was about. */
function isSame(before: Written[string] | undefined, { folder, run }: Cell): boolean {
  if (before === undefined) return true;
  if (!Array.isArray(before)) return valueDigest(before) === valueDigest(JSON.parse(JSON.stringify(run)));
  const group = readGroup(folder);
  if (group === null) return true;
  const { settings, trials } = group;
  return (
    settings.agentId === run.agent &&
    (run.timeSeconds === undefined || settings.timeSeconds === run.timeSeconds) &&
    trials.length === (run.seeds ?? 1) * run.competitions.length &&
    trials.every(({ competitionId }) => run.competitions.includes(competitionId))
  );
}

function readWritten(file: string): Written {
  try {
    return Written.parse(JSON.parse(fs.readFileSync(file, "utf8"))).cells;
  } catch {
    return {};
  }
}

/** `new`: never planned; `started`: trials are missing. */
function cellState({ folder }: Cell): "new" | "started" | "finished" | "graded" {
  const group = readGroup(folder);
  if (group === null) return "new";
  const missing = group.trials.some(({ id }) => describeRun(groupPaths(folder).trial(id)) === null);
  if (missing) return "started";
  return groupReport(folder).ok ? "graded" : "finished";
}

export type CellOutcome =
  | { status: "done" }
  /** Whatever `startRun` or `resumeRun` said. */
  | { status: "ran"; outcome: RunOutcome }
  | { status: "ungraded"; message: string };

/** Runs what is missing of one cell, and grades it. */
export async function runCell(
  cell: Cell,
  places: Pick<RunRequest, "runsDir" | "dataDir" | "competitionsDir">,
  control: RunControl,
): Promise<CellOutcome> {
  const state = cellState(cell);
  if (state === "graded") return { status: "done" };
  if (state === "new")
    return { status: "ran", outcome: await startRun({ ...cell.run, ...places, grade: true }, control) };
  if (state === "started")
    return {
      status: "ran",
      outcome: await resumeRun(cell.folder, { grade: true, places: placesOf(cell, places) }, control),
    };
  const { dataDir, competitionsDir, signingKey } = placesOf(cell, places);
  const { interrupted: signal } = control;
  const grading = await gradeRun(cell.folder, { dataDir, competitionsDir, signingKey, signal });
  if (grading?.status === "graded") return { status: "done" };
  return { status: "ungraded", message: grading?.problem.message ?? "it was interrupted" };
}

/** The experiment's own file says where things are, whoever planned the group. */
function placesOf({ run }: Cell, places: Pick<RunRequest, "dataDir" | "competitionsDir">): GivenPlaces {
  const located = (place: string | null | undefined) => (place ? path.resolve(place) : undefined);
  return {
    dataDir: located(places.dataDir),
    competitionsDir: located(places.competitionsDir),
    agentFolders: [...(run.agentFolders ?? [])],
    materials: located(run.materials),
    rootFolder: located(run.rootFolder),
    sandbox: run.sandbox,
    signingKey: run.signingKey,
  };
}
