import path from "node:path";
import type { Spending } from "../../models/budget.ts";
import { MODEL_PORT, modelEnvironment } from "../../models/gateway/environment.ts";
import { readLedger } from "../../models/ledger/ledger.ts";
import type { LedgerLine } from "../../models/ledger/schema.ts";
import type { RunModels } from "../../models/run-models.ts";
import type { Forward } from "../../sandbox/sandbox.ts";
import type { EventLog } from "../trial/events.ts";
import type { TrialPaths } from "../trial/folder.ts";
import type { Trial } from "../trial/schema.ts";

export interface ModelDoorRequest {
  models: RunModels;
  paths: TrialPaths;
  runtimeFolder: string;
  competitionId: string;
  seed: number;
  /** What is left of its time. */
  timeSeconds: number;
  /** By the attempts that it goes on from. */
  spentBefore?: Spending | undefined;
  secrets: readonly string[];
  events: EventLog;
}

/** The trial's own gateway to the models its run has named. */
export interface ModelDoor {
  forward: Forward;
  environment: Record<string, string>;
  /** The agent was told that there is nothing left to spend. */
  budgetSpent(): boolean;
  /** Ends every call; what they came to is for the record. */
  close(): Promise<Partial<Trial>>;
}

export async function openModelDoor(request: ModelDoorRequest): Promise<ModelDoor> {
  const { models, paths, runtimeFolder, events } = request;
  const socket = path.join(runtimeFolder, "models.sock");
  const gateway = await models.openGateway({
    listen: { socket },
    folder: paths.model,
    lane: `${request.competitionId}, seed ${request.seed}`,
    seed: request.seed,
    places: [
      [paths.folder, "TRIAL"],
      [runtimeFolder, "RUN"],
    ],
    remainingMs: request.timeSeconds * 1000,
    secrets: [...request.secrets, ...models.keys()],
    withToken: true,
    ...(request.spentBefore === undefined ? {} : { spentBefore: request.spentBefore }),
  });
  return {
    forward: { port: MODEL_PORT, socket },
    environment: modelEnvironment(gateway.models, gateway.token!),
    budgetSpent: gateway.budgetSpent,
    async close() {
      await gateway.close();
      const totals = gateway.totals();
      const access = gateway.record();
      const leftovers = gateway.leftovers();
      events.append("models", { totals, refused: access.providerToolsRefused, leftovers });
      return {
        modelAccess: access,
        modelTotals: totals,
        ...claimsOf(readLedger(path.join(paths.model, "ledger.jsonl")).lines),
      };
    },
  };
}

/** What a record says of each model by name. A cost that is not known of every call is not known. */
function claimsOf(lines: readonly LedgerLine[]): Pick<Trial, "models" | "calls" | "tokens" | "cost"> {
  const reached = lines.filter(({ outcome }) => outcome !== "refused");
  const names = [...new Set(reached.map(({ model }) => model ?? "unknown"))];
  const models = names.map((asked) => {
    const own = reached.filter(({ model }) => (model ?? "unknown") === asked);
    const used = own.flatMap(({ usage }) => (usage === null ? [] : [usage]));
    return {
      asked,
      answered: [
        ...new Set(own.flatMap(({ modelAnswered }) => (modelAnswered === null ? [] : [modelAnswered]))),
      ],
      calls: own.length,
      inputTokens: sum(
        used.map(({ inputUncached, cacheRead, cacheWrite }) => inputUncached + cacheRead + cacheWrite),
      ),
      outputTokens: sum(used.map(({ output }) => output)),
      cost: costOf(own),
    };
  });
  return {
    models,
    calls: reached.length,
    tokens: sum(models.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)),
    cost: costOf(reached),
  };
}

function costOf(lines: readonly LedgerLine[]): number | null {
  const charged = lines.filter(({ usage }) => usage !== null);
  return charged.some(({ cost }) => cost === null) ? null : sum(charged.map(({ cost }) => cost!));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
