import type { JsonObject, JsonValue, Message, ModelCall, Outcome, UserPart } from "../../call.ts";
import { fitIds } from "../conversation.ts";
import { urlOfImage } from "../pictures.ts";
import { refusal } from "../problems.ts";
import type { WrittenRequest } from "../protocol.ts";
import { ownReasoning } from "./items.ts";
import { writeTool, writeToolChoice } from "./tools.ts";

const ID_RULE = { pattern: /^[\x21-\x7e]+$/, maxLength: 64 };

export function writeRequest(call: ModelCall): Outcome<WrittenRequest> {
  const { settings } = call;
  if (settings.stop) return refusal("this model's protocol has no stop sequences", "stop");
  const notes = new Set<string>();
  const fitted = fitIds(call.messages, ID_RULE);
  if (!fitted.ok) return fitted;
  const custom = customCalls(fitted.value);
  const input = fitted.value.flatMap((message) => writeMessage(message, custom, notes));
  const body: JsonObject = { model: call.model, input, store: false };
  if (call.system.length > 0) body.instructions = call.system.join("\n\n");
  if (call.tools.length > 0) {
    body.tools = call.tools.map(writeTool);
    if (call.toolChoice) body.tool_choice = writeToolChoice(call.toolChoice, call.tools);
    if (settings.parallelToolCalls !== undefined) body.parallel_tool_calls = settings.parallelToolCalls;
  }
  const plain: Record<string, JsonValue | undefined> = {
    max_output_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
  };
  for (const [key, value] of Object.entries(plain)) if (value !== undefined) body[key] = value;
  const effort = settings.effort;
  if (effort) body.reasoning = { effort };
  const thought = input.some((item) => item.type === "reasoning");
  if (thought || (effort && effort !== "none")) body.include = ["reasoning.encrypted_content"];
  if (settings.json) body.text = { format: writeFormat(settings.json) };
  if (settings.topK !== undefined) notes.add("top_k");
  if (settings.seed !== undefined) notes.add("seed");
  if (settings.presencePenalty || settings.frequencyPenalty) notes.add("penalties on repetition");
  if (settings.thinkingBudget !== undefined) notes.add("the thinking budget");
  if (call.stream) body.stream = true;
  return { ok: true, value: { method: "POST", path: "/v1/responses", headers: {}, body, notes: [...notes] } };
}

function writeFormat(json: NonNullable<ModelCall["settings"]["json"]>): JsonObject {
  if (json.schema === null) return { type: "json_object" };
  const strict = json.strict === null ? {} : { strict: json.strict };
  return { type: "json_schema", name: json.name, schema: json.schema, ...strict };
}

/** The calls whose results have a type of their own. */
function customCalls(messages: Message[]): Set<string> {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.parts : []));
  return new Set(
    calls.flatMap((part) => (part.type === "tool-call" && part.kind === "custom" ? part.id : [])),
  );
}

function writeMessage(message: Message, custom: Set<string>, notes: Set<string>): JsonObject[] {
  if (message.role === "system") {
    return [{ role: "developer", content: message.parts.map((part) => part.text).join("\n") }];
  }
  if (message.role === "user") return writeUser(message.parts, custom, notes);
  return message.parts.flatMap((part): JsonObject[] => {
    if (part.type === "tool-call") {
      const { id, name, kind, input } = part;
      if (kind === "custom") return [{ type: "custom_tool_call", call_id: id, name, input }];
      return [{ type: "function_call", call_id: id, name, arguments: input.trim() === "" ? "{}" : input }];
    }
    if (part.type === "thinking") {
      const own = ownReasoning(part.opaque);
      if (!own) notes.add("thinking of earlier turns");
      return own ? [own] : [];
    }
    if (part.text === "") return [];
    const content = part.type === "refusal" ? [{ type: "refusal", refusal: part.text }] : part.text;
    return [{ role: "assistant", content }];
  });
}

function writeUser(parts: UserPart[], custom: Set<string>, notes: Set<string>): JsonObject[] {
  const items: JsonObject[] = [];
  const rest: JsonObject[] = [];
  for (const part of parts) {
    if (part.type !== "tool-result") {
      rest.push(writeContent(part));
      continue;
    }
    if (part.isError) notes.add("the mark of a failed tool");
    const onlyText = part.content.every((piece) => piece.type === "text");
    const text = part.content.map((piece) => (piece.type === "text" ? piece.text : "")).join("\n");
    const output: JsonValue = onlyText ? text : part.content.map(writeContent);
    const type = custom.has(part.callId) ? "custom_tool_call_output" : "function_call_output";
    items.push({ type, call_id: part.callId, output });
  }
  if (rest.length > 0 || items.length === 0) {
    const only = rest.length === 1 && rest[0]!.type === "input_text" ? rest[0]!.text! : rest;
    items.push({ role: "user", content: rest.length === 0 ? "" : only });
  }
  return items;
}

function writeContent(part: Exclude<UserPart, { type: "tool-result" }>): JsonObject {
  if (part.type === "text") return { type: "input_text", text: part.text };
  return { type: "input_image", image_url: urlOfImage(part), detail: "auto" };
}
