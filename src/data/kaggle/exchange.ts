import http, { type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import https from "node:https";
import { interrupted, isProblem } from "./backoff.ts";
import type { KaggleClient } from "./client.ts";
import { type KaggleProblem, kaggleProblem } from "./messages.ts";
import { badCredentials, explainRefusal } from "./refusal.ts";

export type Call = {
  /** Relative to the client's base address. */
  path: string;
  competition: string | null;
  headers?: OutgoingHttpHeaders;
  signal: AbortSignal | null;
  /** False to be handed a redirect as it is. */
  follow?: boolean;
};

/** A response whose body has not been read. Either read it to its end or discard it. */
export type Answer = {
  status: "answered";
  code: number;
  headers: IncomingMessage["headers"];
  /** The body, piece by piece; throws a system error when the connection fails or stalls. */
  body: () => AsyncGenerator<Buffer>;
  /** What an error thrown by `body` means. */
  explain: (error: unknown) => KaggleProblem;
  discard: () => void;
};

const mostHops = 5;
const longestRefusal = 64 * 1024;
const redirects = new Set([301, 302, 303, 307, 308]);
const wanted = new Set([200, 206, 416]);

/**
 * One GET, redirects followed by hand: the credentials go to the client's own origin and to no other, and an https
 * address never leads to an http one. Everything but 200, 206 and 416 becomes a problem.
 */
export async function exchange(client: KaggleClient, call: Call): Promise<Answer | KaggleProblem> {
  let url = new URL(call.path, client.base);
  for (let hop = 0; hop <= mostHops; hop++) {
    const answer = await open(client, call, url);
    if (isProblem(answer)) return answer;
    if (wanted.has(answer.code)) return usable(answer, call);
    if (!redirects.has(answer.code)) return refused(client, call, answer, url);
    const location = answer.headers.location ?? "";
    if (!URL.canParse(location, url.href)) {
      answer.discard();
      return kaggleProblem("UNEXPECTED_ANSWER", call.competition, "Kaggle redirects to no address");
    }
    const next = new URL(location, url);
    if (call.follow === false && !isSignIn(next, client)) return answer;
    answer.discard();
    if (isSignIn(next, client)) return badCredentials(client);
    if (!["https:", url.protocol].includes(next.protocol)) {
      return kaggleProblem("UNEXPECTED_ANSWER", call.competition, "Kaggle redirects to an unsafe address");
    }
    url = next;
  }
  return kaggleProblem("UNEXPECTED_ANSWER", call.competition, "Kaggle redirects in circles");
}

/** To a stranger Kaggle may show the way to its sign-in page where an API would say 401. */
function isSignIn(url: URL, client: KaggleClient): boolean {
  return url.origin === client.base.origin && /\/login\b/i.test(url.pathname);
}

/** Turns down what looks like an answer and is none. */
function usable(answer: Answer, { competition }: Call): Answer | KaggleProblem {
  const refuse = (cause: string) => {
    answer.discard();
    return kaggleProblem("UNEXPECTED_ANSWER", competition, cause);
  };
  // Kaggle sends a browser's page, with HTTP 200, where it would rather see a person.
  if ((answer.headers["content-type"] ?? "").startsWith("text/html")) {
    return refuse("Kaggle answered with a web page instead of data");
  }
  // We ask for no compression; should it come all the same, lengths and checksums would be those of other bytes.
  if ((answer.headers["content-encoding"] ?? "identity") !== "identity") {
    return refuse("Kaggle's answer is compressed though we asked for plain");
  }
  return answer;
}

/** The whole body as text, or a problem; a body above the limit is one. */
export async function readText(answer: Answer, call: Call, limit: number): Promise<string | KaggleProblem> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer.body()) {
      bytes += chunk.length;
      if (bytes > limit) {
        answer.discard();
        return kaggleProblem("UNEXPECTED_ANSWER", call.competition, "Kaggle's answer does not end");
      }
      chunks.push(chunk);
    }
  } catch (error) {
    return answer.explain(error);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function refused(client: KaggleClient, call: Call, answer: Answer, url: URL): Promise<KaggleProblem> {
  const body = await readText(answer, call, longestRefusal);
  if (call.signal?.aborted) return interrupted(call.competition);
  return explainRefusal(client, call.competition, {
    code: answer.code,
    headers: answer.headers,
    body: typeof body === "string" ? body : "",
    fromStorage: url.origin !== client.base.origin,
  });
}

function open(client: KaggleClient, call: Call, url: URL): Promise<Answer | KaggleProblem> {
  const { competition, signal } = call;
  if (signal?.aborted) return Promise.resolve(interrupted(competition));
  const credentials = url.origin === client.base.origin ? { authorization: client.authorization } : {};
  const headers = {
    "user-agent": "mlebench",
    "accept-encoding": "identity",
    ...call.headers,
    ...credentials,
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? https : http).get(url, { headers });
    const stop = () => request.destroy();
    const watch = createWatch(client.stallMs, stop);
    watch.arm();
    signal?.addEventListener("abort", stop, { once: true });
    request.once("close", () => {
      watch.disarm();
      signal?.removeEventListener("abort", stop);
    });
    const explain = (error: unknown, code: "UNREACHABLE" | "TRUNCATED") => {
      if (signal?.aborted) return interrupted(competition);
      if (watch.stalled) {
        const cause = `nothing came from ${url.host} for ${client.stallMs / 1000} s`;
        return kaggleProblem("STALLED", competition, cause);
      }
      return networkProblem(error, code, competition, url.host);
    };
    request.on("error", (error) => {
      try {
        resolve(explain(error, "UNREACHABLE"));
      } catch (bug) {
        reject(bug);
      }
    });
    request.once("response", (response) => {
      // While the reader is busy (a slow disk), silence on the line is not the server's fault.
      watch.disarm();
      async function* body() {
        watch.arm();
        for await (const chunk of response) {
          watch.disarm();
          yield chunk as Buffer;
          watch.arm();
        }
        watch.disarm();
      }
      resolve({
        status: "answered",
        code: response.statusCode ?? 0,
        headers: response.headers,
        body,
        explain: (error) => explain(error, "TRUNCATED"),
        discard: stop,
      });
    });
  });
}

function createWatch(stallMs: number, onStall: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const watch = {
    stalled: false,
    arm() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        watch.stalled = true;
        onStall();
      }, stallMs);
    },
    disarm() {
      clearTimeout(timer);
    },
  };
  return watch;
}

function networkProblem(
  error: unknown,
  code: "UNREACHABLE" | "TRUNCATED",
  competition: string | null,
  host: string,
): KaggleProblem {
  if (!(error instanceof Error) || !("code" in error)) throw error;
  const reason = String(error.code);
  if (/CERT|UNABLE_TO_VERIFY/.test(reason)) {
    return kaggleProblem("CERTIFICATE", competition, `${host} cannot prove who it is (${reason})`);
  }
  const cause =
    code === "UNREACHABLE"
      ? `${host} cannot be reached (${reason})`
      : `${host} broke the download off (${reason})`;
  return kaggleProblem(code, competition, cause);
}
