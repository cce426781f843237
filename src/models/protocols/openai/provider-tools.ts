import type { JsonObject, JsonValue } from "../../call.ts";
import { isObject, listOf, objectOf, objectsOf, textOf } from "../json.ts";
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

/** The provider's tools among these, and among those that a namespace holds. */
function namesIn(tools: JsonValue | undefined): string[] {
  return objectsOf(tools).flatMap((tool) =>
    isProviderTool(tool) ? [textOf(tool.type) ?? "unknown"] : namesIn(tool.tools),
  );
}

/** The client's own tools; a namespace of which nothing is left goes too. */
function clientTools(tools: JsonValue | undefined): JsonValue[] {
  return listOf(tools).flatMap((tool) => {
    if (isProviderTool(tool)) return [];
    if (!isObject(tool) || namesIn(tool.tools).length === 0) return [tool];
    const inner = clientTools(tool.tools);
    return inner.length > 0 ? [{ ...tool, tools: inner }] : [];
  });
}

export function openaiProviderTools(body: JsonValue): ProviderTool[] {
  const request = objectOf(body);
  const tools = [...namesIn(request.tools), ...namesIn(itemsWithTools(request))].map((name) => ({ name }));
  return isObject(request.web_search_options) ? [...tools, { name: "web_search_options" }] : tools;
}

/** Items of a conversation can bring tools of their own: what a search for tools has found. */
function itemsWithTools(request: JsonObject): JsonObject[] {
  return objectsOf(request.input)
    .filter(({ tools }) => Array.isArray(tools))
    .map(({ tools }) => ({ tools: tools! }));
}

export function withoutOpenaiProviderTools(body: JsonValue): BodyEdits {
  const request = objectOf(body);
  const kept = clientTools(request.tools);
  const edits: BodyEdits = {};
  if (isObject(request.web_search_options)) edits.web_search_options = undefined;
  if (namesIn(itemsWithTools(request)).length > 0)
    edits.input = listOf(request.input).map((item) =>
      isObject(item) && Array.isArray(item.tools) ? { ...item, tools: clientTools(item.tools) } : item,
    );
  if (namesIn(request.tools).length > 0) {
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
