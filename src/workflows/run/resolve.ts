import fs from "node:fs";
import path from "node:path";
import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { runsOwnCodeOnly } from "../../agents/definition/built-in.ts";
import { resolveAgent } from "../../agents/definition/load-definitions.ts";
import { type ExecutorSettings, executorCalled } from "../../executors/by-name.ts";
import type { Executor } from "../../executors/executor.ts";
import { thisMachine } from "../../executors/machine.ts";
import { defaultSystem } from "../../sandbox/default-system.ts";
import { runsImages } from "../../sandbox/kind.ts";
import { noKeyText, readSigningKey } from "../../trials/certificate/signing.ts";
import { planJudges } from "../../trials/group/plan.ts";
import type { GroupSettings } from "../../trials/group/schema.ts";
import { firstRefusal, type Refusal } from "../../trials/refusals.ts";
import { chooseSandbox, unmetRequirement } from "../../trials/trial/choose-sandbox.ts";
import type { Problem } from "../../wording/problem.ts";
import { missingModel, modelsProblem } from "./models.ts";
import type { RunRequest } from "./request.ts";
import { type PlacelessSettings, requiredLimits, settingsFor, workersOf } from "./settings.ts";
import { givenFoldersProblem, usageProblem } from "./usage.ts";

/** Everything that a request names, found and checked. */
export interface ResolvedRun {
  agent: AgentDefinition;
  settings: GroupSettings;
  executor: Executor;
  /** What a person should know before it starts. */
  notes: string[];
}

/**
 * Finds what a request names and what this machine can do for it. The first thing that is wrong is told, always in the
 * same order, whatever else is wrong.
 */
export async function resolveRun(request: RunRequest): Promise<ResolvedRun | Refusal> {
  const wrong = usageProblem(request);
  if (wrong !== null) return { ...wrong, stage: "usage" };
  const resolved = resolveAgent(request.agent, [...(request.agentFolders ?? [])]);
  if (resolved.status !== "found")
    return { code: "NO_AGENT", message: resolved.message, nextStep: resolved.nextStep, stage: "usage" };
  const { agent } = resolved;
  const executor = await executorFor({ ...request, workers: workersOf(request) });
  const settings = settingsFor(request, agent, "code" in executor ? thisMachine() : executor.machine);
  let place: Place | null = null;
  const { runsDir, name = null, competitions: competitionIds } = request;
  const judges = planJudges({ runsDir, name, agent, competitionIds, settings });
  const refusal = await firstRefusal({
    ...judges,
    usage: async () =>
      givenFoldersProblem(request, agent.folder) ??
      keyProblem(settings) ??
      missingModel(agent, request) ??
      (await modelsProblem(settings)) ??
      (await judges.usage?.()) ??
      null,
    machine: () => ("code" in executor ? executor : tooMuch(executor, settings)),
    async sandbox() {
      const found = await findPlace(request, settings, agent, runsOwnCodeOnly(resolved.file));
      if ("code" in found) return found;
      place = found;
      return null;
    },
  });
  if (refusal !== null) return refusal;
  const { notes, ...where } = place! as Place;
  return {
    agent,
    settings: { ...settings, ...where },
    executor: executor as Executor,
    notes: [
      ...resolved.notes,
      ...(where.sandbox === "process" ? [] : resolved.mountNotes),
      ...notes,
      ...noRepository(agent.id, settings.materials),
    ],
  };
}

/** The agent of repositories without any is the baseline under another name: better said before than read in its log. */
function noRepository(agentId: string, materials: string | null): string[] {
  if (!/^repo(\/|$)/.test(agentId)) return [];
  if (materials === null)
    return [`${agentId} has no repository: the run has no --materials; it will fall back to the baseline`];
  const folders = fs
    .readdirSync(materials, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  return folders.length > 0
    ? []
    : [`${agentId} has no repository: ${materials} holds no folder; it will fall back to the baseline`];
}

/** The executor that a group's settings name. */
export async function executorFor({
  executor = "local",
  ...settings
}: ExecutorSettings & { executor?: string | undefined }): Promise<Executor | Problem> {
  return (
    (await executorCalled(executor, settings)) ?? {
      code: "NO_EXECUTOR",
      message: `There is no executor "${executor}" in this version of mlebench.`,
      nextStep: "use the version that the group was started with",
    }
  );
}

function keyProblem({ signingKey }: PlacelessSettings): Problem | null {
  if (signingKey === null || readSigningKey(signingKey) !== null) return null;
  return problem("NO_KEY", noKeyText(signingKey), "make one: mlebench keys create");
}

function tooMuch(executor: Executor, settings: PlacelessSettings): Problem | null {
  const impossible = executor.impossible({
    cpus: settings.cpus.value,
    memoryBytes: Math.max(settings.memoryBytes.value, ...Object.values(settings.memoryBytesOf)),
    gpus: settings.gpus,
    seconds: Math.max(settings.timeSeconds, ...Object.values(settings.timeSecondsOf)) + settings.graceSeconds,
  });
  const who = executor.elsewhere ? "Slurm" : "This machine";
  return impossible === null
    ? null
    : problem("TOO_MUCH", `${who} cannot do it: ${impossible}.`, "ask for less");
}

/** Where the agent will run. */
type Place = Pick<GroupSettings, "sandbox" | "image" | "rootFolder"> & { notes: string[] };

async function findPlace(
  request: RunRequest,
  settings: PlacelessSettings,
  agent: AgentDefinition,
  builtIn: boolean,
): Promise<Place | Problem> {
  const wanted = request.image ?? agent.image;
  // What the nodes can do is found out there; this host may be a login node that runs nothing.
  const elsewhere = settings.executor === "slurm" && request.sandbox !== undefined;
  const choice = elsewhere
    ? null
    : await chooseSandbox(request.sandbox ?? null, { ...agent, image: wanted }, builtIn);
  if (choice?.status === "refused") return problem(choice.code, choice.message, choice.nextStep);
  const kind = choice?.capabilities.kind ?? request.sandbox!;
  // What was named wins, then the agent's own image, then what `env build` has made.
  const { image, rootFolder } = request;
  const isContainer = runsImages(kind);
  const named = image !== undefined || agent.image !== null || (!isContainer && rootFolder !== undefined);
  const system = named
    ? { image: image ?? null, rootFolder: rootFolder ? path.resolve(rootFolder) : null }
    : await defaultSystem(kind);
  if (isContainer && !(system.image ?? agent.image))
    return problem(
      "NO_IMAGE",
      `${kind} has no image to run ${agent.id} in.`,
      "build one: mlebench env build --light; or name one: --image <name>",
    );
  const unmet =
    choice === null
      ? null
      : unmetRequirement(choice.capabilities, requiredLimits(settings), settings.network?.mode ?? null);
  return unmet ?? { sandbox: kind, ...system, notes: choice?.notes ?? [] };
}

function problem(code: string, message: string, nextStep: string): Problem {
  return { code, message, nextStep };
}
