import type { JsonObject, JsonValue } from "../../call.ts";
import { decoded, defineProtocol, largest } from "../frame.ts";
import { isObject, listOf, numberOf, objectOf, objectsOf } from "../json.ts";
import type { BodyEdits } from "../protocol.ts";
import { writeGeminiError } from "./errors.ts";
import { readRequest } from "./read-request.ts";
import { readReply, writeReply } from "./reply.ts";
import { streamReader } from "./stream-reader.ts";
import { streamWriter } from "./stream-writer.ts";
import { geminiPath, writeRequest } from "./write-request.ts";

/** Gemini generateContent. The model and the wish for a stream stand in the path. */
export const gemini = defineProtocol({
  name: "gemini",
  match(method, path) {
    const [bare, query] = path.split("?", 2) as [string, string | undefined];
    const found = /^\/(?:v1(?:alpha|beta\d*)?\/)?models\/([^:]+):(\w+)$/.exec(bare);
    if (found && method === "POST") {
      const model = decoded(found[1]!);
      if (found[2] === "generateContent") return { kind: "call", model, stream: false };
      // Without alt=sse the stream is a JSON array, which no client of today asks for.
      const events = new URLSearchParams(query).get("alt") === "sse";
      if (found[2] === "streamGenerateContent" && events) return { kind: "call", model, stream: true };
      if (found[2] === "countTokens") return { kind: "count-tokens", model };
      return { kind: "other" };
    }
    const listed = /^\/v1(?:alpha|beta\d*)\/models(?:\/([^:]+))?\/?$/.exec(bare);
    if (listed && method === "GET") {
      return listed[1] ? { kind: "show-model", model: decoded(listed[1]) } : { kind: "list-models" };
    }
    return /^\/v1(?:alpha|beta\d*)(?:\/|$)/.test(bare) ? { kind: "other" } : null;
  },
  keyHeaders: ["x-goog-api-key", "authorization"],
  forwardedHeaders: ["x-goog-api-client", "user-agent"],
  forwardedQuery: [],
  authorize: (key) => ({ "x-goog-api-key": key }),
  callPath: geminiPath,
  codec: { readRequest, writeRequest, readReply, writeReply, streamReader, streamWriter },
  writeError: writeGeminiError,
  models: (names) => ({
    models: names.map((name) => ({
      name: `models/${name}`,
      displayName: name,
      supportedGenerationMethods: ["generateContent", "countTokens"],
    })),
  }),
  tokenCount: (tokens) => ({ totalTokens: tokens }),
  keepAlive: null,
  peek({ body, endpoint }) {
    const { generationConfig, generation_config } = objectOf(body);
    const configs = [generationConfig, generation_config].map(objectOf);
    const most = (...names: string[]) =>
      largest(configs.flatMap((config) => names.map((name) => wholeNumber(config[name]))));
    return {
      model: endpoint.kind === "call" || endpoint.kind === "count-tokens" ? endpoint.model : null,
      stream: endpoint.kind === "call" && endpoint.stream === true,
      maxOutputTokens: most("maxOutputTokens", "max_output_tokens"),
      choices: Math.max(1, most("candidateCount", "candidate_count") ?? 1),
    };
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
});

/** The service takes a number also as a text, and a field under two names: what says more counts. */
function wholeNumber(value: JsonValue | undefined): number | null {
  return numberOf(typeof value === "string" && value.trim() !== "" ? Number(value) : value);
}

/** Functions and the computer are the client's; searching, maps, addresses, files and code are the provider's. */
const CLIENT_KEYS = new Set(["functionDeclarations", "function_declarations", "computerUse", "computer_use"]);

function isProviderKey(key: string): boolean {
  return !CLIENT_KEYS.has(key);
}

function withoutProviderKeys(tool: JsonValue): JsonValue {
  if (!isObject(tool)) return tool;
  return Object.fromEntries(Object.entries(tool).filter(([key]) => !isProviderKey(key))) as JsonObject;
}
