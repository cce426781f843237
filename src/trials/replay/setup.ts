import fs from "node:fs";
import path from "node:path";
import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { resolveAgent } from "../../agents/definition/load-definitions.ts";
import { type LoadedCompetition, loadCompetition } from "../../competitions/catalogue.ts";
import type { Disguise } from "../../data/disguise/disguise.ts";
import { canRun } from "../../data/place/data-folder.ts";
import { defaultSystem } from "../../sandbox/default-system.ts";
import { runsImages, type SandboxKind } from "../../sandbox/kind.ts";
import { sandboxes } from "../../sandbox/kinds.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { Blame } from "../../wording/problem.ts";
import { type DataDigest, dataDigest, dataPlaces } from "../certificate/data-digest.ts";
import { readGroup } from "../group/folder.ts";
import { trustedSettings } from "../group/places.ts";
import type { GroupSettings } from "../group/schema.ts";
import { disguiseOf } from "../group/shared.ts";
import { isTooLargeToCopy } from "../trial/agent-home.ts";
import { chooseSandbox } from "../trial/choose-sandbox.ts";
import { readTrial, trialPaths } from "../trial/folder.ts";
import { recordAgent } from "../trial/record-agent.ts";
import type { Trial } from "../trial/schema.ts";

/** Why a trial cannot be run again here, which says nothing about the agent. */
export interface ReplayProblem {
  status: "impossible";
  message: string;
  nextStep: string;
  blame: Blame;
}

/** Everything that a trial needs to be run again, found and compared with what it had. */
export interface ReplaySetup {
  status: "ready";
  trial: Trial;
  loaded: LoadedCompetition;
  dataDir: string;
  data: DataDigest;
  /** Where the trial saw the competition under another name. */
  disguise: Disguise | null;
  sandbox: Sandbox;
  rootFolder: string | null;
  agent: AgentDefinition;
  code: string;
  deviations: string[];
}

export interface ReplayPlaces {
  /** Null: the kind that the trial used, as long as that isolates. */
  sandbox: SandboxKind | null;
  /** In place of the folder that the group was run with. */
  dataDir: string | undefined;
  /** Never the folder that the group names: its modules would run in the harness. */
  competitionsDir: string | undefined;
}

/**
 * Finds the same data, the same kind of sandbox and the agent's own files for a trial that is to be run again. The
 * trial's folder may come from anybody: what it names on this machine is used only where it cannot show an answer.
 */
export async function setUpReplay(
  trialFolder: string,
  command: readonly string[],
  places: ReplayPlaces,
): Promise<ReplaySetup | ReplayProblem> {
  const trial = readTrial(trialFolder);
  const groupFolder = path.dirname(path.resolve(trialFolder));
  const recorded = readGroup(groupFolder)?.settings ?? null;
  if (trial === null || recorded === null)
    return impossible("there is no record of how it was run", "only groups of mlebench run can be replayed");
  const { code } = trialPaths(trialFolder);
  if (!fs.existsSync(code)) return impossible("its code/ is not there", "get the whole group");
  if (isTooLargeToCopy(code))
    return impossible("its code/ holds more than 1 GiB", "count it by hashes: --replay declared");
  const settings = trustedSettings(groupFolder, recorded, { dataDir: places.dataDir });
  const { dataDir } = settings;
  const found = await sameData(trial, dataDir, places.competitionsDir);
  if ("status" in found) return found;
  const disguise = await sameDisguise(trial, settings, found);
  if (disguise !== null && "status" in disguise) return disguise;
  const deviations: string[] = [];
  const { rootFolder } = settings;
  if (rootFolder === null && recorded.rootFolder !== null)
    deviations.push("its root folder is not used: the group is not one of yours");
  if (rootFolder !== null && contains(rootFolder, dataDir))
    return impossible(`its root folder ${rootFolder} holds the data folder`, "run it with another --root");
  const own = await ownAgent(trial, settings);
  if (own === null) deviations.push("/home/agent is empty: the agent's own files are gone or have changed");
  const agent = agentOf(trial, own, command);
  const choice = await chooseSandbox(places.sandbox, { ...agent, sandbox: isolatingKind(trial) }, false);
  if (choice.status === "refused")
    return {
      ...impossible(choice.message, "install one, or trust the agent: --replay-sandbox process"),
      blame: "host",
    };
  const { kind } = choice.capabilities;
  if (trial.materials !== null) deviations.push("/home/materials is not given again");
  const usesRoot = kind === "bubblewrap" ? rootFolder : null;
  const image = runsImages(kind) ? (agent.image ?? (await defaultSystem(kind)).image) : null;
  return {
    ...{ status: "ready", trial, ...found, disguise, dataDir, agent: { ...agent, image }, code, deviations },
    ...{ sandbox: sandboxes[kind], rootFolder: usesRoot },
  };
}

