import fs from "node:fs";
import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { resolveAgent } from "../../agents/definition/load-definitions.ts";
import { type LoadedCompetition, loadCompetition } from "../../competitions/catalogue.ts";
import type { Executor, Job } from "../../executors/executor.ts";
import { folderDigest } from "../../files/folder-digest.ts";
import { takeLock } from "../../files/lock-file.ts";
import { sandboxes } from "../../sandbox/kinds.ts";
import type { Problem } from "../../wording/problem.ts";
import { valueDigest } from "../certificate/canonical-json.ts";
import { type DataDigest, dataDigest } from "../certificate/data-digest.ts";
import { readSigningKey, type SigningKey } from "../certificate/signing.ts";
import { trialPaths } from "../trial/folder.ts";
import { recordAgent } from "../trial/record-agent.ts";
import { recoverTrial } from "../trial/recover.ts";
import type { TrialControl, TrialRequest, TrialResult } from "../trial/request.ts";
import { runTrial } from "../trial/run.ts";
import type { RecordedAgent, TrialLimits } from "../trial/schema.ts";
import { groupPaths, readGroup } from "./folder.ts";
import { closeGroup, describeRun, writeMetadata } from "./record.ts";
import type { GroupMetadata, GroupSettings, PlannedTrial, RunGroup } from "./schema.ts";

export interface GroupControl extends TrialControl {
  executor: Executor;
  /** The machine in a phrase, for the devices a trial has got. */
  hardware(gpus: readonly string[]): string;
  /** Goes on although prepared data are others than when the group was started; each trial's record says so. */
  acceptChangedData?: boolean;
  onTrialStart?: (trial: PlannedTrial, attempt: number) => void;
  onTrialEnd?: (result: TrialResult) => void;
}

export type GroupOutcome =
  | { status: "refused"; problem: Problem }
  /** `unfinished` trials wait for `resume`. `refusal`: why the sandbox would not start them. */
  | { status: "ended"; group: RunGroup; finished: string[]; unfinished: string[]; refusal: Problem | null };

/** What all trials of a group share. */
interface Shared {
  folder: string;
  group: RunGroup;
  agent: AgentDefinition;
  recordedAgent: RecordedAgent;
  competitions: Map<string, { loaded: LoadedCompetition; data: DataDigest; dataChanged: boolean }>;
  materials: TrialRequest["materials"];
  signingKey: SigningKey | null;
}

/**
 * Runs what is missing of a planned group: all of it the first time, the rest after any kind of interruption. What is
 * done is never repeated. Only one process at a time works on a group.
 */
export async function runGroup(folder: string, control: GroupControl): Promise<GroupOutcome> {
  const group = readGroup(folder);
  if (group === null) return refused("NO_GROUP", `${folder} is no run group.`, "see mlebench status");
  const lock = takeLock(groupPaths(folder).lock, "group-lock");
  if (lock.status === "busy")
    return refused("GROUP_BUSY", `The group is being worked on by ${lock.owner}.`, "see mlebench status");
  try {
    const shared = await share(folder, group, control.acceptChangedData === true);
    if ("code" in shared) return { status: "refused", problem: shared };
    return await runMissing(shared, control);
  } finally {
    lock.release();
  }
}

async function runMissing(shared: Shared, control: GroupControl): Promise<GroupOutcome> {
  const { folder, group } = shared;
  const stop = new AbortController();
  const stopAll = () => stop.abort();
  control.interrupted.addEventListener("abort", stopAll);
  control.killed.addEventListener("abort", stopAll);
  if (control.interrupted.aborted || control.killed.aborted) stopAll();
  const runs = new Map<string, GroupMetadata["runs"][string]>();
  let refusal: Problem | null = null;
  const note = (id: string) => {
    const run = describeRun(groupPaths(folder).trial(id));
    if (run !== null) runs.set(id, run);
  };
  // It covers files that are about to change.
  fs.rmSync(groupPaths(folder).certificate, { force: true });
  const jobs: Job[] = [];
  for (const planned of group.trials) {
    const recovery = await recoverTrial(groupPaths(folder).trial(planned.id), shared.signingKey);
    if (recovery.status === "done") note(planned.id);
    else jobs.push(jobOf(planned, recovery.attempt));
  }

  function jobOf(planned: PlannedTrial, attempt: number): Job {
    const limits = limitsOf(group.settings, planned.competitionId);
    return {
      id: planned.id,
      needs: {
        cpus: limits.cpus?.value ?? 0,
        memoryBytes: limits.memoryBytes?.value ?? 0,
        gpus: group.settings.gpus,
      },
      async run({ gpus }) {
        control.onTrialStart?.(planned, attempt);
        const result = await runTrial(
          trialRequest(shared, planned, { attempt, limits, gpus, control }),
          control,
        );
        if (result.status === "finished") note(planned.id);
        writeMetadata(folder, group, runs);
        // The next one would be refused for the same reason.
        if (result.refusal !== null && !result.refusal.retryable) {
          refusal ??= result.refusal;
          stop.abort();
        }
        control.onTrialEnd?.(result);
      },
    };
  }

  try {
    await control.executor.runAll(jobs, stop.signal);
  } finally {
    control.interrupted.removeEventListener("abort", stopAll);
    control.killed.removeEventListener("abort", stopAll);
  }
  writeMetadata(folder, group, runs);
  await closeGroup(folder, group, shared.signingKey);
  const ids = group.trials.map(({ id }) => id);
  return {
    status: "ended",
    group,
    finished: ids.filter((id) => runs.has(id)),
    unfinished: ids.filter((id) => !runs.has(id)),
    refusal,
  };
}

