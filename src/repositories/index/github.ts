import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { wordsOf } from "../rank/words.ts";

const Item = z.looseObject({
  full_name: z.string(),
  html_url: z.string(),
  clone_url: z.string(),
  description: z.string().nullish(),
  stargazers_count: z.number().default(0),
  language: z.string().nullish(),
  topics: z.array(z.string()).default([]),
  license: z.looseObject({ spdx_id: z.string().nullish() }).nullish(),
  pushed_at: z.string().nullish(),
  archived: z.boolean().default(false),
});
const Page = z.looseObject({
  total_count: z.int(),
  incomplete_results: z.boolean().default(false),
  items: z.array(z.unknown()),
});

/** A repository that GitHub's search names, and why it fits. */
export interface GithubHit {
  name: string;
  address: string;
  cloneAddress: string;
  about: string;
  stars: number;
  language: string | null;
  licence: string;
  pushedAt: string | null;
  archived: boolean;
  /** The words of the question that stand in its name, description and topics. */
  reasons: Record<string, string[]>;
}

export type GithubOutcome =
  | { status: "found"; hits: GithubHit[]; total: number; notes: string[] }
  /** Its limits are used up; `until` is when they are new, where it says so. */
  | { status: "limited"; message: string; until: Date | null }
  | { status: "refused"; message: string }
  | { status: "unreachable"; message: string };

export interface GithubOptions {
  limit: number;
  /** Without one, ten questions a minute. */
  token?: string | undefined;
  baseUrl?: string | undefined;
  /** Longer waits for new limits are left to the person. */
  maxWaitSeconds?: number;
  signal?: AbortSignal | undefined;
}

export const GITHUB_API = "https://api.github.com";
const PER_PAGE = 100;
/** GitHub itself gives no more than these. */
const MAX_RESULTS = 1000;
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 2 ** 20;
const MAX_TRIES = 3;

/** Asks GitHub's search for repositories, page by page, within its limits. Only for runs with an open network. */
export async function searchGithub(query: string, options: GithubOptions): Promise<GithubOutcome> {
  const wanted = Math.min(options.limit, MAX_RESULTS);
  const base = (options.baseUrl ?? GITHUB_API).replace(/\/+$/, "");
  const perPage = Math.min(PER_PAGE, wanted);
  let next: string | null =
    `${base}/search/repositories?${new URLSearchParams({ q: query, per_page: String(perPage), page: "1" })}`;
  const hits: GithubHit[] = [];
  const notes: string[] = [];
  let total = 0;
  while (next !== null && hits.length < wanted) {
    const page = await askPage(next, options);
    if (page.status !== "read") {
      // What is there already is better than nothing, if it is said.
      if (hits.length === 0) return page;
      notes.push(`only the first ${hits.length}: ${page.message}`);
      break;
    }
    const { body, link } = page;
    total = body.total_count;
    if (body.incomplete_results) notes.push("GitHub ran out of time: there may be more");
    const items = body.items.flatMap((item) => Item.safeParse(item).data ?? []);
    if (items.length < body.items.length)
      notes.push(`${body.items.length - items.length} entries could not be read`);
    hits.push(...items.map((item) => hitOf(item, query)));
    next = body.items.length === 0 ? null : nextPage(link, base);
  }
  return { status: "found", hits: hits.slice(0, wanted), total, notes: [...new Set(notes)] };
}

type PageOutcome =
  | { status: "read"; body: z.infer<typeof Page>; link: string | null }
  | Exclude<GithubOutcome, { status: "found" }>;

async function askPage(address: string, options: GithubOptions): Promise<PageOutcome> {
  for (let tries = 1; ; tries++) {
    const reply = await send(address, options);
    if (typeof reply === "string") {
      if (tries < MAX_TRIES && !options.signal?.aborted) {
        await wait(250 * 2 ** tries);
        continue;
      }
      return { status: "unreachable", message: reply };
    }
    const { code, headers, text } = reply;
    if (code === 200) {
      const body = Page.safeParse(jsonOf(text));
      if (!body.success) return { status: "unreachable", message: "its answer is not what GitHub documents" };
      return { status: "read", body: body.data, link: headers.get("link") };
    }
    const limit = limitOf(code, headers, text);
    if (limit !== null) {
      const seconds =
        limit.until === null ? Number.POSITIVE_INFINITY : (limit.until.getTime() - Date.now()) / 1000;
      if (tries < MAX_TRIES && seconds <= (options.maxWaitSeconds ?? 60)) {
        await wait(
          Math.max(0, seconds) * 1000 + 50,
          undefined,
          options.signal ? { signal: options.signal } : {},
        );
        continue;
      }
      return { status: "limited", ...limit };
    }
    if (code >= 500 && tries < MAX_TRIES) {
      await wait(250 * 2 ** tries);
      continue;
    }
    if (code >= 500) return { status: "unreachable", message: `it answers ${code}` };
    return { status: "refused", message: `it answers ${code}: ${messageOf(text)}` };
  }
}

/** 403 and 429 are limits if the headers say so: none left until `reset`, or `retry-after`. Any other 403 is a no. */
function limitOf(
  code: number,
  headers: Headers,
  text: string,
): { message: string; until: Date | null } | null {
  if (code !== 403 && code !== 429) return null;
  const after = Number(headers.get("retry-after") ?? "");
  if (headers.get("retry-after") !== null && Number.isFinite(after))
    return { message: messageOf(text), until: new Date(Date.now() + after * 1000) };
  const reset = Number(headers.get("x-ratelimit-reset") ?? "");
  if (headers.get("x-ratelimit-remaining") === "0")
    return { message: messageOf(text), until: reset > 0 ? new Date(reset * 1000) : null };
  return code === 429 || /rate limit/i.test(text) ? { message: messageOf(text), until: null } : null;
}

/** The address behind rel="next", if it is the same server's: a key goes nowhere else. */
function nextPage(link: string | null, base: string): string | null {
  const next = /<([^>]+)>\s*;\s*rel="next"/.exec(link ?? "")?.[1];
  return next !== undefined && URL.canParse(next) && new URL(next).origin === new URL(base).origin
    ? next
    : null;
}

async function send(
  address: string,
  { token, signal }: GithubOptions,
): Promise<{ code: number; headers: Headers; text: string } | string> {
  try {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const reply = await fetch(address, {
      headers: {
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        "user-agent": "mlebench",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (Number(reply.headers.get("content-length") ?? 0) > MAX_BYTES) return "its answer is too long";
    const text = await reply.text();
    return { code: reply.status, headers: reply.headers, text: text.slice(0, MAX_BYTES) };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    return cause?.message || message;
  }
}

function hitOf(item: z.infer<typeof Item>, query: string): GithubHit {
  const asked = new Set(wordsOf(query));
  const fields = { name: item.full_name, description: item.description ?? "", topics: item.topics.join(" ") };
  const reasons = Object.entries(fields).flatMap(([field, text]) => {
    const words = [...new Set(wordsOf(text))].filter((word) => asked.has(word));
    return words.length === 0 ? [] : [[field, words] as const];
  });
  return {
    name: item.full_name,
    address: item.html_url,
    cloneAddress: item.clone_url,
    about: item.description ?? "",
    stars: item.stargazers_count,
    language: item.language ?? null,
    licence: item.license?.spdx_id ?? "none stated",
    pushedAt: item.pushed_at ?? null,
    archived: item.archived,
    reasons: Object.fromEntries(reasons),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function messageOf(text: string): string {
  const parsed = z.looseObject({ message: z.string() }).safeParse(jsonOf(text));
  return (parsed.data?.message ?? text).slice(0, 200) || "no reason given";
}
