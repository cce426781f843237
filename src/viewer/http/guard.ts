import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export type Admission =
  | { status: "admitted" }
  /** The token stood in the address: it moves into a cookie, so that it stays out of histories and screenshots. */
  | { status: "welcome" }
  | { status: "refused"; code: 400 | 401 | 403 | 405; why: string };

/**
 * Who may ask. Another website's script reaches a loopback port, but not with our token (a strict cookie, or a header that
 * it may not send), not under our name (DNS rebinding shows in `Host`), and not without telling where it comes from.
 */
export function admit(request: IncomingMessage, token: string, port: number): Admission {
  const { headers, method = "GET" } = request;
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (method !== "GET" && method !== "HEAD" && method !== "POST")
    return refuse(405, "Only GET and POST are answered here.");
  if (headers.host === undefined || !own.includes(headers.host.toLowerCase()))
    return refuse(403, "This server answers only under the address it printed.");
  const origin = headers.origin;
  if (origin !== undefined && !own.includes(origin.toLowerCase().replace(/^http:\/\//, "")))
    return refuse(403, "Pages of other websites may not ask here.");
  const address = addressOf(request);
  if (address === null) return refuse(400, "That is not an address.");
  const { pathname, searchParams } = address;
  const site = headers["sec-fetch-site"];
  const isPage = pathname === "/";
  if (!isPage && site !== undefined && site !== "same-origin" && site !== "none")
    return refuse(403, "Pages of other websites may not ask here.");
  const inAddress = searchParams.get("token");
  if (isPage && method === "GET" && inAddress !== null && same(inAddress, token))
    return { status: "welcome" };
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  const cookie = cookieOf(headers.cookie ?? "", cookieName(port));
  if (!same(bearer ?? "", token) && !same(cookie, token))
    return refuse(401, "The address needs its token: use the one that mlebench view printed.");
  // A strict cookie is not sent from elsewhere, but what writes does not rest on that alone.
  if (method === "POST" && bearer === undefined && origin === undefined)
    return refuse(403, "A change needs to say where it comes from.");
  return { status: "admitted" };
}

/** What was asked for; null for what no browser asks for, such as `//`. */
export function addressOf({ url = "/" }: IncomingMessage): URL | null {
  return URL.canParse(url, "http://localhost") ? new URL(url, "http://localhost") : null;
}

/** Cookies know no ports: each server needs a name of its own. */
export function cookieName(port: number): string {
  return `mlebench-view-${port}`;
}

function cookieOf(header: string, name: string): string {
  const pairs = header.split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([key]) => key === name)?.[1] ?? "";
}

function same(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refuse(code: 400 | 401 | 403 | 405, why: string): Admission {
  return { status: "refused", code, why };
}
