import { randomBytes } from "node:crypto";
import path from "node:path";
import type { Problem } from "../wording/problem.ts";
import { type Budget, createBudget, nothing, type Spending } from "./budget.ts";
import type { Places } from "./cassettes/key.ts";
import { type CassetteRecorder, openCassette } from "./cassettes/record.ts";
import { findRunModels, type RoleModel } from "./find-models.ts";
import { type Gateway, startGateway } from "./gateway/gateway.ts";
import { createIntake } from "./gateway/intake.ts";
import type { GatewayModel, GatewayTiming } from "./gateway/options.ts";
import { openLedger } from "./ledger/ledger.ts";
import { worthMasking } from "./masking.ts";
import { keyOf } from "./resolve.ts";
import type { ModelSettings, RecordedModels } from "./settings.ts";
import { sharePace } from "./together/slots.ts";
import { shareSpending } from "./together/spending.ts";
import { openTranscripts } from "./transcripts/store.ts";
import { createPaces, type Paces } from "./transport/pace.ts";

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
  spentBefore?: () => Spending;
  /** Where processes that run trials of one group tell each other what they spend; `paces`: and whom they ask. */
  together?: { folder: string; paces: boolean };
  timing?: Partial<GatewayTiming>;
}

/** The models of a run group, ready for its trials. */
export async function openRunModels(
  settings: ModelSettings,
  { mlebenchVersion, environment = process.env, spentBefore = nothing, together, timing }: OpenModelsOptions,
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
  const paces = createPaces(
    together?.paces
      ? (address, limits) => sharePace(path.join(together.folder, "paces"), address, limits)
      : undefined,
  );
  const accounts =
    isLimited(settings.groupLimits) && together !== undefined
      ? shareSpending(path.join(together.folder, "spending"), spentBefore)
      : null;
  const groupBudget = createBudget(
    "this run group",
    settings.groupLimits,
    accounts === null ? { before: spentBefore() } : { shared: accounts },
  );
  let open = 0;
  return {
    roles,
    notes: roles.flatMap(({ cassette }) => cassette?.notes ?? []),
    keys: () => keysOf(roles, environment),
    async openGateway(request) {
      const gateway = await openGateway(request, {
        settings,
        roles,
        paces,
        groupBudget,
        recorder,
        environment,
        timing: timing ?? {},
      });
      open++;
      let closed: Promise<void> | null = null;
      const close = async () => {
        await gateway.close();
        // A limit of the group counts what all its processes spend; this one has ended, for now.
        if (--open === 0) await accounts?.leave();
      };
      return {
        ...gateway,
        close() {
          closed ??= close();
          return closed;
        },
      };
    },
  };
}

function isLimited(limits: ModelSettings["groupLimits"]): boolean {
  return Object.values(limits).some((limit) => limit !== undefined);
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
  const refused: Record<string, number> = Object.create(null);
  const models = roles.map((role) => gatewayModel(role, { lane, seed }));
  const gateway = await startGateway(
    {
      models,
      token,
      budgets: [
        createBudget("this trial", settings.trialLimits, { before: request.spentBefore }),
        shared.groupBudget,
      ],
      paces: shared.paces,
      ledger: openLedger(
        folder === null ? null : path.join(folder, "ledger.jsonl"),
        shared.timing.ledgerBytes,
      ),
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
        for (const name of names) count(refused, name);
      },
      intake: createIntake(),
      timing: shared.timing,
    },
    request.listen,
  );
  return { ...gateway, token, models, record: () => recordOf(roles, settings, refused) };
}

const MAX_NAMES = 50;
const MAX_NAME = 60;

/** An agent chooses these names, and the certificate shows them. */
function count(counts: Record<string, number>, name: string): void {
  const short = name.slice(0, MAX_NAME);
  const known = Object.hasOwn(counts, short) || Object.keys(counts).length < MAX_NAMES;
  const key = known ? short : "others";
  counts[key] = (counts[key] ?? 0) + 1;
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
      ...(model.cutoff === null ? {} : { cutoff: model.cutoff }),
    })),
    limits: { trial: settings.trialLimits, group: settings.groupLimits },
    providerTools: settings.providerTools ? "allowed" : "refused",
    transcripts: settings.transcripts,
    providerToolsRefused,
  };
}
