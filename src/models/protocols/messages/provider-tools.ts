import type { JsonObject, JsonValue } from "../../call.ts";
import { listOf, objectOf, objectsOf, textOf } from "../json.ts";
import type { BodyEdits, ProviderTool } from "../protocol.ts";

/** Tools the client carries out, and the one that looks only through the tools of the request itself. */
const CLIENT_TOOL = /^(?:custom$|bash_\d|text_editor_|computer_|memory_|tool_search_tool_)/;

export function isProviderTool(tool: JsonObject): boolean {
  const type = textOf(tool.type);
  return type !== null && !CLIENT_TOOL.test(type);
}

export function providerTools(body: JsonValue): ProviderTool[] {
  const request = objectOf(body);
  const tools = objectsOf(request.tools)
    .filter(isProviderTool)
    .map((tool) => ({ name: textOf(tool.type) ?? "unknown" }));
  return listOf(request.mcp_servers).length > 0 ? [...tools, { name: "mcp_servers" }] : tools;
}

export function withoutProviderTools(body: JsonValue): BodyEdits {
  const request = objectOf(body);
  const tools = listOf(request.tools);
  const kept = tools.filter((tool) => !isProviderTool(objectOf(tool)));
  const edits: BodyEdits = {};
  if (listOf(request.mcp_servers).length > 0) edits.mcp_servers = undefined;
  if (kept.length === tools.length) return edits;
  edits.tools = kept.length > 0 ? kept : undefined;
  const chosen = textOf(objectOf(request.tool_choice).name);
  const gone = chosen !== null && !kept.some((tool) => objectOf(tool).name === chosen);
  if ((kept.length === 0 || gone) && request.tool_choice !== undefined) edits.tool_choice = undefined;
  return edits;
}
