import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { resolveAgent } from "../../agents/definition/load-definitions.ts";
import { type LoadedCompetition, loadCompetition } from "../../competitions/catalogue.ts";
import { type Disguise, type DisguiseRequest, makeDisguise } from "../../data/disguise/disguise.ts";
import { readRewritten, textFolder } from "../../data/disguise/rewrite.ts";
import { hardwareText, thisMachine } from "../../executors/machine.ts";
import { folderDigest } from "../../files/folder-digest.ts";
import { VERSION } from "../../grading/version.ts";
import { openRunModels, type RunModels } from "../../models/run-models.ts";
import { USUAL_ACCESS } from "../../models/settings.ts";
import { sandboxes } from "../../sandbox/kinds.ts";
import { durationText } from "../../wording/durations.ts";
import type { Problem } from "../../wording/problem.ts";
import { valueDigest } from "../certificate/canonical-json.ts";
import { type DataDigest, dataDigest, dataPlaces } from "../certificate/data-digest.ts";
import { noKeyText, readSigningKey, type SigningKey } from "../certificate/signing.ts";
import type { JobPlace } from "../state/heartbeat.ts";
import { trialPaths } from "../trial/folder.ts";
import { recordAgent } from "../trial/record-agent.ts";
import type { Continuation } from "../trial/recover.ts";
import type { TrialRequest } from "../trial/request.ts";
import type { RecordedAgent, TrialLimits } from "../trial/schema.ts";
import { groupPaths } from "./folder.ts";
import { planDigest } from "./plan-digest.ts";
import type { GroupSettings, PlannedTrial, RunGroup } from "./schema.ts";
import { spentByGroup } from "./spent.ts";

/** What all trials of a group share. */
export interface SharedByTrials {
  folder: string;
  group: RunGroup;
  agent: AgentDefinition;
  recordedAgent: RecordedAgent;
  competitions: Map<
    string,
    { loaded: LoadedCompetition; data: DataDigest; dataChanged: boolean; disguise: Disguise | null }
  >;
  materials: TrialRequest["materials"];
  signingKey: SigningKey | null;
  /** Null when the run names none. */
  models: RunModels | null;
}

/** Resolves what the plan names. A group whose agent has changed since would mix two experiments. */
export async function shareOf(
  folder: string,
  group: RunGroup,
  {
    trials,
    acceptChangedData,
    amongOthers = false,
  }: { trials: readonly PlannedTrial[]; acceptChangedData: boolean; amongOthers?: boolean },
): Promise<SharedByTrials | Problem> {
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
      message: noKeyText(settings.signingKey),
      nextStep: "make one: mlebench keys create",
    };
  const competitions: SharedByTrials["competitions"] = new Map();
  const { competitionVersion: version } = settings;
  for (const id of new Set(trials.map(({ competitionId }) => competitionId))) {
    const loaded = await loadCompetition(id, settings.competitionsDir ?? undefined);
    if (loaded === null)
      return {
        code: "UNKNOWN_COMPETITION",
        message: `There is no competition "${id}".`,
        nextStep: "see mlebench list",
      };
    // Whoever signs has read the data, and not only what is remembered of them.
    const fresh = signingKey !== null;
    const data = await dataDigest(settings.dataDir, loaded.competition, { version, fresh });
    const planned = group.data?.[id];
    const dataChanged = planned !== undefined && valueDigest(planned) !== valueDigest(data);
    if (dataChanged && !acceptChangedData && hasUnfinished(folder, group, id))
      return {
        code: "DATA_CHANGED",
        message: `The prepared data of ${id} have changed since this group was started.`,
        nextStep:
          "put them back, start a new group (mlebench run), or mix both: mlebench resume <group> --accept-changed-data",
      };
    const disguise = settings.obfuscate ? await disguiseOf(settings, loaded, data) : null;
    if (disguise !== null && "code" in disguise) return disguise;
    competitions.set(id, { loaded, data, dataChanged, disguise });
  }
  const models = await modelsOf(folder, group, amongOthers);
  if (models !== null && "code" in models) return models;
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
    models,
  };
}

