import type { CallProblem, JsonObject, ProblemKind } from "../../call.ts";
import { STATUS_OF, waitHeaders } from "../problems.ts";
import type { WrittenReply } from "../protocol.ts";

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

export function writeOpenaiError(problem: CallProblem, status?: number): WrittenReply {
  return {
    status: status ?? STATUS_OF[problem.kind],
    headers: { "content-type": "application/json", ...waitHeaders(problem) },
    body: { error: openaiError(problem) },
  };
}

export function writeOpenaiModels(models: string[]): WrittenReply {
  const data = models.map((id) => ({ id, object: "model", created: 0, owned_by: "mlebench" }));
  return { status: 200, headers: { "content-type": "application/json" }, body: { object: "list", data } };
}

export const OPENAI_KEY_HEADERS = ["authorization", "api-key"] as const;
export const OPENAI_FORWARDED = ["openai-beta", "user-agent", "x-stainless-helper-method"] as const;

/** The prefix of a path before the names of this family's endpoints. */
export function openaiPath(path: string): string {
  const bare = path.replace(/[?#].*$/s, "").replace(/\/+$/, "");
  return bare.replace(/^\/(?:openai\/)?(?:v1(?=\/|$))?\/?/, "");
}
