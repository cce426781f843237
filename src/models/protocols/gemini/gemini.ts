import type { JsonObject, JsonValue } from "../../call.ts";
import { countOf, isObject, listOf, numberOf, objectOf, objectsOf } from "../json.ts";
import { streamMeter, wholeMeter } from "../meter.ts";
import { readProblem } from "../problems.ts";
import type { BodyEdits, Protocol } from "../protocol.ts";
import { writeGeminiError } from "./errors.ts";
import { camel } from "./fields.ts";
import { readRequest } from "./read-request.ts";
import { readReply, writeReply } from "./reply.ts";
import { streamReader } from "./stream-reader.ts";
import { streamWriter } from "./stream-writer.ts";
import { geminiPath, writeRequest } from "./write-request.ts";

/** Gemini generateContent. The model and the wish for a stream stand in the path. */
export const gemini: Protocol = {
  name: "gemini",
  match(method, path) {
    const [bare, query] = path.split("?", 2) as [string, string | undefined];
    const found = /^\/(?:v1(?:alpha|beta\d*)?\/)?models\/([^:]+):(\w+)$/.exec(bare);
    if (found && method === "POST") {
      const model = decode(found[1]!);
      if (found[2] === "generateContent") return { kind: "call", model, stream: false };
      // Without alt=sse the stream is a JSON array, which no client of today asks for.
      const events = new URLSearchParams(query).get("alt") === "sse";
      if (found[2] === "streamGenerateContent" && events) return { kind: "call", model, stream: true };
      if (found[2] === "countTokens") return { kind: "count-tokens", model };
      return { kind: "other" };
    }
    const listed = /^\/v1(?:alpha|beta\d*)\/models(?:\/([^:]+))?\/?$/.exec(bare);
    if (listed && method === "GET") {
      return listed[1] ? { kind: "show-model", model: decode(listed[1]) } : { kind: "list-models" };
    }
    return /^\/v1(?:alpha|beta\d*)(?:\/|$)/.test(bare) ? { kind: "other" } : null;
  },
  keyHeaders: ["x-goog-api-key", "authorization"],
  forwardedHeaders: ["x-goog-api-client", "user-agent"],
  authorize: (key) => ({ "x-goog-api-key": key }),
  callPath: geminiPath,
  countPath: (model) => `/v1beta/models/${encodeURIComponent(model)}:countTokens`,
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  streamReader,
  streamWriter,
  writeError: writeGeminiError,
  readError: readProblem,
  writeModels: (models) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: {
      models: models.map((name) => ({
        name: `models/${name}`,
        displayName: name,
        supportedGenerationMethods: ["generateContent", "countTokens"],
      })),
    },
  }),
  writeTokenCount: (tokens) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: { totalTokens: tokens },
  }),
  keepAlive: null,
  meter: (stream) => (stream ? streamMeter(streamReader()) : wholeMeter(readReply)),
  peek({ body, endpoint }) {
    const config = camel(camel(body).generationConfig);
    return {
      model: endpoint.kind === "call" || endpoint.kind === "count-tokens" ? endpoint.model : null,
      stream: endpoint.kind === "call" && endpoint.stream === true,
      maxOutputTokens: numberOf(config.maxOutputTokens),
      choices: countOf(config.candidateCount) || 1,
    };
  },
  askForUsage: () => null,
  limitOutput(body, tokens) {
    const key = "generation_config" in objectOf(body) ? "generation_config" : "generationConfig";
    const { max_output_tokens: _, ...config } = objectOf(objectOf(body)[key]);
    return { [key]: { ...config, maxOutputTokens: tokens } };
  },
  providerTools: (body) =>
    objectsOf(objectOf(body).tools).flatMap((tool) =>
      Object.keys(tool)
        .filter(isProviderKey)
        .map((name) => ({ name })),
    ),
  withoutProviderTools(body: JsonValue): BodyEdits {
    const tools = listOf(objectOf(body).tools);
    const kept = tools
      .map(withoutProviderKeys)
      .filter((tool) => !isObject(tool) || Object.keys(tool).length > 0);
    if (JSON.stringify(kept) === JSON.stringify(tools)) return {};
    return { tools: kept.length > 0 ? kept : undefined };
  },
};

/** Functions and the computer are the client's; searching, maps, addresses, files and code are the provider's. */
const CLIENT_KEYS = new Set(["functionDeclarations", "function_declarations", "computerUse", "computer_use"]);

function isProviderKey(key: string): boolean {
  return !CLIENT_KEYS.has(key);
}

function withoutProviderKeys(tool: JsonValue): JsonValue {
  if (!isObject(tool)) return tool;
  return Object.fromEntries(Object.entries(tool).filter(([key]) => !isProviderKey(key))) as JsonObject;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
