import type {
  CallSettings,
  JsonObject,
  Message,
  ModelCall,
  Outcome,
  ReplyPart,
  Tool,
  UserPart,
} from "../../call.ts";
import { argumentsObject } from "../arguments.ts";
import { asUserText, fitIds, JSON_ONLY, joinNeighbours, withFunctionsOnly } from "../conversation.ts";
import type { WrittenRequest } from "../protocol.ts";
import { ownBlock } from "./thinking.ts";

const ID_RULE = { pattern: /^[A-Za-z0-9_-]+$/, maxLength: 64 };
/** The protocol wants a limit where others have none. */
const DEFAULT_MAX_TOKENS = 16_384;
const MIN_THINKING_BUDGET = 1024;

export function writeRequest(original: ModelCall): Outcome<WrittenRequest> {
  const notes = new Set<string>();
  const call = withFunctionsOnly(original, notes);
  const fitted = fitIds(call.messages, ID_RULE);
  if (!fitted.ok) return fitted;
  const { settings } = call;
  const system = settings.json?.schema === null ? [...call.system, JSON_ONLY] : call.system;
  const maxTokens = settings.maxOutputTokens ?? DEFAULT_MAX_TOKENS;
  if (settings.maxOutputTokens === undefined)
    notes.add(`an output limit of ${DEFAULT_MAX_TOKENS} tokens was added`);
  const body: JsonObject = {
    model: call.model,
    max_tokens: maxTokens,
    messages: writeMessages(fitted.value, notes),
  };
  if (system.length > 0)
    body.system = system.length === 1 ? system[0]! : system.map((text) => ({ type: "text", text }));
  if (call.tools.length > 0) {
    body.tools = call.tools.map((tool) => writeTool(tool, notes));
    const choice = writeToolChoice(call);
    if (choice) body.tool_choice = choice;
  }
  writeSettings(settings, maxTokens, body, notes);
  if (call.stream) body.stream = true;
  const headers = { "anthropic-version": "2023-06-01" };
  return { ok: true, value: { method: "POST", path: "/v1/messages", headers, body, notes: [...notes] } };
}

function writeSettings(
  settings: CallSettings,
  maxTokens: number,
  body: JsonObject,
  notes: Set<string>,
): void {
  if (settings.temperature !== undefined) {
    if (settings.temperature > 1) notes.add("a temperature above 1 became 1");
    body.temperature = Math.min(1, settings.temperature);
  }
  if (settings.topP !== undefined) body.top_p = settings.topP;
  if (settings.topK !== undefined) body.top_k = settings.topK;
  if (settings.stop) body.stop_sequences = settings.stop;
  if (settings.seed !== undefined) notes.add("seed");
  if (settings.presencePenalty || settings.frequencyPenalty) notes.add("penalties on repetition");
  const budget = settings.thinkingBudget;
  if (settings.effort === "none" || budget === 0) body.thinking = { type: "disabled" };
  else if (budget !== undefined && budget >= MIN_THINKING_BUDGET && budget < maxTokens) {
    body.thinking = { type: "enabled", budget_tokens: budget };
  } else if (budget !== undefined && budget > 0) notes.add("the thinking budget");
  const output: JsonObject = {};
  if (settings.effort && settings.effort !== "none")
    output.effort = settings.effort === "minimal" ? "low" : settings.effort;
  if (settings.json?.schema) output.format = { type: "json_schema", schema: settings.json.schema };
  if (Object.keys(output).length > 0) body.output_config = output;
}

interface Turn {
  role: string;
  content: JsonObject[];
}

function writeMessages(messages: Message[], notes: Set<string>): JsonObject[] {
  const turns = messages.map((message): Turn => {
    if (message.role === "assistant")
      return { role: "assistant", content: message.parts.flatMap((p) => writePart(p, notes)) };
    if (message.role === "user") return { role: "user", content: message.parts.flatMap(writeUserPart) };
    notes.add("an instruction in the middle of the conversation went into the user's message");
    return {
      role: "user",
      content: message.parts.map((part) => ({ type: "text", text: asUserText(part.text) })),
    };
  });
  const filled = turns.filter((turn) => turn.content.length > 0);
  // A conversation starts with the user, and what an empty message said was nothing.
  if (filled[0]?.role !== "user")
    filled.unshift({ role: "user", content: [{ type: "text", text: "(no content)" }] });
  return joinNeighbours(filled).map(({ role, content }) => {
    const first = content.filter((block) => block.type === "tool_result");
    const rest = content.filter((block) => block.type !== "tool_result");
    return { role, content: role === "user" ? [...first, ...rest] : content };
  });
}

function writePart(part: ReplyPart, notes: Set<string>): JsonObject[] {
  if (part.type === "tool-call") {
    return [{ type: "tool_use", id: part.id, name: part.name, input: argumentsObject(part.input) }];
  }
  if (part.type === "thinking") {
    const own = ownBlock(part.opaque);
    if (!own) notes.add("thinking of earlier turns");
    return own ? [own] : [];
  }
  return part.text === "" ? [] : [{ type: "text", text: part.text }];
}

function writeUserPart(part: UserPart): JsonObject[] {
  if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
  if (part.type === "image") {
    const { source } = part;
    const written: JsonObject =
      source.kind === "url"
        ? { type: "url", url: source.url }
        : { type: "base64", media_type: source.mediaType, data: source.data };
    return [{ type: "image", source: written }];
  }
  const content = part.content.flatMap(writeUserPart);
  const only = content.length === 1 && content[0]!.type === "text" ? content[0]!.text! : content;
  const result: JsonObject = {
    type: "tool_result",
    tool_use_id: part.callId,
    content: content.length === 0 ? "" : only,
  };
  if (part.isError) result.is_error = true;
  return [result];
}

function writeTool(tool: Tool, notes: Set<string>): JsonObject {
  if (tool.strict) notes.add("strict arguments of a tool");
  const written: JsonObject = { name: tool.name };
  if (tool.description !== null) written.description = tool.description;
  written.input_schema = { type: "object", ...(tool.schema ?? { properties: {} }) };
  return written;
}

function writeToolChoice(call: ModelCall): JsonObject | null {
  const { toolChoice, settings } = call;
  const one = settings.parallelToolCalls === false && toolChoice?.type !== "none";
  if (!toolChoice && !one) return null;
  const choice: JsonObject =
    toolChoice?.type === "tool"
      ? { type: "tool", name: toolChoice.name }
      : { type: toolChoice?.type ?? "auto" };
  return one ? { ...choice, disable_parallel_tool_use: true } : choice;
}
