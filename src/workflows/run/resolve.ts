import path from "node:path";
import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { isBuiltIn } from "../../agents/definition/built-in.ts";
import { resolveAgent } from "../../agents/definition/load-definitions.ts";
import { executorCalled } from "../../executors/by-name.ts";
import type { Executor } from "../../executors/executor.ts";
import { thisMachine } from "../../executors/machine.ts";
import { defaultSystem } from "../../sandbox/default-system.ts";
import { readSigningKey } from "../../trials/certificate/signing.ts";
import { planJudges } from "../../trials/group/plan.ts";
import type { GroupSettings } from "../../trials/group/schema.ts";
import { firstRefusal, type Refusal } from "../../trials/refusals.ts";
import { chooseSandbox, unmetRequirement } from "../../trials/trial/choose-sandbox.ts";
import type { Problem } from "../../wording/problem.ts";
import { modelsProblem } from "./models.ts";
import type { RunRequest } from "./request.ts";
import { type PlacelessSettings, requiredLimits, settingsFor } from "./settings.ts";

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
  const settings = settingsFor(request, agent, thisMachine());
  const executor = executorFor(settings);
  let place: Place | null = null;
  const { runsDir, name = null, competitions: competitionIds } = request;
  const judges = planJudges({ runsDir, name, agent, competitionIds, settings });
  const refusal = await firstRefusal({
    ...judges,
    usage: async () =>
      keyProblem(settings) ?? (await modelsProblem(settings)) ?? (await judges.usage?.()) ?? null,
    machine: () => ("code" in executor ? executor : tooMuch(executor, settings)),
    async sandbox() {
      const found = await findPlace(request, settings, agent, isBuiltIn(resolved.file));
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
    notes: [...resolved.notes, ...(where.sandbox === "process" ? [] : resolved.mountNotes), ...notes],
  };
}

/** The executor that a group's settings name. */
export function executorFor({ executor = "local", workers }: PlacelessSettings): Executor | Problem {
  return (
    executorCalled(executor, workers) ?? {
      code: "NO_EXECUTOR",
      message: `There is no executor "${executor}" in this version of mlebench.`,
      nextStep: "use the version that the group was started with",
    }
  );
}

function usageProblem(request: RunRequest): Problem | null {
  if (request.agent === "") return problem("NO_AGENT", "No agent was named.", "name one: --agent <id>");
  if (request.competitions.length === 0)
    return problem("NO_COMPETITION", "No competition was named.", "name some: -c <id> or --split <name>");
  const twice = request.competitions.find((id, i, all) => all.indexOf(id) !== i);
  if (twice !== undefined) return problem("TWICE", `${twice} was named twice.`, "name each competition once");
  for (const name of ["seeds", "workers"] as const) {
    const value = request[name] ?? 1;
    if (!Number.isInteger(value) || value < 1)
      return problem(
        "BAD_NUMBER",
        `${name} must be a whole number from 1.`,
        `give another one: --${name} <n>`,
      );
  }
  for (const name of LIMITS) {
    const value = request[name] ?? 1;
    if (!Number.isFinite(value) || value <= 0)
      return problem("BAD_NUMBER", `${name} must be a number above 0.`, "give another one, or leave it out");
  }
  return null;
}

const LIMITS = ["timeSeconds", "graceSeconds", "memoryBytes", "cpus", "processes", "diskBytes"] as const;

function keyProblem({ signingKey }: PlacelessSettings): Problem | null {
  if (signingKey === null || readSigningKey(signingKey) !== null) return null;
  return problem("NO_KEY", `${signingKey} is not a signing key.`, "make one: mlebench keys create");
}

function tooMuch(executor: Executor, settings: PlacelessSettings): Problem | null {
  const impossible = executor.impossible({
    cpus: settings.cpus.value,
    memoryBytes: Math.max(settings.memoryBytes.value, ...Object.values(settings.memoryBytesOf)),
    gpus: settings.gpus,
  });
  return impossible === null
    ? null
    : problem("TOO_MUCH", `This machine cannot do it: ${impossible}.`, "ask for less");
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
  const choice = await chooseSandbox(request.sandbox ?? null, { ...agent, image: wanted }, builtIn);
  if (choice.status === "refused") return problem(choice.code, choice.message, choice.nextStep);
  const { kind } = choice.capabilities;
  // What was named wins, then the agent's own image, then what `env build` has made.
  const { image, rootFolder } = request;
  const isContainer = kind === "podman" || kind === "docker";
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
  const unmet = unmetRequirement(
    choice.capabilities,
    requiredLimits(settings),
    settings.network?.mode ?? null,
  );
  return unmet ?? { sandbox: kind, ...system, notes: choice.notes };
}

function problem(code: string, message: string, nextStep: string): Problem {
  return { code, message, nextStep };
}
