import type { CallProblem, ProblemKind } from "../../call.ts";
import { STATUS_OF, waitHeaders } from "../problems.ts";
import type { WrittenReply } from "../protocol.ts";

const TYPES: Record<ProblemKind, string> = {
  "rate-limit": "rate_limit_error",
  overloaded: "overloaded_error",
  server: "api_error",
  auth: "authentication_error",
  billing: "billing_error",
  invalid: "invalid_request_error",
  context: "invalid_request_error",
  "not-found": "not_found_error",
  timeout: "timeout_error",
  broken: "api_error",
};

export function writeMessagesError(problem: CallProblem, status?: number): WrittenReply {
  // Clients shorten a conversation that is too long when they find these words.
  const tooLong = problem.kind === "context" && !/prompt is too long/i.test(problem.message);
  const message = tooLong ? `prompt is too long: ${problem.message}` : problem.message;
  return {
    status: status ?? (problem.kind === "overloaded" ? 529 : STATUS_OF[problem.kind]),
    headers: { "content-type": "application/json", ...waitHeaders(problem) },
    body: { type: "error", error: { type: TYPES[problem.kind], message }, request_id: null },
  };
}
