import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { stringify } from "yaml";
import type { GatewayTiming } from "../../../src/models/gateway/options.ts";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import type { LedgerLine } from "../../../src/models/ledger/schema.ts";
import {
  type OpenModelsOptions,
  openRunModels,
  type RunModels,
  type TrialGateway,
} from "../../../src/models/run-models.ts";
import type { ModelSettings } from "../../../src/models/settings.ts";

export const REAL_KEY = "sk-real-key-of-the-provider-0123456789";

export interface Setting {
  gateway: TrialGateway;
  models: RunModels;
  folder: string;
  ledger(): LedgerLine[];
  /** Closes and reads the ledger. */
  end(): Promise<LedgerLine[]>;
}

export interface SettingRequest {
  folder: string;
  roles: Record<string, string>;
  /** Content of models.yaml. */
  file?: object;
  settings?: Partial<ModelSettings>;
  withToken?: boolean;
  remainingMs?: number;
  lane?: string;
  timing?: Partial<GatewayTiming>;
  secrets?: string[];
  /** As another process of the same group would open it. */
  together?: OpenModelsOptions["together"];
}

/** A gateway on a port of this machine, with its ledger in a folder. */
export async function openSetting(request: SettingRequest): Promise<Setting> {
  const { folder } = request;
  const modelsFile = path.join(folder, "models.yaml");
  fs.writeFileSync(modelsFile, stringify(request.file ?? {}));
  const models = await openRunModels(
    {
      roles: request.roles,
      modelsFile,
      trialLimits: {},
      groupLimits: {},
      providerTools: false,
      transcripts: "full",
      record: null,
      ...request.settings,
    },
    {
      mlebenchVersion: "test",
      environment: { ANTHROPIC_API_KEY: REAL_KEY, OPENAI_API_KEY: REAL_KEY, GEMINI_API_KEY: REAL_KEY },
      timing: { retryMs: 5, ...request.timing },
      ...(request.together === undefined ? {} : { together: request.together }),
    },
  );
  if ("code" in models) throw new Error(models.message);
  return { ...(await openTrial(models, request)), models };
}

/** One more trial of the same group. */
export async function openTrial(
  models: RunModels,
  request: Pick<SettingRequest, "folder" | "withToken" | "remainingMs" | "lane" | "secrets">,
): Promise<Omit<Setting, "models">> {
  const folder = path.join(request.folder, "model");
  const gateway = await models.openGateway({
    listen: { port: 0, host: "127.0.0.1" },
    folder,
    lane: request.lane ?? "some-competition, seed 0",
    seed: 0,
    places: [],
    remainingMs: request.remainingMs ?? 60_000,
    secrets: request.secrets ?? [],
    withToken: request.withToken ?? false,
  });
  const ledger = () => readLedger(path.join(folder, "ledger.jsonl")).lines;
  return {
    gateway,
    folder,
    ledger,
    async end() {
      await gateway.close();
      return ledger();
    },
  };
}

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** False: the connection was cut. */
  whole: boolean;
}

/** One request over a connection of its own. */
export function post(
  url: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  {
    method = "POST",
    abortAfterMs,
    abortWhen,
  }: { method?: string; abortAfterMs?: number; abortWhen?: () => boolean } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method,
      agent: false,
      headers: { "content-type": "application/json", ...headers },
    });
    request.on("error", (error) =>
      abortAfterMs === undefined && abortWhen === undefined
        ? reject(error)
        : resolve({ status: 0, headers: {}, body: Buffer.alloc(0), whole: false }),
    );
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          whole: response.complete,
        });
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", done);
      response.on("error", done);
    });
    if (abortAfterMs !== undefined) setTimeout(() => request.destroy(), abortAfterMs);
    if (abortWhen !== undefined) {
      const timer = setInterval(() => abortWhen() && request.destroy(), 5);
      request.on("close", () => clearInterval(timer));
    }
    request.end(method === "GET" || method === "HEAD" ? undefined : body);
  });
}

export function ask(model: string, text = "Hello", more: object = {}): string {
  return JSON.stringify({ model, max_tokens: 100, messages: [{ role: "user", content: text }], ...more });
}
