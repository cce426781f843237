import type { CallProblem } from "../call.ts";

/** A problem of our own making, for a client. */
export function invalid(message: string, more: Partial<CallProblem> = {}): CallProblem {
  return {
    kind: "invalid",
    message,
    retryable: false,
    retryAfterMs: null,
    status: null,
    code: null,
    param: null,
    ...more,
  };
}

/** The connection failed, or what came over it is not a reply. */
export function brokenReply(message: string): CallProblem {
  return invalid(message, { kind: "broken", retryable: true });
}

/** What a failed system call says, without addresses and paths of this machine. */
export function systemMessage(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Record<string, string> = {
    ECONNREFUSED: "nobody answers at its address",
    ECONNRESET: "it closed the connection",
    EPIPE: "it closed the connection",
    ENOTFOUND: "its address is not known",
    EAI_AGAIN: "its address cannot be looked up",
    ETIMEDOUT: "it does not answer",
    HPE_INVALID_CONSTANT: "what it sent is not HTTP",
  };
  return (code && known[code]) ?? (code?.startsWith("HPE_") ? "what it sent is not HTTP" : message);
}
