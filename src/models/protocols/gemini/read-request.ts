import type { CallSettings, JsonObject, JsonValue, Message, ModelCall, Outcome } from "../../call.ts";
import { EFFORTS, type ImagePart, type Tool, type ToolChoice, type UserPart } from "../../call.ts";
import { notAnObject } from "../frame.ts";
import { defined, isObject, listOf, numberOf, objectsOf, textOf } from "../json.ts";
import { dropFields } from "../notes.ts";
import { refusal } from "../problems.ts";
import type { ReadableRequest } from "../protocol.ts";
import { camel, jsonSchemaOf } from "./fields.ts";
import { joinTexts, readReplyPart, responseText } from "./parts.ts";

const KNOWN = new Set("model contents systemInstruction tools toolConfig generationConfig store".split(" "));
const REFUSED: Record<string, string> = { cachedContent: "it does not know what was cached" };
const KNOWN_CONFIG = new Set(
  (
    "temperature topP topK maxOutputTokens stopSequences seed candidateCount presencePenalty frequencyPenalty responseMimeType " +
    "responseSchema responseJsonSchema thinkingConfig responseModalities"
  ).split(" "),
);
const REFUSED_CONFIG: Record<string, string> = {
  responseLogprobs: "it gives no probabilities of tokens",
  logprobs: "it gives no probabilities of tokens",
  speechConfig: "it does not speak",
  imageConfig: "it makes no pictures",
};