function impossible(message: string, nextStep: string): ReplayProblem {
  return { status: "impossible", message, nextStep, blame: "user" };
}

async function sameData(
  { competition }: Trial,
  dataDir: string,
  competitionsDir: string | undefined,
): Promise<{ loaded: LoadedCompetition; data: DataDigest } | ReplayProblem> {
  const { id, version } = competition;
  const loaded = await loadCompetition(id, competitionsDir).catch(() => null);
  if (loaded === null) return impossible(`there is no competition ${id}`, "name its folder: --competitions");
  if (!canRun(dataDir, loaded.competition, dataPlaces(dataDir, loaded.competition, version).dataVersion))
    return impossible(
      `${id} has no prepared data in ${dataDir}`,
      "prepare it, or name the folder: --data-dir",
    );
  const data = await dataDigest(dataDir, loaded.competition, { version });
  if (data.public !== competition.data.public)
    return impossible("the data here are not those it saw", "name the folder that has them: --data-dir");
  return { loaded, data };
}

/** Its code knows the columns by the names it saw. */
async function sameDisguise(
  { obfuscation }: Trial,
  settings: GroupSettings,
  { loaded, data }: { loaded: LoadedCompetition; data: DataDigest },
): Promise<Disguise | ReplayProblem | null> {
  if (obfuscation === undefined) return null;
  const disguise = await disguiseOf(settings, loaded, data);
  if ("code" in disguise) return impossible(disguise.message, disguise.nextStep);
  return disguise.digest === obfuscation.digest
    ? disguise
    : impossible("it saw other names than are given now", "count it by hashes: --replay declared");
}

/** Null: an agent that ran without isolation was trusted then, but this may be another machine and another user. */
function isolatingKind({ sandbox }: Trial): SandboxKind | null {
  return sandbox.kind === "process" ? null : sandbox.kind;
}

/** The agent's definition, if it is still the one that was run. */
async function ownAgent(trial: Trial, settings: GroupSettings): Promise<AgentDefinition | null> {
  const resolved = resolveAgent(settings.agentId, settings.agentFolders);
  if (resolved.status !== "found") return null;
  const { agent } = resolved;
  const { kind } = trial.sandbox;
  const now = await recordAgent(agent, { sandbox: kind, image: trial.agent.image });
  const { definitionDigest, codeDigest } = trial.agent;
  return now.definitionDigest === definitionDigest && now.codeDigest === codeDigest ? agent : null;
}

/** The recorded command in the agent's surroundings; its secrets stay out, and so does the network. */
function agentOf(trial: Trial, own: AgentDefinition | null, command: readonly string[]): AgentDefinition {
  const secrets = own?.secrets ?? [];
  const isSecret = (value: string) => secrets.some((secret) => secret !== "" && value.includes(secret));
  const mounts = own?.mounts ?? [];
  const inside = insideNames(trial, mounts);
  return {
    id: trial.agent.id,
    name: trial.agent.name,
    folder: own?.folder ?? null,
    command: command.map(inside),
    env: Object.fromEntries(Object.entries(own?.env ?? {}).filter(([, value]) => !isSecret(value))),
    secrets: [],
    secretFiles: [],
    mounts,
    limits: own?.limits ?? {},
    network: { mode: "none" },
    sandbox: null,
    image: trial.sandbox.kind === "bubblewrap" ? null : trial.agent.image,
    writableRoot: own?.writableRoot ?? false,
    asksForPrivileges: own?.asksForPrivileges ?? false,
  };
}

/** Without isolation an agent knows its folders by their places on the host, most of which are gone by now. */
function insideNames({ sandbox }: Trial, mounts: AgentDefinition["mounts"]): (text: string) => string {
  const then = sandbox.kind === "process" ? (sandbox.policy?.mounts ?? []) : [];
  const work = then.find(({ host }) => host.endsWith("/work/submission"))?.host.replace(/\/submission$/, "");
  const data = then.find(({ host }) => /\/prepared[^/]*\/public$/.test(host))?.host;
  const names = [
    ...(work === undefined ? [] : [{ host: work, inside: "/home" }]),
    ...(data === undefined ? [] : [{ host: data, inside: "/home/data" }]),
    ...(sandbox.kind === "process" ? mounts : []),
  ];
  return (text) => names.reduce((now, { host, inside }) => now.replaceAll(host, inside), text);
}

function contains(folder: string, place: string): boolean {
  const relative = path.relative(realPath(folder), realPath(place));
  return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
}

function realPath(place: string): string {
  try {
    return fs.realpathSync(place);
  } catch {
    return path.resolve(place);
  }
}
