import path from "node:path";
import type { Problem } from "../wording/problem.ts";
import type { ProtocolName } from "./call.ts";
import type { ModelEntry, ModelsFile, Price } from "./config/schema.ts";
import { type ModelName, type OfflineKind, parseModelName, type RemoteProvider } from "./names.ts";
import { knownModel } from "./prices/table.ts";
import { providers } from "./providers/providers.ts";

/** A model of a provider, with everything but the key: that is only looked up where a call is made. */
export interface RemoteModel {
  kind: "remote";
  /** As a person names it: `anthropic:claude-sonnet-5`. Stands in every record. */
  name: string;
  provider: RemoteProvider;
  /** As the provider calls it. */
  id: string;
  baseUrl: string;
  protocols: readonly ProtocolName[];
  keyVariables: readonly string[];
  needsKey: boolean;
  price: Price | null;
  /** Where the price is from: a file of the user, or the table and its date. */
  priceSource: string | null;
  /** Where its training data end; null where nobody says. */
  cutoff: string | null;
  context: number | null;
  maxOutput: number | null;
  sampling: boolean;
  concurrency: number;
  callsPerMinute: number | null;
  stallSeconds: number | null;
}

export interface OfflineModelName {
  kind: "offline";
  name: string;
  offline: OfflineKind;
  /** A file, made absolute, or a policy; "" for echo. */
  argument: string;
  price: Price | null;
  cutoff: string | null;
}

export type ResolvedModel = RemoteModel | OfflineModelName;

/** Turns a name into something that can be asked. Nothing is contacted and no key is read. */
export function resolveModel(
  name: string,
  file: ModelsFile,
  environment: NodeJS.ProcessEnv = process.env,
): ResolvedModel | Problem {
  const entry: ModelEntry | null = Object.hasOwn(file.models, name) ? file.models[name] : null;
  const parsed = parseModelName(entry?.model ?? name);
  if ("code" in parsed) return parsed;
  if (parsed.kind === "offline") return offline(parsed, entry);
  const provider = providers[parsed.provider];
  const own = file.providers[parsed.provider];
  const baseUrl =
    entry?.base_url ??
    parsed.baseUrl ??
    own?.base_url ??
    (provider.baseUrlVariable === null ? undefined : environment[provider.baseUrlVariable]) ??
    provider.baseUrl;
  if (baseUrl === null || !URL.canParse(baseUrl))
    return {
      code: "NO_BASE_URL",
      message: `Nobody has said where ${name} is reached.`,
      nextStep: `give its base_url in models.yaml, or set ${provider.baseUrlVariable}${parsed.provider === "compatible" ? `, or write compatible:${parsed.model}@http://127.0.0.1:8000/v1` : ""}`,
    };
  const known = knownModel(`${provider.pricePrefix}${parsed.model}`) ?? knownModel(parsed.model);
  // A server of one's own has no public price, whatever the model is called.
  const listed = parsed.provider === "compatible" || parsed.provider === "openrouter" ? null : known;
  const price = entry?.price ?? listed?.price ?? null;
  const key = entry?.key ?? own?.key;
  return {
    kind: "remote",
    name: entry?.model === undefined ? withoutAddress(name) : withoutAddress(entry.model),
    provider: parsed.provider,
    id: parsed.model,
    baseUrl,
    protocols: entry?.protocols ?? own?.protocols ?? provider.protocols,
    keyVariables: key === undefined ? provider.keyVariables : [key],
    needsKey: provider.needsKey || key !== undefined,
    price,
    priceSource:
      entry?.price !== undefined ? "models.yaml" : price === null ? null : `table of ${listed?.asOf}`,
    cutoff: entry?.cutoff ?? null,
    context: entry?.context ?? known?.context ?? null,
    maxOutput: entry?.max_output ?? known?.maxOutput ?? null,
    sampling: entry?.sampling ?? known?.sampling ?? true,
    concurrency: own?.concurrency ?? provider.concurrency,
    callsPerMinute: own?.calls_per_minute ?? provider.callsPerMinute,
    stallSeconds: own?.stall_seconds ?? null,
  };
}

function offline(
  { offline, argument }: Extract<ModelName, { kind: "offline" }>,
  entry: ModelEntry | null,
): OfflineModelName {
  const isFile = offline === "scripted" || offline === "recorded";
  return {
    kind: "offline",
    // The file's name is enough for a reader, and a path of somebody's machine is not for a record.
    name: argument === "" ? offline : `${offline}:${isFile ? path.basename(argument) : argument}`,
    offline,
    argument: isFile ? path.resolve(argument) : argument,
    price: entry?.price ?? null,
    cutoff: entry?.cutoff ?? null,
  };
}

/** The address of somebody's own server does not belong into a record. */
function withoutAddress(name: string): string {
  return name.startsWith("compatible:") ? name.replace(/@https?:\/\/.*$/s, "") : name;
}

/** The provider's key; null where it has none and needs none. */
export function keyOf(
  model: RemoteModel,
  environment: NodeJS.ProcessEnv = process.env,
): { key: string | null } | Problem {
  const variable = model.keyVariables.find((name) => (environment[name] ?? "").trim() !== "");
  if (variable !== undefined) return { key: environment[variable]!.trim() };
  if (!model.needsKey) return { key: null };
  return {
    code: "NO_MODEL_KEY",
    message: `${model.name} needs a key, and ${model.keyVariables.join(" or ")} is not set.`,
    nextStep: `set it: export ${model.keyVariables[0]}=…`,
  };
}
