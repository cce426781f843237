import { defineProtocol, peekBody } from "../frame.ts";
import { writeMessagesError } from "./errors.ts";
import { providerTools, withoutProviderTools } from "./provider-tools.ts";
import { readRequest } from "./read-request.ts";
import { readReply, writeReply } from "./reply.ts";
import { streamReader } from "./stream-reader.ts";
import { streamWriter } from "./stream-writer.ts";
import { writeRequest } from "./write-request.ts";

/** Anthropic Messages. Its model list has the same path as OpenAI's; `matchRequest` tells them apart by a header. */
export const messages = defineProtocol({
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
  forwardedQuery: ["beta"],
  authorize: (key) => ({ "x-api-key": key }),
  callPath: () => "/v1/messages",
  codec: { readRequest, writeRequest, readReply, writeReply, streamReader, streamWriter },
  writeError: writeMessagesError,
  models: (names) => ({
    data: names.map((id) => ({ type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" })),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }),
  tokenCount: (tokens) => ({ input_tokens: tokens }),
  keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
  peek: ({ body }) => peekBody(body, ["max_tokens"]),
  providerTools,
  withoutProviderTools,
});
