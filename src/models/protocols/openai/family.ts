import type { CallProblem, JsonObject, ProblemKind } from "../../call.ts";
import { STATUS_OF, waitHeaders } from "../problems.ts";
import type { WrittenReply } from "../protocol.ts";
import { openaiProviderTools, withoutOpenaiProviderTools } from "./provider-tools.ts";

const TYPE_AND_CODE: Record<ProblemKind, [string, string | null]> = {
  "rate-limit": ["rate_limit_error", "rate_limit_exceeded"],
  overloaded: ["server_error", "server_is_overloaded"],
  server: ["server_error", "server_error"],
  auth: ["authentication_error", "invalid_api_key"],
  billing: ["insufficient_quota", "insufficient_quota"],
  invalid: ["invalid_request_error", null],
  context: ["invalid_request_error", "context_length_exceeded"],
  "not-found": ["invalid_request_error", "model_not_found"],
  timeout: ["server_error", "timeout"],
  broken: ["server_error", "bad_gateway"],
};

/** The error object Chat Completions and Responses share. */
export function openaiError(problem: CallProblem): JsonObject {
  const [type, code] = TYPE_AND_CODE[problem.kind];
  return { message: problem.message, type, param: problem.param, code: problem.code ?? code };
}

/** What Chat Completions and Responses have in common. */
export const OPENAI_FAMILY = {
  keyHeaders: ["authorization", "api-key"],
  forwardedHeaders: ["openai-beta", "user-agent", "x-stainless-helper-method"],
  forwardedQuery: ["api-version"],
  authorize: (key: string) => ({ authorization: `Bearer ${key}` }),
  writeError: (problem: CallProblem, status?: number): WrittenReply => ({
    status: status ?? STATUS_OF[problem.kind],
    headers: { "content-type": "application/json", ...waitHeaders(problem) },
    body: { error: openaiError(problem) },
  }),
  models: (names: readonly string[]): JsonObject => ({
    object: "list",
    data: names.map((id) => ({ id, object: "model", created: 0, owned_by: "mlebench" })),
  }),
  tokenCount: (tokens: number): JsonObject => ({ object: "response.input_tokens", input_tokens: tokens }),
  keepAlive: ": keepalive\n\n",
  providerTools: openaiProviderTools,
  withoutProviderTools: withoutOpenaiProviderTools,
};

/** The prefix of a path before the names of this family's endpoints. */
export function openaiPath(path: string): string {
  const bare = path.replace(/[?#].*$/s, "").replace(/\/+$/, "");
  return bare.replace(/^\/(?:openai\/)?(?:v1(?=\/|$))?\/?/, "");
}
