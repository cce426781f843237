import type { CallProblem, JsonObject, JsonValue, ProblemKind } from "../call.ts";
import { isObject, listOf, numberOf, objectOf, objectsOf, parseJson, textOf } from "./json.ts";

const RETRYABLE: ReadonlySet<ProblemKind> = new Set([
  "rate-limit",
  "overloaded",
  "server",
  "timeout",
  "broken",
]);
const MAX_MESSAGE = 2000;

export function problem(kind: ProblemKind, message: string, more: Partial<CallProblem> = {}): CallProblem {
  return {
    kind,
    message: message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)} …` : message,
    retryable: RETRYABLE.has(kind),
    retryAfterMs: null,
    status: null,
    code: null,
    param: null,
    ...more,
  };
}

/** A request that cannot be read or cannot be carried to the model's protocol. */
export function refusal(message: string, param: string | null = null): { ok: false; problem: CallProblem } {
  return { ok: false, problem: problem("invalid", message, { param }) };
}

/** Codes and types of all providers; the first that occurs in the words of the error decides. */
const KIND_BY_WORD: [RegExp, ProblemKind][] = [
  [/insufficient_quota|credit_balance|spend_limit|usage_limit_exceeded|billing/, "billing"],
  [/context_length|context_window|prompt is too long|input token count.*exceeds|maximum context/, "context"],
  [/overloaded|server_is_overloaded|unavailable/, "overloaded"],
  [/rate_limit|slow_down|ramp_limit|resource_exhausted|too_many_requests/, "rate-limit"],
  [/authentication|permission|unauthenticated|invalid_api_key|api key not valid/, "auth"],
  [/not_found/, "not-found"],
  [/timeout|deadline_exceeded/, "timeout"],
  [/api_error|server_error|internal/, "server"],
  [/invalid|unsupported|failed_precondition|out_of_range/, "invalid"],
];

const KIND_BY_STATUS: Record<number, ProblemKind> = {
  401: "auth",
  402: "billing",
  403: "auth",
  404: "not-found",
  408: "timeout",
  409: "server",
  429: "rate-limit",
  503: "overloaded",
  504: "timeout",
  529: "overloaded",
};

type Headers = Record<string, string | string[] | undefined>;

/** What a provider says in a reply with an error status, whatever the shape of its body. */
export function readProblem(status: number, headers: Headers, body: Uint8Array): CallProblem {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const parsed = parseJson(text);
  const found = parsed === undefined ? wordsOf(text, status) : readErrorObject(errorIn(parsed) ?? parsed);
  const told = retryAfter(headers) ?? found.retryAfterMs;
  const kind = kindOf(status, found);
  const word = first(headers["x-should-retry"]);
  const retryable = word === "true" ? kind !== "billing" : word === "false" ? false : RETRYABLE.has(kind);
  const message = found.message || `the provider answered with status ${status}`;
  return problem(kind, message, {
    retryable,
    retryAfterMs: told,
    status,
    code: found.code,
    param: found.param,
  });
}

/** An error inside a reply that began with status 200, or inside a stream; null where there is none. */
export function problemInside(body: JsonValue): CallProblem | null {
  const error = errorIn(body);
  if (error === null) return null;
  const found = readErrorObject(error);
  const kind = kindOf(found.status, found);
  const message = found.message || "the provider reported an error without saying which";
  return problem(kind, message, { retryAfterMs: found.retryAfterMs, code: found.code, param: found.param });
}

interface Found {
  message: string;
  /** Type, code and status in words. */
  words: string;
  status: number | null;
  code: string | null;
  param: string | null;
  retryAfterMs: number | null;
}

function errorIn(body: JsonValue): JsonValue | null {
  const object = Array.isArray(body) ? objectOf(body[0]) : objectOf(body);
  const error = object.error;
  if (typeof error === "string" || isObject(error)) return error;
  return object.type === "error" || object.object === "error" ? object : null;
}

function readErrorObject(error: JsonValue): Found {
  if (!isObject(error)) return { ...NOTHING, message: textOf(error) ?? "" };
  const details = objectOf(error.details);
  const codes = [error.type, error.code, error.status, details.error_code]
    .map(textOf)
    .filter((word) => word !== null);
  const code = textOf(error.code) ?? textOf(details.error_code) ?? textOf(error.status) ?? textOf(error.type);
  return {
    message: textOf(error.message) ?? textOf(error.detail) ?? detailText(error),
    words: codes.join(" ").toLowerCase(),
    status: numberOf(error.code) ?? numberOf(error.status),
    code,
    param: textOf(error.param),
    retryAfterMs: retryInfo(error.details),
  };
}

const NOTHING: Found = { message: "", words: "", status: null, code: null, param: null, retryAfterMs: null };

/** FastAPI servers (vLLM behind some proxies) answer {detail: "…"} or {detail: [{msg}]}; others {message: "…"}. */
function detailText(error: JsonObject): string {
  const parts = objectsOf(error.detail).map((entry) => textOf(entry.msg) ?? "");
  return parts.filter((part) => part !== "").join("; ");
}

function kindOf(status: number | null, found: Found): ProblemKind {
  const said = `${found.words} ${found.message.toLowerCase()}`;
  const money = KIND_BY_WORD[0]!;
  const context = KIND_BY_WORD[1]!;
  if (money[0].test(found.words)) return "billing";
  if ((status === null || status === 400 || status === 413) && context[0].test(said)) return "context";
  if (status === 400 && /api key not valid/.test(said)) return "auth";
  if (status !== null && status >= 400) {
    const byStatus = KIND_BY_STATUS[status] ?? (status >= 500 ? "server" : "invalid");
    return byStatus === "server" && /overloaded/.test(found.words) ? "overloaded" : byStatus;
  }
  if (status !== null && status >= 300) return "broken";
  return KIND_BY_WORD.find(([pattern]) => pattern.test(found.words))?.[1] ?? "server";
}

/** The first words of a body that is not JSON: a proxy's page by its title, anything else by its beginning. */
function wordsOf(text: string, status: number): Found {
  return { ...NOTHING, message: text.trim() === "" ? "" : notJson(text, `status ${status}`) };
}

export function notJson(text: string, where: string): string {
  const page = /<(?:!doctype|html)/i.test(text.slice(0, 500));
  const title = /<title[^>]*>([^<]{1,200})/i.exec(text.slice(0, 10_000))?.[1]?.trim();
  if (page) return `an HTML page${title ? ` ("${title}")` : ""} came instead of a reply (${where})`;
  const start = text.trim().slice(0, 200).replace(/\s+/g, " ");
  return `what came is not JSON (${where}): ${start}`;
}

/** The wait a provider asks for: `retry-after-ms`, then `retry-after` in seconds or as a date. */
function retryAfter(headers: Headers): number | null {
  const ms = Number(first(headers["retry-after-ms"]) ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const value = first(headers["retry-after"]);
  if (value === undefined || value.trim() === "") return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** Gemini puts the wait into the details of the error: {"@type": "….RetryInfo", retryDelay: "34.5s"}. */
function retryInfo(details: JsonValue | undefined): number | null {
  for (const entry of listOf(details)) {
    const delay = /^([\d.]+)s$/.exec(textOf(objectOf(entry).retryDelay) ?? "");
    if (delay) return Number(delay[1]) * 1000;
  }
  return null;
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** The status a problem has on the client's side. 402 and 403 are never sent: clients try those again for long. */
export const STATUS_OF: Record<ProblemKind, number> = {
  "rate-limit": 429,
  overloaded: 503,
  server: 500,
  auth: 401,
  billing: 400,
  invalid: 400,
  context: 400,
  "not-found": 404,
  timeout: 504,
  broken: 502,
};

/** A wait the client must know of, as a header. */
export function waitHeaders(found: CallProblem): Record<string, string> {
  if (found.retryAfterMs === null || !found.retryable) return {};
  return { "retry-after": String(Math.ceil(found.retryAfterMs / 1000)) };
}
