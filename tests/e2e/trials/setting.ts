import fs from "node:fs";
import path from "node:path";
import { resolveAgent } from "../../../src/agents/definition/load-definitions.ts";
import { localExecutor } from "../../../src/executors/local/local.ts";
import { thisMachine } from "../../../src/executors/machine.ts";
import { type GroupRequest, planGroup } from "../../../src/trials/group/plan.ts";
import { type GroupControl, type GroupOutcome, runGroup } from "../../../src/trials/group/run.ts";
import type { GroupSettings } from "../../../src/trials/group/schema.ts";
import { readTrial } from "../../../src/trials/trial/folder.ts";
import type { Trial } from "../../../src/trials/trial/schema.ts";
import { groupSettings } from "../group-settings.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const PREPARED = path.resolve("tests/golden/vectors/prepare");

/** A small competition whose sample submission is valid. */
export const COMPETITION = "spooky-author-identification";

/** The golden preparation of a competition as a data folder. */
export function layOutPrepared(folder: string, ids: readonly string[] = [COMPETITION]): string {
  for (const id of ids) {
    const target = path.join(folder, id, "prepared");
    fs.mkdirSync(target, { recursive: true });
    fs.cpSync(path.join(PREPARED, id, "expected"), target, { recursive: true });
  }
  return folder;
}

/** An agent that is one shell script, in a folder of agents of its own. */
export function shellAgent(folder: string, script: string, name = "scripted"): string {
  const config = { [name]: { command: ["sh", "/home/agent/start.sh"] } };
  writeText(folder, `${name}/config.yaml`, JSON.stringify(config));
  writeText(folder, `${name}/start.sh`, script);
  return folder;
}

export interface Scene {
  root: string;
  dataDir: string;
  runsDir: string;
  agentsDir: string;
}

export function scene(script: string): Scene {
  const root = temporaryFolder();
  return {
    root,
    dataDir: layOutPrepared(path.join(root, "data")),
    runsDir: path.join(root, "runs"),
    agentsDir: shellAgent(path.join(root, "agents"), script),
  };
}

function settingsOf({ agentsDir, dataDir }: Scene, change: Partial<GroupSettings> = {}): GroupSettings {
  return groupSettings({
    agentId: "scripted",
    agentFolders: [agentsDir],
    dataDir,
    timeSeconds: 30,
    ...change,
  });
}

export async function plan(
  setting: Scene,
  change: Partial<GroupSettings> = {},
  request: Partial<GroupRequest> = {},
): Promise<string> {
  const settings = settingsOf(setting, change);
  const resolved = resolveAgent(settings.agentId, settings.agentFolders);
  if (resolved.status !== "found") throw new Error(resolved.message);
  const planned = await planGroup({
    runsDir: setting.runsDir,
    name: null,
    agent: resolved.agent,
    competitionIds: [COMPETITION],
    seeds: 1,
    settings,
    ...request,
  });
  if (planned.status !== "planned") throw new Error(planned.message);
  return planned.folder;
}

export function control(change: Partial<GroupControl> = {}): GroupControl {
  const machine = thisMachine();
  return {
    executor: localExecutor({ ...machine, cpus: 64, memoryBytes: 2 ** 40 }, 2),
    interrupted: new AbortController().signal,
    killed: new AbortController().signal,
    ...change,
  };
}

export interface RanGroup {
  folder: string;
  outcome: Extract<GroupOutcome, { status: "ended" }>;
  /** The first trial. */
  trialFolder: string;
  trial: Trial;
}

/** Runs a group of one script on the small competition. */
export async function runScript(
  script: string,
  change: Partial<GroupSettings> = {},
  request: Partial<GroupRequest> = {},
): Promise<RanGroup> {
  const folder = await plan(scene(script), change, request);
  return runPlanned(folder);
}

export async function runPlanned(folder: string, change: Partial<GroupControl> = {}): Promise<RanGroup> {
  const outcome = await runGroup(folder, control(change));
  if (outcome.status !== "ended") throw new Error(outcome.problem.message);
  const trialFolder = path.join(folder, outcome.group.trials[0].id);
  return { folder, outcome, trialFolder, trial: readTrial(trialFolder)! };
}
