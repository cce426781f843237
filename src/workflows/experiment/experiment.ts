import path from "node:path";
import { resolveAgent } from "../../agents/definition/load-definitions.ts";
import type { ExperimentCell } from "../../analysis/experiment/report.ts";
import { groupReport } from "../../analysis/reports.ts";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { resolveSplit } from "../../competitions/splits.ts";
import { USUAL_ACCESS } from "../../models/settings.ts";
import type { SandboxKind } from "../../sandbox/kind.ts";
import { keysFolder } from "../../trials/certificate/signing.ts";
import { groupPaths, readGroup } from "../../trials/group/folder.ts";
import type { GivenPlaces } from "../../trials/group/places.ts";
import { describeRun } from "../../trials/group/record.ts";
import { parseNetwork } from "../../trials/trial/schema.ts";
import { parseDuration } from "../../wording/durations.ts";
import type { Problem } from "../../wording/problem.ts";
import { parseSize } from "../../wording/sizes.ts";
import { gradeRun } from "../run/grade.ts";
import { missingModel, modelsProblem } from "../run/models.ts";
import type { RunControl, RunOutcome, RunRequest } from "../run/request.ts";
import { resumeRun, startRun } from "../run/run.ts";
import type { Experiment, Options } from "./schema.ts";

/** A cell of the matrix: one run group, in the experiment's folder. */
export interface Cell extends ExperimentCell {
  /** What it is run with, apart from where things are. */
  run: CellRun;
}

type CellRun = Omit<RunRequest, "runsDir" | "dataDir" | "competitionsDir"> & { name: string };

/** Agents × models × budgets × settings. A dimension that the file does not name does not show in the cells' names. */
export function cellsOf(experiment: Experiment, folder: string, competitionIds: readonly string[]): Cell[] {
  const { defaults, agents, models = [null], budgets = [null], settings = [null], seeds, sign } = experiment;
  const combinations = agents.flatMap((agent) =>
    models.flatMap((model) =>
      budgets.flatMap((budget) => settings.map((setting) => ({ agent, model, budget, setting }))),
    ),
  );
  return combinations.map(({ agent, model, budget, setting }) => {
    const {
      id,
      name: agentName = id.replaceAll("/", "-"),
      ...own
    } = typeof agent === "string" ? { id: agent } : agent;
    const { name: modelName = null, ...modelOptions } = modelVariant(model);
    const { name: budgetName = null, ...budgetOptions } = budget ?? {};
    const { name: settingName = null, ...settingOptions } = setting ?? {};
    const parts = [agentName, modelName, budgetName, settingName];
    const name = parts.filter((part) => part !== null).join("_");
    const options = { ...defaults, ...own, ...modelOptions, ...budgetOptions, ...settingOptions };
    return {
      name,
      folder: path.join(folder, name),
      factors: { agent: agentName, model: modelName, budget: budgetName, setting: settingName },
      run: {
        agent: id,
        name,
        seeds,
        competitions: competitionIds,
        agentFolders: [agentsFolder(experiment)],
        ...wishesOf(options),
        ...(sign ? { signingKey: path.join(keysFolder(), "default.key") } : {}),
      },
    };
  });
}

/** `simulated:steady` is called simulated-steady in names of folders. */
function modelVariant(model: NonNullable<Experiment["models"]>[number] | null): Options & { name?: string } {
  if (model === null) return {};
  if (typeof model !== "string") return model;
  return {
    name: model.replaceAll(/[^A-Za-z0-9.-]+/g, "-").replace(/^[.-]+/, ""),
    models: { default: model },
  };
}

function agentsFolder({ agentsDir }: Experiment): string {
  return path.resolve(agentsDir ?? process.env.MLEBENCH_AGENTS_DIR ?? "agents");
}

/** The options of a cell as a run's request has them; what the file does not say is left out. */
function wishesOf(options: Options): Partial<CellRun> {
  const { time, grace, memory, disk, network, root, ...others } = options;
  const { modelsFile, maxCost, maxTokens, maxCalls, ...same } = others;
  const limits = { cost: maxCost, tokens: maxTokens, calls: maxCalls };
  const asked = [modelsFile, maxCost, maxTokens, maxCalls].some((value) => value !== undefined);
  const wishes = {
    ...same,
    timeSeconds: time === undefined ? undefined : parseDuration(time)!,
    graceSeconds: grace === undefined ? undefined : parseDuration(grace)!,
    memoryBytes: memory === undefined ? undefined : parseSize(memory)!,
    diskBytes: disk === undefined ? undefined : parseSize(disk)!,
    network: network === undefined ? undefined : parseNetwork(network)!,
    rootFolder: root,
    modelAccess: asked
      ? { modelsFile: modelsFile ?? null, trialLimits: withoutUndefined(limits) }
      : undefined,
  };
  return withoutUndefined(wishes);
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>;
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
    const { models = {}, modelAccess = {} } = run;
    const roles = { ...resolved.agent.models, ...models };
    const wrong =
      missingModel(resolved.agent, { ...run, runsDir: "" }) ??
      (await modelsProblem({ models: roles, modelAccess: { ...USUAL_ACCESS, ...modelAccess } }));
    if (wrong !== null) return `${name}: ${wrong.message}`;
    if (name !== path.basename(name) || name.startsWith(".")) return `"${name}" is not a name for a folder.`;
  }
  for (const id of competitionIds)
    if ((await loadCompetition(id, competitionsDir)) === null)
      return `There is no competition "${id}"${competitionsDir ? ` in the package or in ${competitionsDir}` : "; if it is one of your own, name its folder: --competitions"}.`;
  return null;
}

/** What all others are compared with must be one of them. */
export function againstProblem(against: string | undefined, cells: readonly Cell[]): string | null {
  const names = [...new Set(cells.flatMap(({ factors }) => Object.values(factors)))].filter(
    (one) => one !== null,
  );
  if (against === undefined || names.includes(against)) return null;
  return `"against: ${against}" names no agent, model, budget or setting of this experiment; there are ${names.join(", ")}.`;
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
