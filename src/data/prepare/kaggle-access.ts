import { createKaggleClient, type KaggleClient } from "../kaggle/client.ts";
import { findCredentials } from "../kaggle/credentials.ts";
import type { KaggleProblem } from "../kaggle/messages.ts";

/** A client with the user's own credentials, or why there is none. Notes tell about files that others can read. */
export function connectToKaggle(onNote: (message: string) => void): KaggleClient | KaggleProblem {
  const found = findCredentials();
  if (found.status !== "found") return found.problem;
  for (const warning of found.warnings) onNote(warning);
  return createKaggleClient(found.credentials);
}