/** Made once on this machine, beside the data, and found again by its digest. */
export async function disguiseOf(
  settings: GroupSettings,
  loaded: LoadedCompetition,
  data: DataDigest,
): Promise<Disguise | Problem> {
  const source = disguiseSource(settings, loaded);
  const { id } = loaded.competition;
  const wanted = settings.rewritten?.texts[id];
  const rewritten = wanted === undefined ? null : readRewritten(source.place, wanted);
  if (wanted !== undefined && rewritten === null)
    return {
      code: "TEXT_LOST",
      message: `The description of ${id} that ${settings.rewritten?.model} wrote for this group is gone or was changed (${textFolder(source.place, wanted)}).`,
      nextStep: "put it back, or start a new group: mlebench run",
    };
  return makeDisguise({ ...source, data: valueDigest(data), rewritten });
}

/** Where a competition's public data lie, its text, and where disguised ones are kept. */
export function disguiseSource(
  { dataDir, competitionVersion }: Pick<GroupSettings, "dataDir" | "competitionVersion">,
  loaded: LoadedCompetition,
): Omit<DisguiseRequest, "data" | "rewritten"> {
  const text = fileURLToPath(new URL("description.md", loaded.folder));
  return {
    loaded,
    publicFolder: dataPlaces(dataDir, loaded.competition, competitionVersion).publicFolder,
    place: path.join(dataDir, loaded.competition.id, "disguised"),
    shelf: path.join(dataDir, ".disguised"),
    description: fs.existsSync(text) ? fs.readFileSync(text, "utf8") : null,
  };
}

/** `amongOthers`: further processes run trials of this group. */
async function modelsOf(
  folder: string,
  group: RunGroup,
  amongOthers: boolean,
): Promise<RunModels | Problem | null> {
  const { models: roles, modelAccess = USUAL_ACCESS } = group.settings;
  if (roles === undefined) return null;
  return openRunModels(
    { ...modelAccess, roles },
    {
      mlebenchVersion: VERSION,
      spentBefore: () => spentByGroup(folder, group),
      together: { folder: groupPaths(folder).together, paces: amongOthers },
    },
  );
}

function hasUnfinished(folder: string, group: RunGroup, competitionId: string): boolean {
  return group.trials.some(
    (trial) =>
      trial.competitionId === competitionId &&
      !fs.existsSync(trialPaths(groupPaths(folder).trial(trial.id)).certificate),
  );
}

/** Everything one trial needs. The machine is looked at here: it is where the trial runs. */
export function trialRequest(
  shared: SharedByTrials,
  planned: PlannedTrial,
  {
    attempt,
    gpus,
    place,
    continued = null,
  }: { attempt: number; gpus: readonly string[]; place: JobPlace; continued?: Continuation | null },
): TrialRequest {
  const { group, agent } = shared;
  const { settings } = group;
  const { loaded, data, dataChanged, disguise } = shared.competitions.get(planned.competitionId)!;
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
    agent: settings.until === undefined ? agent : untilThen(agent, settings.until),
    recordedAgent: shared.recordedAgent,
    seed: planned.seed,
    plan: { digest: planDigest(group), starts: groupPaths(shared.folder).starts },
    sandbox: sandboxes[settings.sandbox],
    limits: limitsOf(settings, planned.competitionId),
    network:
      settings.network ??
      (network.mode === "allow-list" ? { ...network, hosts: [...network.hosts] } : network),
    gpus,
    show: settings.show ?? [],
    materials: shared.materials,
    image: settings.image ?? agent.image,
    rootFolder: settings.rootFolder,
    hardware: hardwareText(Math.min(thisMachine().cpus, Math.ceil(settings.cpus.value)), gpus),
    place,
    code: null,
    continued,
    retain: settings.retain,
    signingKey: shared.signingKey,
    models: shared.models,
    disguise,
    notes: [
      ...(dataChanged ? ["The prepared data are not those this group was started with."] : []),
      ...(continued === null
        ? []
        : [
            `It went on from attempt ${continued.attempt} with what that had left, after ${durationText(continued.usedSeconds)} of its time.`,
          ]),
    ],
  };
}

/** A wish of the run, which the definition may overrule as it may every variable. */
function untilThen(agent: AgentDefinition, until: string): AgentDefinition {
  return { ...agent, env: { MLEBENCH_UNTIL: until, ...agent.env } };
}

/** The limits of one trial: a competition's own in place of the general ones. */
export function limitsOf(settings: GroupSettings, competitionId: string): TrialLimits {
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
