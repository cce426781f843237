import type { JsonObject, JsonValue } from "../call.ts";
import type { BodyEdits, Protocol } from "../protocols/protocol.ts";
import { DECIDED_FIELDS, networkFields, refusedField } from "./fields.ts";
import { misreading } from "./misreadings.ts";
import type { GatewayModel, GatewayOptions } from "./options.ts";

/** Finds the model a client asks for; only those the run has named are there. */
export function findModel(
  asked: string | null,
  roleHeader: string | undefined,
  { models }: GatewayOptions,
): GatewayModel | { refusal: string } {
  const names = models.map(({ id }) => id);
  if (roleHeader !== undefined) {
    const byRole = models.find(({ role }) => role === roleHeader);
    return byRole ?? { refusal: `This run has no model for the role "${roleHeader.slice(0, 100)}".` };
  }
  if (asked === null || asked === "")
    return { refusal: `The request names no model; this run has ${names.join(", ")}.` };
  const wanted = asked.replace(/^models\//, "");
  const found =
    models.find(({ role }) => role === wanted) ??
    models.find(({ id, aliases }) => id === wanted || aliases.includes(wanted));
  return (
    found ?? { refusal: `The model "${asked.slice(0, 200)}" is not one of this run's: ${names.join(", ")}.` }
  );
}

export type ToolPolicy =
  | { status: "fine"; edits: BodyEdits; removed: string[]; notes: string[] }
  | { status: "refused"; message: string; names: string[] };

/** Takes out what would let the provider reach the network for the agent, and refuses what cannot be taken out. */
export function withoutNetwork(protocol: Protocol, body: JsonValue, allowed: boolean): ToolPolicy {
  const fields = isObject(body) ? body : {};
  const misread = misreading(fields, DECIDED_FIELDS);
  if (misread !== null) return { status: "refused", names: [], message: misread };
  const refused = refusedField(fields);
  if (refused !== null) return { status: "refused", names: [refused.name], message: refused.message };
  if (allowed) return { status: "fine", edits: {}, removed: [], notes: [] };
  const address = remoteAddress(body);
  if (address !== null)
    return {
      status: "refused",
      names: ["address"],
      message: `The request asks the provider to fetch ${address.slice(0, 100)}; that is network, which this trial does not have (--provider-tools allows it). Send the content itself.`,
    };
  const tools = protocol.providerTools(body).map(({ name }) => name);
  const edits = tools.length === 0 ? {} : protocol.withoutProviderTools(body);
  const { tools: more, leftOut } = networkFields(fields);
  for (const name of [...more, ...leftOut]) edits[name] = undefined;
  return {
    status: "fine",
    edits,
    removed: [...tools, ...more.filter((name) => !tools.includes(name))],
    notes: leftOut.map(
      (name) => `the field "${name}" was left out: the run chooses where its model is asked`,
    ),
  };
}

const CONVERSATION = "messages input contents system instructions systemInstruction system_instruction".split(
  " ",
);

/** An address in the conversation that the provider would fetch. What tools were called with is only text to it. */
function remoteAddress(body: JsonValue): string | null {
  if (!isObject(body)) return null;
  for (const name of CONVERSATION) {
    const found = name in body ? addressIn(body[name], 0) : null;
    if (found !== null) return found;
  }
  return null;
}

const FETCHED = new Set(
  "image_url file_url fileUri file_uri video_url audio_url file_data fileData".split(" "),
);
/** Names of what lies in the account of whoever runs this: not the agent's to read. */
const STORED = new Set(["file_id", "fileUri", "file_uri"]);
const ONLY_TEXT = new Set(["arguments", "args", "output", "text"]);
const MAX_DEPTH = 24;

function addressIn(value: JsonValue, depth: number): string | null {
  if (depth > MAX_DEPTH || value === null || typeof value !== "object") return null;
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = addressIn(item, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }
  if (value.type === "item_reference") return "a stored item";
  const isCall = value.type === "tool_use" || value.type === "function_call";
  for (const [key, item] of Object.entries(value)) {
    if ((isCall && key === "input") || ONLY_TEXT.has(key)) {
      if (typeof item === "string" || isCall || key === "args") continue;
    }
    const address = FETCHED.has(key) ? (isObject(item) ? item.url : item) : undefined;
    if (isAddress(address)) return address;
    if (STORED.has(key) && typeof item === "string" && !isData(item)) return `the stored file ${item}`;
    if (key === "url" && value.type === "url" && isAddress(item)) return item;
    const found = addressIn(item, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Whatever could be taken for one: `https:/x` and `//x` are addresses to some programs. Data in Base64 has no colon. */
function isAddress(value: JsonValue | undefined): value is string {
  return (
    typeof value === "string" && !isData(value) && /^[^a-z0-9+/]*([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(value)
  );
}

function isData(value: string): boolean {
  return /^data:/i.test(value);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
