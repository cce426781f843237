import type { CallProblem } from "../call.ts";
import { problem } from "../protocols/problems.ts";

/** A problem of our own making, for a client. */
export function invalid(message: string, more: Partial<CallProblem> = {}): CallProblem {
  return problem("invalid", message, more);
}

/** The code of a provider's reply that only points to another address. */
export const REDIRECT = "redirect";

/** The connection failed, or what came over it is not a reply. */
export function brokenReply(message: string): CallProblem {
  return invalid(message, { kind: "broken", retryable: true });
}

/** What a failed system call says, without addresses and paths of this machine. */
export function systemMessage(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof RangeError && code === undefined) return "it has too many objects inside each other";
  const known: Record<string, string> = {
    ECONNREFUSED: "nobody answers at its address",
    ECONNRESET: "it closed the connection",
    EPIPE: "it closed the connection",
    ENOTFOUND: "its address is not known",
    EAI_AGAIN: "its address cannot be looked up",
    ETIMEDOUT: "it does not answer",
    HPE_HEADER_OVERFLOW: "the head of its reply is too long",
    ERR_BUFFER_TOO_LARGE: "its reply is too long once it is unpacked",
  };
  return (code && known[code]) ?? (code?.startsWith("HPE_") ? "what it sent is not HTTP" : message);
}
