import type {
  JsonObject,
  JsonValue,
  Message,
  ModelCall,
  Outcome,
  Tool,
  ToolChoice,
  UserPart,
} from "../../call.ts";
import { fitIds, withFunctionsOnly } from "../conversation.ts";
import { urlOfImage } from "../pictures.ts";
import type { WrittenRequest } from "../protocol.ts";

const ID_RULE = { pattern: /^[\x21-\x7e]+$/, maxLength: 40 };

export function writeRequest(
  original: ModelCall,
  options: { compatible?: boolean } = {},
): Outcome<WrittenRequest> {
  const notes = new Set<string>();
  // Most servers that speak this protocol are not its maker's and know functions only.
  const call = withFunctionsOnly(original, notes);
  const fitted = fitIds(call.messages, ID_RULE);
  if (!fitted.ok) return fitted;
  const messages: JsonObject[] = call.system.map((content) => ({ role: "system", content }));
  for (const message of fitted.value) messages.push(...writeMessage(message, notes));
  const { settings } = call;
  const body: JsonObject = { model: call.model, messages };
  if (call.tools.length > 0) {
    body.tools = call.tools.map(writeTool);
    if (call.toolChoice) body.tool_choice = writeToolChoice(call.toolChoice);
    if (settings.parallelToolCalls !== undefined) body.parallel_tool_calls = settings.parallelToolCalls;
  }
  const limit = options.compatible ? "max_tokens" : "max_completion_tokens";
  const plain: Record<string, JsonValue | undefined> = {
    [limit]: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    stop: settings.stop,
    seed: settings.seed,
    presence_penalty: settings.presencePenalty,
    frequency_penalty: settings.frequencyPenalty,
    reasoning_effort: settings.effort,
  };
  for (const [key, value] of Object.entries(plain)) if (value !== undefined) body[key] = value;
  if (settings.topK !== undefined) {
    if (options.compatible) body.top_k = settings.topK;
    else notes.add("top_k");
  }
  if (settings.thinkingBudget !== undefined) notes.add("the thinking budget");
  if (settings.json) body.response_format = writeFormat(settings.json);
  if (call.stream) {
    body.stream = true;
    body.stream_options = { include_usage: true };
  }
  const path = "/v1/chat/completions";
  return { ok: true, value: { method: "POST", path, headers: {}, body, notes: [...notes] } };
}

function writeFormat(json: NonNullable<ModelCall["settings"]["json"]>): JsonObject {
  if (json.schema === null) return { type: "json_object" };
  const strict = json.strict === null ? {} : { strict: json.strict };
  return { type: "json_schema", json_schema: { name: json.name, schema: json.schema, ...strict } };
}

function writeMessage(message: Message, notes: Set<string>): JsonObject[] {
  if (message.role === "system") {
    return [{ role: "system", content: message.parts.map((part) => part.text).join("\n") }];
  }
  if (message.role === "user") return writeUser(message.parts, notes);
  const text: string[] = [];
  const refused: string[] = [];
  const calls: JsonObject[] = [];
  for (const part of message.parts) {
    if (part.type === "text") text.push(part.text);
    else if (part.type === "refusal") refused.push(part.text);
    else if (part.type === "thinking") notes.add("thinking of earlier turns");
    else {
      const input = part.input.trim() === "" ? "{}" : part.input;
      calls.push({ id: part.id, type: "function", function: { name: part.name, arguments: input } });
    }
  }
  const written: JsonObject = { role: "assistant", content: text.length > 0 ? text.join("") : null };
  if (refused.length > 0) written.refusal = refused.join("");
  if (calls.length > 0) written.tool_calls = calls;
  else if (text.length === 0) written.content = "";
  return [written];
}

/** Results come first and each alone, since they must follow the calls; a picture in a result follows as the user's. */
function writeUser(parts: UserPart[], notes: Set<string>): JsonObject[] {
  const written: JsonObject[] = [];
  const rest: JsonObject[] = [];
  for (const part of parts) {
    if (part.type === "text") rest.push({ type: "text", text: part.text });
    else if (part.type === "image") rest.push(writeImage(part));
    else {
      if (part.isError) notes.add("the mark of a failed tool");
      const text = part.content.filter((piece) => piece.type === "text").map((piece) => piece.text);
      const images = part.content.filter((piece) => piece.type === "image");
      if (images.length > 0) notes.add("pictures in tool results went into a message of their own");
      rest.push(...images.map(writeImage));
      written.push({ role: "tool", tool_call_id: part.callId, content: text.join("\n") });
    }
  }
  if (rest.length > 0) {
    const only = rest.length === 1 && rest[0]!.type === "text" ? rest[0]!.text! : rest;
    written.push({ role: "user", content: only });
  } else if (written.length === 0) written.push({ role: "user", content: "" });
  return written;
}

function writeImage(image: Extract<UserPart, { type: "image" }>): JsonObject {
  return { type: "image_url", image_url: { url: urlOfImage(image) } };
}

function writeTool(tool: Tool): JsonObject {
  const inner: JsonObject = { name: tool.name };
  if (tool.description !== null) inner.description = tool.description;
  inner.parameters = tool.schema ?? { type: "object", properties: {} };
  if (tool.strict !== null) inner.strict = tool.strict;
  return { type: "function", function: inner };
}

function writeToolChoice(choice: ToolChoice): JsonValue {
  if (choice.type === "tool") return { type: "function", function: { name: choice.name } };
  return choice.type === "any" ? "required" : choice.type;
}
