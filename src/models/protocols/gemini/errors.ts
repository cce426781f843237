import type { CallProblem, ProblemKind } from "../../call.ts";
import { STATUS_OF, waitHeaders } from "../problems.ts";
import type { WrittenReply } from "../protocol.ts";

const STATUSES: Record<ProblemKind, string> = {
  "rate-limit": "RESOURCE_EXHAUSTED",
  overloaded: "UNAVAILABLE",
  server: "INTERNAL",
  auth: "UNAUTHENTICATED",
  billing: "FAILED_PRECONDITION",
  invalid: "INVALID_ARGUMENT",
  context: "INVALID_ARGUMENT",
  "not-found": "NOT_FOUND",
  timeout: "DEADLINE_EXCEEDED",
  broken: "INTERNAL",
};

export function writeGeminiError(problem: CallProblem, status?: number): WrittenReply {
  const code = status ?? STATUS_OF[problem.kind];
  return {
    status: code,
    headers: { "content-type": "application/json", ...waitHeaders(problem) },
    body: { error: { code, message: problem.message, status: STATUSES[problem.kind] } },
  };
}
