import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { type LoadedCompetition, loadCompetition } from "../../competitions/catalogue.ts";
import { type CompetitionVersion, graderOf } from "../../competitions/competition.ts";
import { nearestIds } from "../../competitions/splits.ts";
import { canRun } from "../../data/place/data-folder.ts";
import { howToPrepare, prepareCommand } from "../../data/place/prepare-command.ts";
import { fileTimestamp } from "../../grading/report.ts";
import type { Problem } from "../../wording/problem.ts";
import { valueDigest } from "../certificate/canonical-json.ts";
import { type DataDigest, dataDigest, dataPlaces } from "../certificate/data-digest.ts";
import { firstRefusal, type Judges } from "../refusals.ts";
import { codeProblem } from "../trial/agent-home.ts";
import { recordAgent } from "../trial/record-agent.ts";
import { isTaken, placePlan } from "./place-plan.ts";
import type { GroupSettings, RunGroup } from "./schema.ts";

export interface GroupRequest {
  runsDir: string;
  /** Null: the time and the agent's name, as the original calls them. */
  name: string | null;
  agent: AgentDefinition;
  competitionIds: readonly string[];
  seeds: number;
  settings: GroupSettings;
}

export type PlanOutcome =
  | { status: "planned"; folder: string; group: RunGroup }
  | ({ status: "refused" } & Problem);

/**
 * Checks everything that can be checked before anything starts, and writes the plan down. Nothing has happened yet
 * when it refuses.
 */
export async function planGroup(request: GroupRequest): Promise<PlanOutcome> {
  const { settings, agent } = request;
  const problem = await firstRefusal(planJudges(request));
  if (problem !== null) return { status: "refused", ...problem };
  const now = new Date();
  const name = request.name ?? `${fileTimestamp(now)}_run-group_${plainName(agent.id)}`;
  const data = await dataDigests(request);
  const agentDigest = await digestOf(agent, settings);
  const planCalled = (name: string): RunGroup => ({
    schema: "mlebench/run-group",
    version: 1,
    name,
    createdAt: now.toISOString(),
    agentDigest,
    data,
    settings,
    // The original's order: every competition once, then again with the next seed.
    trials: Array.from({ length: request.seeds }, (_, seed) =>
      request.competitionIds.map((competitionId) => ({
        // An agent can see where its folders are from.
        id: `${settings.obfuscate ? "task" : competitionId}_${randomUUID()}`,
        competitionId,
        seed,
      })),
    ).flat(),
  });
  const placed = placePlan(request.runsDir, name, { planCalled, mayVary: request.name === null });
  return placed === null ? { status: "refused", ...groupExists(name) } : { status: "planned", ...placed };
}

/** What can be judged before it is known where the agent will run. */
export type JudgedRequest = Pick<GroupRequest, "runsDir" | "name" | "agent" | "competitionIds"> & {
  settings: Pick<GroupSettings, "dataDir" | "competitionsDir" | "competitionVersion" | "materials">;
};

/** What planning can judge; whoever starts the group adds what the machine and its sandboxes say. */
export function planJudges(request: JudgedRequest): Judges {
  return {
    usage: () => nameProblem(request),
    competition: async () => competitionNames(request.competitionIds) ?? (await unknownCompetition(request)),
    data: () => unprepared(request),
    materials: () => materialsProblem(request.settings.materials) ?? agentProblem(request.agent),
  };
}

function nameProblem({ name, runsDir }: JudgedRequest): Problem | null {
  if (name === null) return null;
  if (name === "" || name !== path.basename(name) || name.startsWith("."))
    return {
      code: "BAD_NAME",
      message: `"${name}" is not a name for a folder.`,
      nextStep: "give another one: --name <name>",
    };
  return isTaken(path.join(runsDir, name)) ? groupExists(name) : null;
}

function groupExists(name: string): Problem {
  return {
    code: "GROUP_EXISTS",
    message: `There is a run group "${name}" already.`,
    nextStep: `go on with it: mlebench resume ${name}; or give another --name`,
  };
}

