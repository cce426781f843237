import path from "node:path";
import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { dataFolder } from "../../data/place/data-folder.ts";
import type { Machine } from "../../executors/machine.ts";
import { USUAL_ACCESS } from "../../models/settings.ts";
import type { LimitName } from "../../sandbox/sandbox.ts";
import type { GroupSettings } from "../../trials/group/schema.ts";
import { usualSettings } from "../../trials/group/usual-settings.ts";
import type { RunRequest } from "./request.ts";

/** Settings that do not depend on where the agent will run. */
export type PlacelessSettings = Omit<GroupSettings, "sandbox" | "image" | "rootFolder">;

/** What was asked for wins over the agent's own wish, and that over what everybody gets. Only the first is required. */
export function settingsFor(
  request: RunRequest,
  agent: AgentDefinition,
  machine: Machine,
): PlacelessSettings {
  const workers = workersOf(request);
  const gpus =
    request.gpus === "all" ? Math.floor(machine.gpus.length / shares(request)) : (request.gpus ?? 0);
  const usual = usualSettings({
    agent,
    agentFolders: (request.agentFolders ?? []).map((folder) => path.resolve(folder)),
    dataDir: dataFolder(request.dataDir),
    workers: shares(request),
    machine: request.executor === "slurm" ? partOfNode(machine, gpus) : machine,
  });
  const limit = (given: number | undefined, wish: { value: number; required: boolean }) =>
    given === undefined ? wish : { value: given, required: true };
  const located = (place: string | undefined) => (place === undefined ? null : path.resolve(place));
  return {
    ...usual,
    workers,
    competitionVersion: request.competitionVersion ?? usual.competitionVersion,
    competitionsDir: located(request.competitionsDir),
    network: request.network ?? null,
    timeSeconds: request.timeSeconds ?? usual.timeSeconds,
    timeSecondsOf: { ...request.timeSecondsOf },
    graceSeconds: request.graceSeconds ?? usual.graceSeconds,
    memoryBytes: limit(request.memoryBytes, usual.memoryBytes),
    memoryBytesOf: { ...request.memoryBytesOf },
    cpus: limit(request.cpus, usual.cpus),
    processes: limit(request.processes, usual.processes),
    diskBytes: limit(request.diskBytes, usual.diskBytes),
    gpus,
    materials: located(request.materials),
    ...((request.show ?? []).length === 0
      ? {}
      : { show: request.show!.map((folder) => path.resolve(folder)) }),
    snapshotMinutes: request.snapshotMinutes ?? usual.snapshotMinutes,
    retain: request.retain === true,
    signingKey: located(request.signingKey),
    executor: request.executor ?? "local",
    ...(request.executor === "slurm" ? { slurm: { ...request.slurm } } : {}),
    ...modelsOf(request, agent),
    ...(request.obfuscate ? { obfuscate: true } : {}),
    ...(request.until === undefined ? {} : { until: request.until }),
  };
}

/** Trials at a time. Slurm knows itself how many it can run. */
export function workersOf({ workers, executor, competitions, seeds = 1 }: RunRequest): number {
  return workers ?? (executor === "slurm" ? competitions.length * seeds : 1);
}

/** Among how many trials one machine is shared. Slurm shares its nodes by what each trial asks for. */
function shares(request: RunRequest): number {
  return request.executor === "slurm" ? 1 : workersOf(request);
}

/** A trial with one of a node's four GPUs gets a quarter of its processors and memory; one without any gets it all. */
function partOfNode(machine: Machine, gpus: number): Machine {
  if (gpus === 0 || gpus >= machine.gpus.length) return machine;
  const part = gpus / machine.gpus.length;
  const memoryBytes = Math.floor(machine.memoryBytes * part);
  return { ...machine, cpus: Math.max(1, Math.floor(machine.cpus * part)), memoryBytes };
}

/** A run may be resumed from another folder, so files are named in full. */
function modelsOf(
  { models, modelAccess }: RunRequest,
  agent: AgentDefinition,
): Pick<GroupSettings, "models" | "modelAccess"> {
  const roles = Object.entries({ ...agent.models, ...models });
  if (roles.length === 0) return {};
  const absolute = (name: string) => {
    const [, kind, file] = /^(scripted|recorded):(.+)$/s.exec(name) ?? [];
    return file === undefined ? name : `${kind}:${path.resolve(file)}`;
  };
  return {
    models: Object.fromEntries(roles.map(([role, name]) => [role, absolute(name)])),
    modelAccess: { ...USUAL_ACCESS, ...modelAccess },
  };
}

/** The limits that were asked for by name. */
export function requiredLimits(settings: PlacelessSettings): LimitName[] {
  const names: LimitName[] = (["memoryBytes", "cpus", "processes", "diskBytes"] as const).filter(
    (name) => settings[name].required,
  );
  return Object.keys(settings.memoryBytesOf).length > 0 ? [...names, "memoryBytes"] : names;
}
