import { randomBytes } from "node:crypto";
import path from "node:path";
import type { Problem } from "../wording/problem.ts";
import { type Budget, createBudget, type Spending } from "./budget.ts";
import type { Places } from "./cassettes/key.ts";
import { type CassetteRecorder, openCassette } from "./cassettes/record.ts";
import { type Cassette, loadCassette } from "./cassettes/replay.ts";
import { loadModelsFile } from "./config/load.ts";
import type { ModelsFile } from "./config/schema.ts";
import { type Gateway, startGateway } from "./gateway/gateway.ts";
import type { GatewayModel, GatewayTiming } from "./gateway/options.ts";
import { openLedger } from "./ledger/ledger.ts";
import { worthMasking } from "./masking.ts";
import { type OfflineFactory, openOffline } from "./offline/offline-models.ts";
import { keyOf, type ResolvedModel, resolveModel } from "./resolve.ts";
import type { ModelSettings, RecordedModels } from "./settings.ts";
import { openTranscripts } from "./transcripts/store.ts";
import { createPaces, type Paces } from "./transport/pace.ts";

/** One role of a run, with what answers for it. */
interface RoleModel {
  role: string;
  id: string;
  /** As the run spells it. */
  given: string;
  model: ResolvedModel;
  factory: OfflineFactory | null;
  cassette: Cassette | null;
}

export interface TrialGatewayRequest {
  listen: { socket: string } | { port: number; host: string };
  /** `model/` in the trial's folder; null keeps nothing. */
  folder: string | null;
  /** Competition and seed. */
  lane: string;
  seed: number;
  places: Places;
  /** Milliseconds that are left. */
  remainingMs: number;
  secrets: readonly string[];
  /** False: whoever reaches it may ask. */
  withToken: boolean;
  /** By earlier attempts of the same trial. */
  spentBefore?: Spending;
}

export interface TrialGateway extends Gateway {
  token: string | null;
  models: readonly GatewayModel[];
  /** For the record; complete once it is closed. */
  record(): RecordedModels;
}

/** The models of a run group: shared are the pace of each provider, the group's budget and the recording. */
export interface RunModels {
  roles: readonly RoleModel[];
  notes: readonly string[];
  /** The keys in use, which must never be written down. */
  keys(): string[];
  openGateway(request: TrialGatewayRequest): Promise<TrialGateway>;
}

export interface OpenModelsOptions {
  mlebenchVersion: string;
  environment?: NodeJS.ProcessEnv;
  /** Spent by earlier trials of the group. */
  spentBefore?: Spending;
  timing?: Partial<GatewayTiming>;
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
  const roles: RoleModel[] = [];
  for (const [role, given] of Object.entries(settings.roles)) {
    const opened = await openRole(role, given, { file, settings, environment });
    if ("code" in opened) return opened;
    roles.push({ ...opened, id: uniqueId(opened, roles) });
  }
  return costProblem(settings, roles) ?? roles;
}

/** The models of a run group, ready for its trials. */
export async function openRunModels(
  settings: ModelSettings,
  { mlebenchVersion, environment = process.env, spentBefore, timing }: OpenModelsOptions,
): Promise<RunModels | Problem> {
  const roles = await findRunModels(settings, environment);
  if ("code" in roles) return roles;
  let recorder: CassetteRecorder | null = null;
  if (settings.record !== null) {
    const ids = Object.fromEntries(roles.map(({ role, id }) => [role, id]));
    const opened = openCassette(settings.record, ids, mlebenchVersion);
    if ("code" in opened) return opened;
    recorder = opened;
  }
  const paces = createPaces();
  const groupBudget = createBudget("this run group", settings.groupLimits, spentBefore);
  return {
    roles,
    notes: roles.flatMap(({ cassette }) => cassette?.notes ?? []),
    keys: () => keysOf(roles, environment),
    openGateway: (request) =>
      openGateway(request, {
        settings,
        roles,
        paces,
        groupBudget,
        recorder,
        environment,
        timing: timing ?? {},
      }),
  };
}

function keysOf(roles: readonly RoleModel[], environment: NodeJS.ProcessEnv): string[] {
  return roles.flatMap(({ model }) => {
    const found = model.kind === "remote" ? keyOf(model, environment) : null;
    return found !== null && "key" in found && found.key !== null ? [found.key] : [];
  });
}

async function openGateway(
  request: TrialGatewayRequest,
  shared: {
    settings: ModelSettings;
    roles: readonly RoleModel[];
    paces: Paces;
    groupBudget: Budget;
    recorder: CassetteRecorder | null;
    environment: NodeJS.ProcessEnv;
    timing: Partial<GatewayTiming>;
  },
): Promise<TrialGateway> {
  const { settings, roles } = shared;
  const { folder, lane, seed } = request;
  const secrets = [...new Set([...request.secrets, ...worthMasking(keysOf(roles, shared.environment))])];
  const token = request.withToken ? `mlebench-${randomBytes(24).toString("base64url")}` : null;
  const refused: Record<string, number> = {};
  const models = roles.map((role) => gatewayModel(role, { lane, seed }));
  const gateway = await startGateway(
    {
      models,
      token,
      budgets: [createBudget("this trial", settings.trialLimits, request.spentBefore), shared.groupBudget],
      paces: shared.paces,
      ledger: openLedger(folder === null ? null : path.join(folder, "ledger.jsonl")),
      transcripts: openTranscripts(folder ?? "", folder === null ? "none" : settings.transcripts, {
        secrets,
      }),
      recorder: shared.recorder,
      lane,
      places: request.places,
      seed,
      providerTools: settings.providerTools,
      deadline: performance.now() + request.remainingMs,
      keyOf: (model) => keyOf(model, shared.environment),
      secrets,
      onProviderTool: (names) => {
        for (const name of names) refused[name] = (refused[name] ?? 0) + 1;
      },
      intake: { bytes: 0 },
      timing: shared.timing,
    },
    request.listen,
  );
  return { ...gateway, token, models, record: () => recordOf(roles, settings, refused) };
}

function gatewayModel(role: RoleModel, trial: { lane: string; seed: number }): GatewayModel {
  const { model, cassette, factory } = role;
  const provider = model.kind === "remote" ? [`${model.provider}/${model.id}`, model.id] : [];
  return {
    role: role.role,
    id: role.id,
    aliases: [role.given, model.name, ...provider],
    model,
    answers:
      cassette !== null
        ? { by: "recording", cassette }
        : factory !== null
          ? { by: "us", offline: factory(trial) }
          : { by: "provider" },
  };
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
  if (unknown === undefined) return null;
  return {
    code: "NO_PRICE",
    message: `Nobody knows what ${unknown.model.name} costs, so --max-cost cannot be enforced.`,
    nextStep: "give its price in models.yaml (docs/models.md), or limit --max-tokens instead",
  };
}

function recordOf(
  roles: readonly RoleModel[],
  settings: ModelSettings,
  providerToolsRefused: Record<string, number>,
): RecordedModels {
  return {
    roles: roles.map(({ role, id, model, cassette }) => ({
      role,
      name: model.name,
      id,
      languageModel: model.kind === "remote" || cassette?.ofLanguageModels === true,
      price: model.price,
      priceSource: model.kind === "remote" ? model.priceSource : null,
    })),
    limits: { trial: settings.trialLimits, group: settings.groupLimits },
    providerTools: settings.providerTools ? "allowed" : "refused",
    transcripts: settings.transcripts,
    providerToolsRefused,
  };
}