/** What makes an agent the same agent. */
async function digestOf(agent: AgentDefinition, { sandbox, image }: GroupSettings): Promise<string> {
  return valueDigest(await recordAgent(agent, { sandbox, image: image ?? agent.image }));
}

async function dataDigests({ competitionIds, settings }: GroupRequest): Promise<Record<string, DataDigest>> {
  const { dataDir, competitionsDir, competitionVersion: version } = settings;
  const digests: Record<string, DataDigest> = {};
  for (const id of competitionIds) {
    const loaded = await loadCompetition(id, competitionsDir ?? undefined);
    if (loaded !== null) digests[id] = await dataDigest(dataDir, loaded.competition, { version });
  }
  return digests;
}

function competitionNames(ids: readonly string[]): Problem | null {
  const bad = ids.find((id) => id.includes("_") || id !== path.basename(id));
  if (bad === undefined) return null;
  // A trial's id is taken apart at its first `_`, here and in the original.
  return {
    code: "BAD_COMPETITION_ID",
    message: `The id "${bad}" must not contain "_" or "/".`,
    nextStep: "rename its folder",
  };
}

async function unknownCompetition({ competitionIds, settings }: JudgedRequest): Promise<Problem | null> {
  for (const id of competitionIds) {
    const loaded = await loadCompetition(id, settings.competitionsDir ?? undefined);
    if (loaded === null) {
      const nearest = nearestIds(id);
      return {
        code: "UNKNOWN_COMPETITION",
        message: `There is no competition "${id}".`,
        nextStep: nearest.length > 0 ? `did you mean: ${nearest.join(", ")}` : "list them all: mlebench list",
      };
    }
    const { competitionVersion: version } = settings;
    if (graderOf(loaded.competition, version) === null)
      return {
        code: "NO_SUCH_VERSION",
        message: `${id} has no version ${version}: nothing of it was corrected.`,
        nextStep: `run the original task: leave out --competition-version`,
      };
  }
  return null;
}

async function unprepared({ competitionIds, settings }: JudgedRequest): Promise<Problem | null> {
  const { competitionVersion: version, dataDir, competitionsDir } = settings;
  const missing: { id: string; dataVersion: CompetitionVersion; loaded: LoadedCompetition }[] = [];
  for (const id of competitionIds) {
    const loaded = await loadCompetition(id, competitionsDir ?? undefined);
    if (loaded === null) continue;
    const { dataVersion } = dataPlaces(dataDir, loaded.competition, version);
    if (!canRun(dataDir, loaded.competition, dataVersion)) missing.push({ id, dataVersion, loaded });
  }
  if (missing.length === 0) return null;
  const [{ id, dataVersion, loaded }] = missing;
  const hint = { version: dataVersion, dataDir, competitionsDir };
  if (missing.length === 1)
    return {
      code: "NOT_PREPARED",
      message: `${id} has no prepared data in ${dataDir}.`,
      nextStep: howToPrepare(loaded, hint),
    };
  const same = missing.filter((one) => one.dataVersion === dataVersion).map((one) => one.id);
  return {
    code: "NOT_PREPARED",
    message: `${missing.length} of ${competitionIds.length} competitions have no prepared data in ${dataDir}: ${some(missing.map((one) => one.id))}.`,
    nextStep: `prepare them: ${prepareCommand(same, hint)}`,
  };
}

function some(ids: readonly string[]): string {
  return ids.slice(0, 3).join(", ") + (ids.length > 3 ? ", …" : "");
}

function materialsProblem(folder: string | null): Problem | null {
  if (folder === null || fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  return {
    code: "NO_MATERIALS",
    message: `${folder} is not a folder.`,
    nextStep: "name one: --materials <folder>",
  };
}

function agentProblem(agent: AgentDefinition): Problem | null {
  const message = codeProblem(agent);
  return message === null ? null : { code: "AGENT_TOO_LARGE", message, nextStep: "make the folder smaller" };
}

/** An agent's id is its author's: as a folder's name it has neither control characters nor more than a file system takes, and no half letters. */
function plainName(id: string): string {
  return [...id.replace(/[^\p{L}\p{N}._+@=-]/gu, "-")].slice(0, 50).join("");
}
