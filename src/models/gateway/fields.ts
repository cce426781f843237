import type { JsonObject, JsonValue } from "../call.ts";

type Test = (value: JsonValue) => boolean;

const isGiven: Test = (value) => value !== null && value !== "" && value !== false;
const isObject: Test = (value) => typeof value === "object" && value !== null;

/**
 * Fields that choose another model, another server or something the provider has stored, whose model, tools and price nobody here
 * can see. They are refused whatever is allowed: taking them out would change what the client meant.
 */
const REFUSED: Record<string, { test: Test; reason: string }> = {
  ...Object.fromEntries(
    ["models", "route", "preset", "fallbacks", "agent_id"].map((name) => [
      name,
      { test: isGiven, reason: "it may choose a model that this run does not name" },
    ]),
  ),
  ...Object.fromEntries(
    ["api_base", "base_url", "api_key", "model_list", "custom_llm_provider", "extra_headers"].map((name) => [
      name,
      { test: isGiven, reason: "it may choose another server" },
    ]),
  ),
  ...Object.fromEntries(
    ["previous_response_id", "conversation", "cachedContent", "cached_content"].map((name) => [
      name,
      { test: isGiven, reason: "it continues what the provider has stored; send the conversation itself" },
    ]),
  ),
  prompt: { test: isObject, reason: "it uses a prompt that the provider has stored; send its text" },
  background: { test: isGiven, reason: "a reply comes while the client waits" },
};

/** Fields that let a provider reach the network or run code, by the names of several providers. */
const PROVIDER_TOOLS = new Set([
  ...["plugins", "search_parameters", "enable_search", "search_options", "web_search", "compound_custom"],
  ...["mcp_servers", "container", "extra_body"],
]);

/** Harmless to leave out: which of several hosts of the same model is to serve it. */
const LEFT_OUT = new Set(["provider"]);

/** All names above. */
export const DECIDED_FIELDS = [...Object.keys(REFUSED), ...PROVIDER_TOOLS, ...LEFT_OUT];

/** Why a request may not be passed on at all; null where nothing is in the way. */
export function refusedField(body: JsonObject): { name: string; message: string } | null {
  for (const [name, { test, reason }] of Object.entries(REFUSED)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value !== undefined && test(value))
      return { name, message: `The field "${name}" is not allowed here: ${reason}.` };
  }
  return null;
}

/** The fields of a request that have to go where nothing may run at the provider. */
export function networkFields(body: JsonObject): { tools: string[]; leftOut: string[] } {
  const given = Object.keys(body).filter((name) => isGiven(body[name]));
  return {
    tools: given.filter((name) => PROVIDER_TOOLS.has(name)),
    leftOut: given.filter((name) => LEFT_OUT.has(name)),
  };
}