export function readRequest({ body, endpoint }: ReadableRequest): Outcome<ModelCall> {
  if (!isObject(body)) return notAnObject();
  const request = camel(body);
  const named = endpoint.kind === "call" ? endpoint.model : null;
  const model = named ?? textOf(request.model)?.replace(/^models\//, "");
  if (!model) return refusal("the path names no model", "model");
  const config = camel(request.generationConfig);
  const dropped = dropFields(request, KNOWN, REFUSED);
  if (!dropped.ok) return dropped;
  const settled = dropFields(config, KNOWN_CONFIG, REFUSED_CONFIG, "generationConfig.");
  if (!settled.ok) return settled;
  if ((numberOf(config.candidateCount) ?? 1) > 1)
    return refusal("more than one candidate cannot be carried over", "candidateCount");
  if (listOf(config.responseModalities).some((kind) => kind !== "TEXT")) {
    return refusal(
      "an answer in pictures or sound cannot be carried over",
      "generationConfig.responseModalities",
    );
  }
  const notes = new Set([...dropped.value, ...settled.value]);
  const contents = isObject(request.contents) ? [request.contents] : objectsOf(request.contents);
  if (contents.length === 0) return refusal('"contents" is missing or empty', "contents");
  const messages = readContents(contents, notes);
  if (!messages.ok) return messages;
  const tools = readTools(request.tools);
  if (!tools.ok) return tools;
  const system = objectsOf(camel(request.systemInstruction).parts).flatMap((part) => textOf(part.text) ?? []);
  const plain = textOf(request.systemInstruction);
  return {
    ok: true,
    value: {
      model,
      system: plain === null ? system : [plain],
      messages: messages.value,
      tools: tools.value,
      toolChoice: readToolChoice(request.toolConfig, notes),
      settings: readSettings(config),
      stream: endpoint.kind === "call" && endpoint.stream === true,
      notes: [...notes],
    },
  };
}

function readSettings(config: JsonObject): CallSettings {
  const thinking = camel(config.thinkingConfig);
  const level = textOf(thinking.thinkingLevel)?.toLowerCase();
  const budget = numberOf(thinking.thinkingBudget);
  const stop = listOf(config.stopSequences).filter((text) => typeof text === "string");
  const schema = isObject(config.responseJsonSchema)
    ? config.responseJsonSchema
    : jsonSchemaOf(config.responseSchema);
  return defined<CallSettings>({
    maxOutputTokens: numberOf(config.maxOutputTokens) ?? undefined,
    temperature: numberOf(config.temperature) ?? undefined,
    topP: numberOf(config.topP) ?? undefined,
    topK: numberOf(config.topK) ?? undefined,
    stop: stop.length > 0 ? stop : undefined,
    seed: numberOf(config.seed) ?? undefined,
    presencePenalty: numberOf(config.presencePenalty) ?? undefined,
    frequencyPenalty: numberOf(config.frequencyPenalty) ?? undefined,
    effort: budget === 0 ? "none" : EFFORTS.find((effort) => effort === level),
    // A budget of -1 leaves it to the model.
    thinkingBudget: budget !== null && budget > 0 ? budget : undefined,
    parallelToolCalls: undefined,
    usageChunk: undefined,
    json:
      config.responseMimeType === "application/json" ? { schema, name: "answer", strict: null } : undefined,
  });
}

function readContents(contents: JsonObject[], notes: Set<string>): Outcome<Message[]> {
  const messages: Message[] = [];
  /** Calls without an id get one; responses without an id belong to the oldest call of their name. */
  let made = 0;
  const waiting: { id: string; name: string }[] = [];
  for (const [index, content] of contents.entries()) {
    const where = `contents[${index}]`;
    const parts = listOf(content.parts);
    if (content.role === "model") {
      for (const part of parts.map(camel)) {
        if (part.executableCode || part.codeExecutionResult)
          notes.add("code that ran at the provider in an earlier reply");
      }
      const read = joinTexts(parts.flatMap((part) => readReplyPart(part, () => `call_${++made}`)));
      for (const part of read) if (part.type === "tool-call") waiting.push({ id: part.id, name: part.name });
      messages.push({ role: "assistant", parts: read });
      continue;
    }
    const read: UserPart[] = [];
    for (const value of parts) {
      const part = camel(value);
      if (isObject(part.functionResponse)) {
        const result = readResponse(part.functionResponse, waiting, where);
        if (!result.ok) return result;
        read.push(result.value);
      } else if (typeof part.text === "string") read.push({ type: "text", text: part.text });
      else {
        const image = readImage(part, where);
        if (!image.ok) return image;
        read.push(image.value);
      }
    }
    messages.push({ role: "user", parts: read });
  }
  return { ok: true, value: messages };
}

function readResponse(
  response: JsonObject,
  waiting: { id: string; name: string }[],
  where: string,
): Outcome<UserPart> {
  const name = textOf(response.name);
  const given = textOf(response.id);
  const found = waiting.findIndex((call) => (given ? call.id === given : call.name === name));
  const callId = given || waiting[found]?.id;
  if (callId === undefined)
    return refusal(`${where} answers a call of "${name ?? ""}" that was not made`, where);
  if (found >= 0) waiting.splice(found, 1);
  const { text, isError } = responseText(response.response);
  const images: ImagePart[] = [];
  for (const inner of objectsOf(response.parts)) {
    const image = readImage(camel(inner), where);
    if (!image.ok) return image;
    images.push(image.value);
  }
  const content = [{ type: "text" as const, text }, ...images];
  return { ok: true, value: { type: "tool-result", callId, name, content, isError } };
}

function readImage(part: JsonObject, where: string): Outcome<ImagePart> {
  const data = camel(part.inlineData);
  const mediaType = textOf(data.mimeType) ?? "";
  if (mediaType.startsWith("image/")) {
    return {
      ok: true,
      value: { type: "image", source: { kind: "base64", mediaType, data: textOf(data.data) ?? "" } },
    };
  }
  const file = camel(part.fileData);
  const url = textOf(file.fileUri);
  if (url && /^https?:/.test(url) && (textOf(file.mimeType) ?? "image/").startsWith("image/")) {
    return { ok: true, value: { type: "image", source: { kind: "url", url } } };
  }
  const kind = mediaType || Object.keys(part).join(", ") || "nothing";
  return refusal(`${where} has a part of ${kind}, which cannot be carried over`, where);
}

function readTools(value: JsonValue | undefined): Outcome<Tool[]> {
  const tools: Tool[] = [];
  for (const entry of objectsOf(value).map(camel)) {
    const other = Object.keys(entry).find((key) => key !== "functionDeclarations" && entry[key] !== null);
    if (other)
      return refusal(`the tool "${other}" runs at its own provider and cannot be carried over`, "tools");
    for (const declaration of objectsOf(entry.functionDeclarations).map(camel)) {
      const name = textOf(declaration.name);
      if (name === null) return refusal("a function declaration has no name", "tools");
      const schema = declaration.parametersJsonSchema;
      tools.push({
        kind: "function",
        name,
        description: textOf(declaration.description),
        schema: isObject(schema) ? schema : jsonSchemaOf(declaration.parameters),
        strict: null,
        format: null,
        group: null,
      });
    }
  }
  return { ok: true, value: tools };
}

function readToolChoice(value: JsonValue | undefined, notes: Set<string>): ToolChoice | null {
  const config = camel(camel(value).functionCallingConfig);
  const names = listOf(config.allowedFunctionNames).filter((name) => typeof name === "string");
  if (config.mode === "ANY" && names.length === 1) return { type: "tool", name: names[0]! };
  if (names.length > 0) notes.add("the list of allowed functions");
  if (config.mode === "ANY") return { type: "any" };
  if (config.mode === "NONE") return { type: "none" };
  return config.mode === "AUTO" || config.mode === "VALIDATED" ? { type: "auto" } : null;
}