/** Resolves what the plan names. A group whose agent has changed since would mix two experiments. */
async function share(folder: string, group: RunGroup, acceptChangedData: boolean): Promise<Shared | Problem> {
  const { settings } = group;
  const resolved = resolveAgent(settings.agentId, settings.agentFolders);
  if (resolved.status !== "found")
    return { code: "NO_AGENT", message: resolved.message, nextStep: resolved.nextStep };
  const { agent } = resolved;
  const image = settings.image ?? agent.image;
  const recordedAgent = await recordAgent(agent, { sandbox: settings.sandbox, image });
  if (valueDigest(recordedAgent) !== group.agentDigest)
    return {
      code: "AGENT_CHANGED",
      message: `The agent ${agent.id} has changed since this group was started.`,
      nextStep: "undo the change, or start a new group: mlebench run",
    };
  const signingKey = settings.signingKey === null ? null : readSigningKey(settings.signingKey);
  if (settings.signingKey !== null && signingKey === null)
    return {
      code: "NO_KEY",
      message: `${settings.signingKey} is no signing key.`,
      nextStep: "make one: mlebench keys create",
    };
  const competitions: Shared["competitions"] = new Map();
  const { competitionVersion: version } = settings;
  for (const id of new Set(group.trials.map(({ competitionId }) => competitionId))) {
    const loaded = await loadCompetition(id, settings.competitionsDir ?? undefined);
    if (loaded === null)
      return {
        code: "UNKNOWN_COMPETITION",
        message: `There is no competition "${id}".`,
        nextStep: "see mlebench list",
      };
    const data = await dataDigest(settings.dataDir, loaded.competition, { version });
    const planned = group.data?.[id];
    const dataChanged = planned !== undefined && valueDigest(planned) !== valueDigest(data);
    if (dataChanged && !acceptChangedData && hasUnfinished(folder, group, id))
      return {
        code: "DATA_CHANGED",
        message: `The prepared data of ${id} have changed since this group was started.`,
        nextStep:
          "put them back, start a new group (mlebench run), or mix both: mlebench resume <group> --accept-changed-data",
      };
    competitions.set(id, { loaded, data, dataChanged });
  }
  const { materials: materialsFolder } = settings;
  const materials =
    materialsFolder === null
      ? null
      : { folder: materialsFolder, digest: await folderDigest(materialsFolder) };
  return {
    folder,
    group,
    agent,
    recordedAgent,
    competitions,
    materials,
    signingKey,
  };
}

function hasUnfinished(folder: string, group: RunGroup, competitionId: string): boolean {
  return group.trials.some(
    (trial) =>
      trial.competitionId === competitionId &&
      !fs.existsSync(trialPaths(groupPaths(folder).trial(trial.id)).certificate),
  );
}

function trialRequest(
  shared: Shared,
  planned: PlannedTrial,
  {
    attempt,
    limits,
    gpus,
    control,
  }: { attempt: number; limits: TrialLimits; gpus: readonly string[]; control: GroupControl },
): TrialRequest {
  const { group, agent } = shared;
  const { settings } = group;
  const { loaded, data, dataChanged } = shared.competitions.get(planned.competitionId)!;
  const { network } = agent;
  return {
    folder: groupPaths(shared.folder).trial(planned.id),
    runGroup: group.name,
    id: planned.id,
    attempt,
    loaded,
    dataDir: settings.dataDir,
    competitionVersion: settings.competitionVersion,
    competitionsDir: settings.competitionsDir,
    data,
    agent,
    recordedAgent: shared.recordedAgent,
    seed: planned.seed,
    sandbox: sandboxes[settings.sandbox],
    limits,
    network:
      settings.network ??
      (network.mode === "allow-list" ? { ...network, hosts: [...network.hosts] } : network),
    gpus,
    materials: shared.materials,
    image: settings.image ?? agent.image,
    rootFolder: settings.rootFolder,
    hardware: control.hardware(gpus),
    code: null,
    retain: settings.retain,
    signingKey: shared.signingKey,
    notes: dataChanged ? ["The prepared data are not those this group was started with."] : [],
  };
}

/** The limits of one trial: a competition's own in place of the general ones. */
function limitsOf(settings: GroupSettings, competitionId: string): TrialLimits {
  const memory = settings.memoryBytesOf[competitionId];
  return {
    timeSeconds: settings.timeSecondsOf[competitionId] ?? settings.timeSeconds,
    graceSeconds: settings.graceSeconds,
    memoryBytes: memory === undefined ? settings.memoryBytes : { value: memory, required: true },
    cpus: settings.cpus,
    processes: settings.processes,
    diskBytes: settings.diskBytes,
  };
}

function refused(code: string, message: string, nextStep: string): GroupOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}
