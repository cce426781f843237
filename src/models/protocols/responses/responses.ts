import { numberOf, objectOf, textOf } from "../json.ts";
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

/** OpenAI Responses. The list of models is Chat Completions' to answer. */
export const responses: Protocol = {
  name: "responses",
  match(method, path) {
    const bare = openaiPath(path);
    if (bare === "responses" && method === "POST") return { kind: "call", model: null, stream: null };
    if (bare === "responses/input_tokens" && method === "POST") return { kind: "count-tokens", model: null };
    return /^responses(?:\/|$)/.test(bare) ? { kind: "other" } : null;
  },
  keyHeaders: OPENAI_KEY_HEADERS,
  forwardedHeaders: OPENAI_FORWARDED,
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  callPath: () => "/v1/responses",
  countPath: () => "/v1/responses/input_tokens",
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
      maxOutputTokens: numberOf(request.max_output_tokens),
      choices: 1,
    };
  },
  askForUsage: () => null,
  limitOutput: (_body, tokens) => ({ max_output_tokens: tokens }),
  providerTools: openaiProviderTools,
  withoutProviderTools: withoutOpenaiProviderTools,
};
