// full: whole trials that search first
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { startMlebench } from "../cli.ts";

/** A server that speaks the documented API; each reply is used once, the last one for ever. */
interface Reply {
  code?: number;
  headers?: Record<string, string>;
  body: unknown;
}

let server: http.Server | null = null;
afterEach(() => server?.close());

async function github(
  replies: (base: string) => Reply[],
): Promise<{ base: string; asked: http.IncomingMessage[] }> {
  const asked: http.IncomingMessage[] = [];
  let base = "";
  server = http.createServer((request, response) => {
    asked.push(request);
    const all = replies(base);
    const { code = 200, headers = {}, body } = all[Math.min(asked.length, all.length) - 1];
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { base, asked };
}

const item = (name: string, more = {}) => ({
  full_name: name,
  html_url: `https://example.org/${name}`,
  clone_url: `https://example.org/${name}.git`,
  description: "Classifies bird songs",
  stargazers_count: 12,
  language: "Python",
  topics: ["audio", "birds"],
  license: { spdx_id: "MIT" },
  pushed_at: "2024-01-01T00:00:00Z",
  archived: false,
  ...more,
});
const page = (items: unknown[], total = items.length) => ({
  total_count: total,
  incomplete_results: false,
  items,
});

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The server lives in this process, so that the command must not be waited for in one go. */
function search(base: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = startMlebench(["repo", "index", "search", "bird audio", "--github", ...args], {
    MLEBENCH_GITHUB_API: base,
    ...env,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout!.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr!.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

test("without an open network GitHub is not asked", async () => {
  const { base, asked } = await github(() => [{ body: page([]) }]);
  const ran = await search(base, []);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("NETWORK_CLOSED");
  expect(asked).toHaveLength(0);
});

test("pages are followed on the same server only, and hits come with reasons, licence and address", async () => {
  const { base, asked } = await github((own) => [
    {
      body: page([item("a/chirp"), { odd: true }], 3),
      headers: { link: `<${own}/search/repositories?q=x&page=2>; rel="next", <${own}/l>; rel="last"` },
    },
    {
      body: page([item("b/song", { license: null })], 3),
      headers: { link: '<http://example.org/p3>; rel="next"' },
    },
  ]);
  const ran = await search(base, ["--open-network", "--limit", "50", "--json"], { GITHUB_TOKEN: "t0ken" });
  expect(ran.code, ran.stderr).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    source: "github",
    total: 3,
    notes: ["1 entries could not be read"],
    repositories: [
      { name: "a/chirp", licence: "MIT", reasons: { topics: ["audio", "bird"] } },
      { name: "b/song", licence: "none stated" },
    ],
  });
  expect(asked.map(({ url }) => url)).toEqual([
    "/search/repositories?q=bird+audio&per_page=50&page=1",
    "/search/repositories?q=x&page=2",
  ]);
  expect(asked[0].headers).toMatchObject({
    authorization: "Bearer t0ken",
    "user-agent": "mlebench",
    "x-github-api-version": "2022-11-28",
  });
});

test("a short limit is waited for, a long one is said with its end, a plain 403 is a refusal", async () => {
  const limited = (seconds: number): Reply => ({
    code: 403,
    headers: {
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + seconds),
    },
    body: { message: "API rate limit exceeded" },
  });
  const short = await github(() => [
    { code: 429, headers: { "retry-after": "1" }, body: { message: "secondary rate limit" } },
    { body: page([item("a/chirp")]) },
  ]);
  const waited = await search(short.base, ["--open-network"]);
  expect(waited.code, waited.stderr).toBe(0);
  expect(waited.stdout).toMatch(/a\/chirp {2}Classifies bird songs\n {2}because of .*topics: audio, bird/);
  server!.close();
  const long = await github(() => [limited(3000)]);
  const told = await search(long.base, ["--open-network"]);
  expect(told.code).toBe(3);
  expect(told.stderr).toMatch(/GITHUB_LIMITED.*rate limit exceeded[\s\S]*try again after 20/);
  expect(long.asked).toHaveLength(1);
  server!.close();
  const forbidden = await github(() => [{ code: 403, body: { message: "Resource not accessible" } }]);
  const refused = await search(forbidden.base, ["--open-network"]);
  expect(refused.stderr).toMatch(/GITHUB_REFUSED.*403: Resource not accessible/);
});

test("a server that fails, says nonsense, sends elsewhere or is not there is an error with a next step", async () => {
  for (const reply of [
    { code: 503, body: "down" },
    { body: "<html>" },
    { code: 302, headers: { location: "http://example.org/" }, body: "" },
    { code: 422, body: { message: "Validation Failed" } },
  ]) {
    const { base } = await github(() => [reply]);
    const ran = await search(base, ["--open-network"]);
    expect(ran.code, JSON.stringify(reply)).toBe(3);
    expect(ran.stderr).toMatch(/GITHUB_(UNREACHABLE|REFUSED)/);
    server!.close();
  }
  expect((await search("http://127.0.0.1:1", ["--open-network"])).stderr).toContain("GITHUB_UNREACHABLE");
  expect((await search("ftp://x", ["--open-network"])).code).toBe(2);
  const none = await github(() => [{ body: page([]) }]);
  expect((await search(none.base, ["--open-network"])).code).toBe(1);
});
