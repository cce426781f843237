import { defineProtocol, peekBody } from "../frame.ts";
import { OPENAI_FAMILY, openaiPath } from "../openai/family.ts";
import { readRequest } from "./read-request.ts";
import { readReply, writeReply } from "./reply.ts";
import { streamReader } from "./stream-reader.ts";
import { streamWriter } from "./stream-writer.ts";
import { writeRequest } from "./write-request.ts";

/** OpenAI Responses. The list of models is Chat Completions' to answer. */
export const responses = defineProtocol({
  ...OPENAI_FAMILY,
  name: "responses",
  match(method, path) {
    const bare = openaiPath(path);
    if (bare === "responses" && method === "POST") return { kind: "call", model: null, stream: null };
    if (bare === "responses/input_tokens" && method === "POST") return { kind: "count-tokens", model: null };
    return /^responses(?:\/|$)/.test(bare) ? { kind: "other" } : null;
  },
  callPath: () => "/v1/responses",
  codec: { readRequest, writeRequest, readReply, writeReply, streamReader, streamWriter },
  peek: ({ body }) => peekBody(body, ["max_output_tokens"]),
});
