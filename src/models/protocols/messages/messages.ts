import { numberOf, objectOf, textOf } from "../json.ts";
import { streamMeter, wholeMeter } from "../meter.ts";
import { readProblem } from "../problems.ts";
import type { Protocol } from "../protocol.ts";
import { writeMessagesError } from "./errors.ts";
import { providerTools, withoutProviderTools } from "./provider-tools.ts";
import { readRequest } from "./read-request.ts";
import { readReply, writeReply } from "./reply.ts";
import { streamReader } from "./stream-reader.ts";
import { streamWriter } from "./stream-writer.ts";
import { writeRequest } from "./write-request.ts";

/** Anthropic Messages. Its model list has the same path as OpenAI's; `matchRequest` tells them apart by a header. */
export const messages: Protocol = {
  name: "messages",
  match(method, path) {
    const bare = path.replace(/[?#].*$/s, "").replace(/\/+$/, "");
    const name = bare.replace(/^\/(?:v1\/)?/, "");
    if (name === "messages" && method === "POST") return { kind: "call", model: null, stream: null };
    if (name === "messages/count_tokens" && method === "POST") return { kind: "count-tokens", model: null };
    return /^messages(?:\/|$)/.test(name) ? { kind: "other" } : null;
  },
  keyHeaders: ["x-api-key", "authorization"],
  forwardedHeaders: ["anthropic-version", "anthropic-beta", "user-agent", "x-app"],
  authorize: (key) => ({ "x-api-key": key }),
  callPath: () => "/v1/messages",
  countPath: () => "/v1/messages/count_tokens",
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  streamReader,
  streamWriter,
  writeError: writeMessagesError,
  readError: readProblem,
  writeModels: (models) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: {
      data: models.map((id) => ({ type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" })),
      has_more: false,
      first_id: models[0] ?? null,
      last_id: models.at(-1) ?? null,
    },
  }),
  writeTokenCount: (tokens) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: { input_tokens: tokens },
  }),
  keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
  meter: (stream) => (stream ? streamMeter(streamReader()) : wholeMeter(readReply)),
  peek({ body }) {
    const request = objectOf(body);
    return {
      model: textOf(request.model),
      stream: request.stream === true,
      maxOutputTokens: numberOf(request.max_tokens),
      choices: 1,
    };
  },
  askForUsage: () => null,
  limitOutput: (_body, tokens) => ({ max_tokens: tokens }),
  providerTools,
  withoutProviderTools,
};
