import type { Problem } from "../wording/problem.ts";
import { type Cassette, loadCassette } from "./cassettes/replay.ts";
import { loadModelsFile } from "./config/load.ts";
import type { ModelsFile } from "./config/schema.ts";
import { roleVariable } from "./names.ts";
import { type OfflineFactory, openOffline } from "./offline/offline-models.ts";
import { keyOf, type ResolvedModel, resolveModel } from "./resolve.ts";
import type { ModelSettings } from "./settings.ts";

/** One role of a run, with what answers for it. */
export interface RoleModel {
  role: string;
  id: string;
  /** As the run spells it. */
  given: string;
  model: ResolvedModel;
  factory: OfflineFactory | null;
  cassette: Cassette | null;
}

/**
 * Finds everything a run names before anything is started: names, files, keys, prices where a limit needs them. Nothing
 * is contacted and nothing is written.
 */
export async function findRunModels(
  settings: ModelSettings,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<readonly RoleModel[] | Problem> {
  const file = loadModelsFile(settings.modelsFile);
  if ("code" in file) return file;
  const clash = roleProblem(Object.keys(settings.roles));
  if (clash !== null) return clash;
  const roles: RoleModel[] = [];
  for (const [role, given] of Object.entries(settings.roles)) {
    const opened = await openRole(role, given, { file, settings, environment });
    if ("code" in opened) return opened;
    roles.push({ ...opened, id: uniqueId(opened, roles) });
  }
  return costProblem(settings, roles) ?? roles;
}

/** Variables of their own, which a role would write over. */
const TAKEN = ["MLEBENCH_MODEL_URL", "MLEBENCH_MODEL_TOKEN"];

/** An agent finds the model of a role by a variable: two roles must not have the same one. */
function roleProblem(roles: readonly string[]): Problem | null {
  const seen = new Map(TAKEN.map((name) => [name, "what an agent finds there anyway"]));
  for (const role of roles) {
    const variable = roleVariable(role);
    const other = seen.get(variable);
    if (other !== undefined)
      return {
        code: "BAD_ROLE",
        message: `The role "${role}" would stand in ${variable}, which is for ${other}.`,
        nextStep: `give it another name: --model ${role}2=<name>`,
      };
    seen.set(variable, `the role "${role}"`);
  }
  return null;
}

async function openRole(
  role: string,
  given: string,
  {
    file,
    settings,
    environment,
  }: { file: ModelsFile; settings: ModelSettings; environment: NodeJS.ProcessEnv },
): Promise<Omit<RoleModel, "id"> | Problem> {
  const model = resolveModel(given, file, environment);
  if ("code" in model) return model;
  if (model.kind === "remote") {
    const key = keyOf(model, environment);
    return "code" in key ? key : { role, given, model, factory: null, cassette: null };
  }
  if (model.offline === "recorded") {
    if (settings.record !== null)
      return {
        code: "RECORD_AND_REPLAY",
        message: "A run that is replayed cannot be recorded at the same time.",
        nextStep: "leave out --record, or name another --model",
      };
    const cassette = loadCassette(model.argument);
    return "code" in cassette ? cassette : { role, given, model, factory: null, cassette };
  }
  const factory = await openOffline(model);
  return typeof factory === "function" ? { role, given, model, factory, cassette: null } : factory;
}

/** What the agent calls a model: the provider's own name for it, in a replay the recorded one. */
function uniqueId({ role, model, cassette }: Omit<RoleModel, "id">, others: readonly RoleModel[]): string {
  const recorded = cassette?.header.roles[role] ?? Object.values(cassette?.header.roles ?? {})[0];
  if (recorded !== undefined) return recorded;
  const id = model.kind === "remote" ? model.id : model.offline;
  const taken = others.some((other) => other.id === id && other.model.name !== model.name);
  return taken ? `${id}-${role}` : id;
}

/** A limit on cost that nobody can check is none. */
function costProblem(
  { trialLimits, groupLimits }: ModelSettings,
  roles: readonly RoleModel[],
): Problem | null {
  if (trialLimits.cost === undefined && groupLimits.cost === undefined) return null;
  const unknown = roles.find(
    ({ model }) => model.kind === "remote" && model.price === null && model.provider !== "openrouter",
  );
  const free = roles.find(
    ({ model, cassette }) => model.kind === "offline" && model.price === null && cassette === null,
  );
  if (free !== undefined)
    return {
      code: "NO_PRICE",
      message: `${free.model.name} costs nothing, so --max-cost would limit nothing.`,
      nextStep: "limit --max-calls or --max-tokens; or give it a price in models.yaml, for a rehearsal",
    };
  if (unknown === undefined) return null;
  return {
    code: "NO_PRICE",
    message: `Nobody knows what ${unknown.model.name} costs, so --max-cost cannot be enforced.`,
    nextStep: "give its price in models.yaml (docs/models.md), or limit --max-tokens instead",
  };
}
