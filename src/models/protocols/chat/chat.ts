import { decoded, defineProtocol, peekBody } from "../frame.ts";
import { countOf, objectOf } from "../json.ts";
import { OPENAI_FAMILY, openaiPath } from "../openai/family.ts";
import { readRequest } from "./read-request.ts";
import { readReply, writeReply } from "./reply.ts";
import { streamReader } from "./stream-reader.ts";
import { streamWriter } from "./stream-writer.ts";
import { writeRequest } from "./write-request.ts";

/** OpenAI Chat Completions, and the many servers that speak it. */
export const chat = defineProtocol({
  ...OPENAI_FAMILY,
  name: "chat",
  match(method, path) {
    const bare = openaiPath(path);
    if (bare === "chat/completions" && method === "POST") return { kind: "call", model: null, stream: null };
    if (bare === "models" && method === "GET") return { kind: "list-models" };
    const model = /^models\/(.+)$/.exec(bare)?.[1];
    if (model && method === "GET") return { kind: "show-model", model: decoded(model) };
    return /^(?:chat\/completions|completions|embeddings)(?:\/|$)/.test(bare) ? { kind: "other" } : null;
  },
  callPath: () => "/v1/chat/completions",
  codec: { readRequest, writeRequest, readReply, writeReply, streamReader, streamWriter },
  peek: ({ body }) => peekBody(body, ["max_completion_tokens", "max_tokens"], countOf(objectOf(body).n) || 1),
  askForUsage(body) {
    const request = objectOf(body);
    if (request.stream !== true || objectOf(request.stream_options).include_usage === true) return null;
    return { stream_options: { ...objectOf(request.stream_options), include_usage: true } };
  },
});
