import type { JsonObject, JsonValue } from "../../call.ts";
import { isObject, listOf, objectOf, textOf } from "../json.ts";
import type { BodyEdits, ProviderTool } from "../protocol.ts";

/** Tools the client itself carries out; every other type of tool runs at the provider. */
const CLIENT_TOOLS: ReadonlySet<string> = new Set([
  "function",
  "custom",
  "namespace",
  "local_shell",
  "apply_patch",
  "computer_use_preview",
  "computer",
  // Looks only through the tools of the request itself.
  "tool_search",
]);

function isProviderTool(tool: JsonValue): boolean {
  if (!isObject(tool)) return false;
  const type = textOf(tool.type);
  if (type === "shell") return objectOf(tool.environment).type !== "local";
  return type !== null && type !== "allowed_tools" && !CLIENT_TOOLS.has(type);
}

export function openaiProviderTools(body: JsonValue): ProviderTool[] {
  const request = objectOf(body);
  const tools = listOf(request.tools)
    .filter(isProviderTool)
    .map((tool) => ({ name: textOf(objectOf(tool).type) ?? "unknown" }));
  return isObject(request.web_search_options) ? [...tools, { name: "web_search_options" }] : tools;
}

export function withoutOpenaiProviderTools(body: JsonValue): BodyEdits {
  const request = objectOf(body);
  const tools = listOf(request.tools);
  const kept = tools.filter((tool) => !isProviderTool(tool));
  const edits: BodyEdits = {};
  if (isObject(request.web_search_options)) edits.web_search_options = undefined;
  if (kept.length < tools.length) {
    edits.tools = kept.length > 0 ? kept : undefined;
    const choice = objectOf(request.tool_choice);
    if (kept.length === 0 || isProviderTool(choice)) edits.tool_choice = undefined;
    else if (choice.type === "allowed_tools") edits.tool_choice = withoutAllowed(choice);
    if (kept.length === 0) edits.parallel_tool_calls = undefined;
  }
  return edits;
}

/** A choice among named tools: in Responses the list stands in the choice itself, in Chat Completions one level below. */
function withoutAllowed(choice: JsonObject): JsonObject {
  const kept = (list: JsonValue | undefined) => listOf(list).filter((tool) => !isProviderTool(tool));
  if (Array.isArray(choice.tools)) return { ...choice, tools: kept(choice.tools) };
  const allowed = objectOf(choice.allowed_tools);
  return { ...choice, allowed_tools: { ...allowed, tools: kept(allowed.tools) } };
}
