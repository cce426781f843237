import type { Problem } from "../wording/problem.ts";

export const REMOTE_PROVIDERS = [
  "anthropic",
  "openai",
  "gemini",
  "openrouter",
  "azure",
  "compatible",
] as const;
export type RemoteProvider = (typeof REMOTE_PROVIDERS)[number];

/** Models that need no network. */
export const OFFLINE_KINDS = ["scripted", "recorded", "simulated", "echo"] as const;
export type OfflineKind = (typeof OFFLINE_KINDS)[number];

/** A model's name taken apart: `anthropic:claude-sonnet-5` is provider and model. */
export type ModelName =
  | { kind: "remote"; provider: RemoteProvider; model: string; baseUrl: string | null }
  | { kind: "offline"; offline: OfflineKind; argument: string };

const EXAMPLES =
  "such as anthropic:claude-sonnet-5, compatible:qwen3@http://127.0.0.1:8000/v1 or scripted:replies.yaml";

/**
 * Takes `provider:model` apart. A compatible server may stand behind an @: `compatible:qwen3@http://127.0.0.1:8000/v1`.
 * Names of a `models.yaml` are not known here.
 */
export function parseModelName(text: string): ModelName | Problem {
  if (text === "echo") return { kind: "offline", offline: "echo", argument: "" };
  const colon = text.indexOf(":");
  const prefix = text.slice(0, Math.max(0, colon));
  const rest = text.slice(colon + 1);
  if (isOneOf(OFFLINE_KINDS, prefix)) {
    if (prefix !== "echo" && rest === "") return badName(text, `${prefix}: says nothing about what to use`);
    return { kind: "offline", offline: prefix, argument: rest };
  }
  if (!isOneOf(REMOTE_PROVIDERS, prefix))
    return badName(text, "it is not a name of models.yaml and has no known provider");
  const at = prefix === "compatible" ? rest.search(/@https?:\/\//) : -1;
  const model = at < 0 ? rest : rest.slice(0, at);
  const baseUrl = at < 0 ? null : rest.slice(at + 1);
  if (model === "" || /[\s\p{Cc}]/u.test(model))
    return badName(text, "the model's own name is missing or has spaces in it");
  if (baseUrl !== null && !URL.canParse(baseUrl)) return badName(text, `${baseUrl} is not an address`);
  return { kind: "remote", provider: prefix, model, baseUrl };
}

/** What a model is for, in one word. */
export const ROLE = /^[A-Za-z][A-Za-z0-9_-]{0,30}$/;

/** By this variable an agent finds the model of a role. */
export function roleVariable(role: string): string {
  return `MLEBENCH_MODEL_${role.toUpperCase().replaceAll("-", "_")}`;
}

/** `code=openai:gpt-5` is a role and a model; a name alone is for the role "default". */
export function parseRole(text: string): { role: string; name: string } | Problem {
  const [role, name] = text.split(/=(.+)/s);
  if (name !== undefined && ROLE.test(role)) return { role, name };
  if (text.trim() === "") return badName(text, "it is empty");
  return { role: "default", name: text };
}

function badName(text: string, cause: string): Problem {
  return {
    code: "BAD_MODEL",
    message: `"${text.slice(0, 200)}" is not a model: ${cause}.`,
    nextStep: `write provider:model, ${EXAMPLES}; see mlebench models list`,
  };
}

function isOneOf<const T extends readonly string[]>(list: T, text: string): text is T[number] {
  return list.includes(text);
}
