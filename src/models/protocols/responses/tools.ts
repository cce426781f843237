import type { JsonObject, JsonValue, Outcome, Tool, ToolChoice } from "../../call.ts";
import { booleanOf, isObject, objectOf, objectsOf, textOf } from "../json.ts";
import { openaiProviderTools } from "../openai/provider-tools.ts";
import { refusal } from "../problems.ts";
import { flatName } from "./items.ts";

export function readTools(value: JsonValue | undefined, notes: Set<string>): Outcome<Tool[]> {
  const tools: Tool[] = [];
  for (const tool of objectsOf(value)) {
    if (tool.type === "namespace") {
      const namespace = textOf(tool.name) ?? "";
      for (const inner of objectsOf(tool.tools)) {
        const read = readTool(inner, namespace);
        if (!read.ok) return read;
        tools.push(read.value);
      }
    } else if (tool.type === "tool_search") notes.add('the tool "tool_search"');
    else {
      const read = readTool(tool, null);
      if (!read.ok) return read;
      tools.push(read.value);
    }
  }
  return { ok: true, value: tools };
}

function readTool(tool: JsonObject, namespace: string | null): Outcome<Tool> {
  const name = textOf(tool.name);
  const custom = tool.type === "custom";
  if (name === null || (!custom && tool.type !== "function")) {
    const provider = openaiProviderTools({ tools: [tool] }).length > 0;
    const reason = provider ? "runs at its own provider" : "has no schema of its own";
    return refusal(
      `the tool ${JSON.stringify(tool.type ?? null)} ${reason} and cannot be carried over`,
      "tools",
    );
  }
  return {
    ok: true,
    value: {
      kind: custom ? "custom" : "function",
      name: flatName(namespace, name),
      description: textOf(tool.description),
      schema: isObject(tool.parameters) ? tool.parameters : null,
      strict: booleanOf(tool.strict),
      format: tool.format ?? null,
      group: namespace === null ? null : { name: namespace, tool: name },
    },
  };
}

export function writeTool(tool: Tool): JsonObject {
  const written: JsonObject = { type: tool.kind, name: tool.name };
  if (tool.description !== null) written.description = tool.description;
  if (tool.kind === "custom") {
    if (tool.format !== null) written.format = tool.format;
    return written;
  }
  written.parameters = tool.schema ?? { type: "object", properties: {} };
  // The service makes a tool strict unless told otherwise, and a schema of others seldom fits that.
  written.strict = tool.strict ?? false;
  return written;
}

export function readToolChoice(value: JsonValue | undefined, notes: Set<string>): ToolChoice | null {
  if (value === "auto" || value === "none") return { type: value };
  if (value === "required") return { type: "any" };
  if (!isObject(value)) return null;
  if (value.type === "allowed_tools") {
    notes.add("the list of allowed tools in the tool choice");
    return { type: objectOf(value).mode === "required" ? "any" : "auto" };
  }
  const name = textOf(value.name);
  if (name !== null && (value.type === "function" || value.type === "custom")) {
    return { type: "tool", name: flatName(textOf(value.namespace), name) };
  }
  notes.add("the choice of a tool of the provider");
  return null;
}

export function writeToolChoice(choice: ToolChoice, tools: Tool[]): JsonValue {
  if (choice.type === "tool") {
    const kind = tools.find((tool) => tool.name === choice.name)?.kind ?? "function";
    return { type: kind, name: choice.name };
  }
  return choice.type === "any" ? "required" : choice.type;
}
