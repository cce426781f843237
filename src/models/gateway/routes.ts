import { createHash, timingSafeEqual } from "node:crypto";
import type http from "node:http";
import { leftOf } from "../budget.ts";
import type { CallProblem } from "../call.ts";
import { estimatedTokens } from "../prices/cost.ts";
import { jsonReply } from "../protocols/frame.ts";
import type { Endpoint, Protocol, WrittenReply } from "../protocols/protocol.ts";
import { matchRequest, protocols } from "../protocols/protocols.ts";
import type { GatewayOptions } from "./options.ts";
import { findModel } from "./policy.ts";
import { invalid } from "./problems.ts";
import { type Received, receiveBody } from "./receive.ts";

export type Route =
  | { status: "call"; protocol: Protocol; endpoint: Endpoint }
  /** Everything that asks no model. */
  | { status: "other"; protocol: Protocol; endpoint: Endpoint };

/** Which protocol a request speaks: the path decides, and where it is the same in several, the headers do. */
export function routeOf(request: http.IncomingMessage): Route {
  const { method = "GET", url = "/", headers } = request;
  const found = matchRequest(method, url, headers);
  if (found !== null) return { status: found.endpoint.kind === "call" ? "call" : "other", ...found };
  const { chat, gemini, messages } = protocols;
  const isAnthropic = headers["anthropic-version"] !== undefined || headers["x-api-key"] !== undefined;
  const protocol = isAnthropic ? messages : headers["x-goog-api-key"] !== undefined ? gemini : chat;
  return { status: "other", protocol, endpoint: { kind: "other" } };
}

/** Who asks must hold the trial's token, in whatever header its protocol puts a key. */
export function isAllowed(request: http.IncomingMessage, { token }: GatewayOptions): boolean {
  const { headers, url = "/" } = request;
  // Without a token any page in a browser of this machine could spend a person's money: browsers say whose page asks.
  if (token === null) return headers.origin === undefined || isOfThisMachine(headers.origin);
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? "")?.[1];
  const query = new URLSearchParams(url.split("?", 2)[1] ?? "").get("key");
  const given = [bearer, headers["x-api-key"], headers["api-key"], headers["x-goog-api-key"], query];
  return given.some((text) => typeof text === "string" && sameText(text.trim(), token));
}

function isOfThisMachine(origin: string): boolean {
  return URL.canParse(origin) && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(origin).hostname);
}

function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export const WRONG_TOKEN: CallProblem = invalid("This is not the token of this trial.", { kind: "auth" });

/** Where an agent asks what it may still spend. */
const BUDGET_PATH = "/budget";

/** Answers what is not a model call: the list of models, counting tokens, the budget, probes, and what there is not. */
export async function answerRoute(
  options: GatewayOptions,
  { protocol, endpoint }: Route,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const path = (request.url ?? "/").split("?", 1)[0];
  const isProbe =
    (request.method === "HEAD" || request.method === "GET") && /^\/(api\/hello|health)?$/.test(path);
  if (isProbe) {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(request.method === "HEAD" ? "" : '{"status":"ok"}\n');
    return;
  }
  const reply = !isAllowed(request, options)
    ? protocol.writeError(WRONG_TOKEN, 401)
    : path === BUDGET_PATH && request.method === "GET"
      ? jsonReply({ schema: "mlebench/budget", version: 1, ...leftOf(options.budgets) })
      : await replyTo(options, protocol, endpoint, request);
  // What is left of a refused body is not worth reading.
  if (!request.complete) response.setHeader("connection", "close");
  const bytes = Buffer.from(JSON.stringify(reply.body));
  response.writeHead(reply.status, { ...reply.headers, "content-length": bytes.length });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

async function replyTo(
  options: GatewayOptions,
  protocol: Protocol,
  endpoint: Endpoint,
  request: http.IncomingMessage,
): Promise<WrittenReply> {
  switch (endpoint.kind) {
    case "list-models":
      return protocol.writeModels([...new Set(options.models.map(({ id }) => id))]);
    case "show-model": {
      const found = findModel(endpoint.model, undefined, options);
      if ("refusal" in found) return protocol.writeError(invalid(found.refusal, { kind: "not-found" }), 404);
      return oneModel(protocol, found.id);
    }
    case "count-tokens": {
      const received = await receiveAside(options, request);
      if (received.status === "refused") return protocol.writeError(invalid(received.message), received.code);
      return protocol.writeTokenCount(estimatedTokens(received.bytes.length));
    }
    default: {
      const asked = `${request.method} ${request.url?.split("?", 1)[0]}`;
      return protocol.writeError(
        invalid(`The gateway does not offer ${asked.slice(0, 200)}.`, { kind: "not-found" }),
        404,
      );
    }
  }
}

/** The body of what is no call: nothing of it is held when it has been looked at, or when its client has gone. */
async function receiveAside({ intake }: GatewayOptions, request: http.IncomingMessage): Promise<Received> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  request.socket.once("close", leave);
  let taken = 0;
  try {
    return await receiveBody(request, {
      intake,
      signal: gone.signal,
      onBytes: (bytes) => {
        taken += bytes;
      },
    });
  } finally {
    intake.bytes -= taken;
    request.socket.off("close", leave);
  }
}

function oneModel(protocol: Protocol, id: string): WrittenReply {
  const list = protocol.writeModels([id]);
  const body = list.body as { data?: unknown[]; models?: unknown[] };
  const entry = (body.data ?? body.models)?.[0];
  return entry === undefined ? list : { ...list, body: entry as WrittenReply["body"] };
}
