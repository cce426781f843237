import { countOf, isObject, numberOf, objectOf, textOf } from "../json.ts";
import { streamMeter, wholeMeter } from "../meter.ts";
import {
  OPENAI_FORWARDED,
  OPENAI_KEY_HEADERS,
  openaiPath,
  writeOpenaiError,
  writeOpenaiModels,
} from "../openai/errors.ts";
import { openaiProviderTools, withoutOpenaiProviderTools } from "../openai/provider-tools.ts";
import { readProblem } from "../problems.ts";
import type { Protocol } from "../protocol.ts";
import { readRequest } from "./read-request.ts";
import { readReply, writeReply } from "./reply.ts";
import { streamReader } from "./stream-reader.ts";
import { streamWriter } from "./stream-writer.ts";
import { writeRequest } from "./write-request.ts";

/** OpenAI Chat Completions, and the many servers that speak it. */
export const chat: Protocol = {
  name: "chat",
  match(method, path) {
    const bare = openaiPath(path);
    if (bare === "chat/completions" && method === "POST") return { kind: "call", model: null, stream: null };
    if (bare === "models" && method === "GET") return { kind: "list-models" };
    const model = /^models\/(.+)$/.exec(bare)?.[1];
    if (model && method === "GET") return { kind: "show-model", model: decodeModel(model) };
    return /^(?:chat\/completions|completions|embeddings)(?:\/|$)/.test(bare) ? { kind: "other" } : null;
  },
  keyHeaders: OPENAI_KEY_HEADERS,
  forwardedHeaders: OPENAI_FORWARDED,
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  callPath: () => "/v1/chat/completions",
  countPath: () => null,
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  streamReader,
  streamWriter,
  writeError: writeOpenaiError,
  readError: readProblem,
  writeModels: writeOpenaiModels,
  writeTokenCount: (tokens) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: { object: "response.input_tokens", input_tokens: tokens },
  }),
  keepAlive: ": keepalive\n\n",
  meter: (stream) => (stream ? streamMeter(streamReader()) : wholeMeter(readReply)),
  peek({ body }) {
    const request = objectOf(body);
    return {
      model: textOf(request.model),
      stream: request.stream === true,
      maxOutputTokens: numberOf(request.max_completion_tokens) ?? numberOf(request.max_tokens),
      choices: countOf(request.n) || 1,
    };
  },
  askForUsage(body) {
    const request = objectOf(body);
    if (request.stream !== true || objectOf(request.stream_options).include_usage === true) return null;
    return { stream_options: { ...objectOf(request.stream_options), include_usage: true } };
  },
  limitOutput(body, tokens) {
    const request = objectOf(body);
    return isObject(body) && request.max_tokens !== undefined && request.max_completion_tokens === undefined
      ? { max_tokens: tokens }
      : { max_completion_tokens: tokens };
  },
  providerTools: openaiProviderTools,
  withoutProviderTools: withoutOpenaiProviderTools,
};

function decodeModel(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
