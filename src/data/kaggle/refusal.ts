import type { IncomingHttpHeaders } from "node:http";
import { retryAfterMs } from "./backoff.ts";
import type { KaggleClient } from "./client.ts";
import {
  type KaggleProblem,
  kaggleProblem,
  phoneNotVerified,
  plainText,
  refusedWithoutReason,
  rulesNotAccepted,
  tokenPage,
} from "./messages.ts";

/** An answer that is not what we asked for. `body` may be cut short. */
export type RefusedAnswer = {
  code: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** Whether it came from the storage Kaggle redirects to, which knows nothing of accounts and rules. */
  fromStorage: boolean;
};

/** Says in Kaggle's terms what an HTTP refusal means. */
export function explainRefusal(
  client: KaggleClient,
  competition: string | null,
  { code, headers, body, fromStorage }: RefusedAnswer,
): KaggleProblem {
  const pause = { retryAfterMs: retryAfterMs(headers["retry-after"], client.pace.now()) };
  const who = fromStorage ? "Kaggle's storage" : "Kaggle";
  if (code === 429) {
    return kaggleProblem("RATE_LIMITED", competition, `${who} asks for a pause${pauseText(pause)}`, pause);
  }
  if (code >= 500 || code === 408 || code === 425) {
    return kaggleProblem("SERVER_ERROR", competition, `${who} has trouble (HTTP ${code})`, pause);
  }
  if (fromStorage) {
    // A link to the storage lives for minutes; the next attempt asks Kaggle for a new one.
    return kaggleProblem("LINK_REFUSED", competition, `${who} refuses the link Kaggle gave (HTTP ${code})`);
  }
  switch (code) {
    case 401:
      return badCredentials(client);
    case 403:
      return explainForbidden(competition, serverMessage(body));
    case 404:
      return kaggleProblem("NOT_FOUND", competition, "Kaggle knows nothing of it under this name (HTTP 404)");
  }
  const said = serverMessage(body);
  const cause = `Kaggle answered HTTP ${code}${said === "" ? "" : ` (${said})`}`;
  return kaggleProblem("UNEXPECTED_ANSWER", competition, cause);
}

/** Concerns no single competition: with these credentials nothing can be had. */
export function badCredentials({ credentialsSource }: KaggleClient): KaggleProblem {
  const cause = `Kaggle does not accept the credentials from ${credentialsSource}`;
  return kaggleProblem("BAD_CREDENTIALS", null, cause, { page: tokenPage });
}

/** Kaggle tells the reasons of a 403 apart only in its text. The phone comes first: rules need a verified account. */
function explainForbidden(competition: string | null, said: string): KaggleProblem {
  if (/\bphone\b|\bverif/i.test(said)) return phoneNotVerified(competition);
  if (competition !== null && /\brules?\b|\baccept/i.test(said)) return rulesNotAccepted(competition);
  return refusedWithoutReason(competition, said);
}

/** The `message` of Kaggle's JSON errors; other text as it is; nothing of a web page. */
function serverMessage(body: string): string {
  try {
    const { message } = Object(JSON.parse(body)) as { message?: unknown };
    return typeof message === "string" ? plainText(message) : "";
  } catch {
    return body.trimStart().startsWith("<") ? "" : plainText(body);
  }
}

function pauseText({ retryAfterMs }: { retryAfterMs: number | null }): string {
  if (retryAfterMs === null) return "";
  const seconds = Math.ceil(retryAfterMs / 1000);
  return seconds < 120 ? ` of ${seconds} s` : ` of ${Math.ceil(seconds / 60)} min`;
}
