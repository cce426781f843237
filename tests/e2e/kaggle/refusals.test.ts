import path from "node:path";
import { expect, test } from "vitest";
import { createKaggleClient } from "../../../src/data/kaggle/client.ts";
import { listCompetitionFiles, rulesAccepted } from "../../../src/data/kaggle/competition-files.ts";
import { downloadCompetition } from "../../../src/data/kaggle/download.ts";
import type { KaggleProblem } from "../../../src/data/kaggle/messages.ts";
import type { Access } from "./fake-kaggle.ts";
import { bundle, clientOf, type Setting, setUp, token } from "./setting.ts";

const file = { bytes: bundle, etag: '"v1"' };

async function refusalOf({ client, folder }: Setting, id = "birds"): Promise<KaggleProblem> {
  const outcome = await downloadCompetition(client, {
    id,
    target: path.join(folder, "data.zip"),
    expectedMd5: null,
  });
  if (outcome.status !== "failed") throw new Error(`expected a refusal, got ${outcome.status}`);
  return outcome;
}

async function withAccess(access: Access): Promise<Setting> {
  const setting = await setUp();
  setting.kaggle.competitions.set("birds", { access, file });
  return setting;
}

test("401 names where the credentials came from, and not the credentials", async () => {
  const setting = await withAccess("open");
  const wrong = { kind: "token", token: "KGAT_wrong", source: "~/.kaggle/access_token" } as const;
  const refusal = await refusalOf({ ...setting, client: clientOf(setting.kaggle, wrong) });
  expect(refusal).toMatchObject({ code: "BAD_CREDENTIALS", blame: "user", retryable: false });
  expect(refusal.message).toBe("Kaggle does not accept the credentials from ~/.kaggle/access_token.");
  expect(refusal.next).toContain("https://www.kaggle.com/settings/api");
  expect(JSON.stringify(refusal)).not.toContain("KGAT_wrong");
  expect(setting.kaggle.apiRequests).toHaveLength(1);
});

test("a redirect to the sign-in page is understood as refused credentials", async () => {
  const setting = await withAccess("open");
  const signIn = { kind: "status", code: 302, headers: { location: "/account/login?returnUrl=x" } } as const;
  setting.kaggle.apiFaults.push(signIn, signIn);
  expect(await refusalOf(setting)).toMatchObject({ code: "BAD_CREDENTIALS" });
  expect(await rulesAccepted(setting.client, "birds")).toMatchObject({ code: "BAD_CREDENTIALS" });
});

test("403 with rule text is one sentence and the exact page to open", async () => {
  const refusal = await refusalOf(await withAccess("rules"));
  expect(refusal).toMatchObject({
    code: "RULES_NOT_ACCEPTED",
    blame: "user",
    retryable: false,
    competition: "birds",
    page: "https://www.kaggle.com/c/birds/rules",
  });
  expect(refusal.message).toBe("birds: your Kaggle account has not accepted its rules.");
  expect(refusal.next).toContain("https://www.kaggle.com/c/birds/rules");
});

test("403 for an account without a verified phone says so and where to verify it", async () => {
  const refusal = await refusalOf(await withAccess("phone"));
  expect(refusal).toMatchObject({ code: "PHONE_NOT_VERIFIED", blame: "user" });
  expect(refusal.next).toContain("https://www.kaggle.com/settings");
});

test("403 without a reason we know names every usual one", async () => {
  const refusal = await refusalOf(await withAccess("denied"));
  expect(refusal).toMatchObject({ code: "FORBIDDEN", page: "https://www.kaggle.com/c/birds/rules" });
  expect(refusal.message).toContain("competitions.participate");
  expect(refusal.next).toMatch(/name.*rules.*verify/);
});

test("404 is the task's and is not retried", async () => {
  const setting = await setUp();
  expect(await refusalOf(setting)).toMatchObject({ code: "NOT_FOUND", blame: "task", retryable: false });
  expect(setting.kaggle.apiRequests).toHaveLength(1);
});

test("a name that is none never becomes a request", async () => {
  const setting = await setUp();
  for (const id of ["..", "../../kernels/list", "a/b", "a?b", "", "a b"]) {
    expect(await refusalOf(setting, id)).toMatchObject({ code: "NOT_FOUND" });
  }
  expect(setting.kaggle.apiRequests).toHaveLength(0);
});

test("429 waits as long as Retry-After says, in seconds or as a date, and then goes on", async () => {
  const setting = await setUp({ pace: { now: () => Date.parse("Sun, 15 Nov 2026 06:00:00 GMT") } });
  setting.kaggle.competitions.set("birds", { access: "open", file });
  const limited = (value: string) =>
    ({ kind: "status", code: 429, headers: { "retry-after": value } }) as const;
  setting.kaggle.apiFaults.push(limited("7"), limited("Sun, 15 Nov 2026 06:00:30 GMT"), limited("nonsense"));
  const target = path.join(setting.folder, "data.zip");
  const outcome = await downloadCompetition(setting.client, { id: "birds", target, expectedMd5: null });
  expect(outcome.status).toBe("downloaded");
  expect(setting.waits).toEqual([7_000, 30_000, 4_000]);
});

test("a Retry-After of an hour is told to the user, not waited for", async () => {
  const setting = await withAccess("open");
  setting.kaggle.apiFaults.push({ kind: "status", code: 429, headers: { "retry-after": "3600" } });
  const refusal = await refusalOf(setting);
  expect(refusal).toMatchObject({ code: "RATE_LIMITED", blame: "host", retryAfterMs: 3_600_000 });
  expect(refusal.message).toContain("60 min");
  expect(setting.waits).toEqual([]);
});

test("server errors are retried with growing pauses until the attempts are used up", async () => {
  const setting = await setUp({ pace: { attempts: 4 } });
  setting.kaggle.competitions.set("birds", { access: "open", file });
  for (let i = 0; i < 4; i++) setting.kaggle.apiFaults.push({ kind: "status", code: 502 });
  expect(await refusalOf(setting)).toMatchObject({ code: "SERVER_ERROR", blame: "host", retryable: true });
  expect(setting.waits).toEqual([1_000, 2_000, 4_000]);
});

test("a 403 of the storage is an expired link, and a new one is asked for", async () => {
  const setting = await withAccess("open");
  setting.kaggle.storageFaults.push({ kind: "status", code: 403, body: "<Error>ExpiredToken rules</Error>" });
  const target = path.join(setting.folder, "data.zip");
  const outcome = await downloadCompetition(setting.client, { id: "birds", target, expectedMd5: null });
  expect(outcome.status).toBe("downloaded");
  expect(setting.kaggle.apiRequests).toHaveLength(2);
});

test("a web page in the place of data is not saved as data", async () => {
  const setting = await withAccess("open");
  const headers = { "content-type": "text/html; charset=utf-8" };
  setting.kaggle.apiFaults.push({ kind: "status", code: 200, headers, body: "<html>sign in</html>" });
  expect(await refusalOf(setting)).toMatchObject({ code: "UNEXPECTED_ANSWER", blame: "harness" });
});

test("redirects in circles end", async () => {
  const setting = await withAccess("open");
  const around = { kind: "status", code: 302, headers: { location: "?again" } } as const;
  for (let i = 0; i < 10; i++) setting.kaggle.apiFaults.push(around);
  expect(await refusalOf(setting)).toMatchObject({ code: "UNEXPECTED_ANSWER" });
});

test("control characters in Kaggle's own words do not reach the terminal", async () => {
  const setting = await withAccess("open");
  setting.kaggle.apiFaults.push({ kind: "status", code: 403, body: "\u001b[2J\nhidden\u0007" });
  const refusal = await refusalOf(setting);
  expect(refusal.message).toMatch(/^[ -~]+$/);
});

test("an address nobody answers at is unreachable, and retryable", async () => {
  const client = createKaggleClient(token, {
    address: "http://127.0.0.1:9/api",
    pace: { sleep: async () => {}, attempts: 2 },
  });
  if (client.status === "failed") throw new Error(client.message);
  const setting = await setUp();
  expect(await refusalOf({ ...setting, client })).toMatchObject({ code: "UNREACHABLE", retryable: true });
});

test("the rules probe tells accepted from not accepted without downloading anything", async () => {
  const open = await withAccess("open");
  expect(await rulesAccepted(open.client, "birds")).toEqual({ status: "accepted" });
  expect(open.kaggle.storageRequests).toHaveLength(0);
  const closed = await withAccess("rules");
  expect(await rulesAccepted(closed.client, "birds")).toMatchObject({
    code: "RULES_NOT_ACCEPTED",
    page: "https://www.kaggle.com/c/birds/rules",
  });
});

test("the file list is read over its pages, and an answer of another shape is refused", async () => {
  const { kaggle, client } = await setUp();
  kaggle.answers.set("competitions/data/list/birds", {
    files: [{ name: "train.csv", totalBytes: 12 }, { name: "images/a.png" }],
    nextPageToken: "",
  });
  expect(await listCompetitionFiles(client, "birds")).toEqual({
    status: "listed",
    files: [
      { name: "train.csv", bytes: 12 },
      { name: "images/a.png", bytes: null },
    ],
    complete: true,
  });
  kaggle.answers.set("competitions/data/list/birds", {
    files: [{ name: "a", totalBytes: 1 }],
    nextPageToken: "more",
  });
  const many = await listCompetitionFiles(client, "birds", { atMost: 2 });
  expect(many).toMatchObject({ status: "listed", complete: false });
  expect(kaggle.apiRequests.at(-1)?.url).toContain("pageToken=more");
  kaggle.answers.set("competitions/data/list/birds", { data: 1 });
  expect(await listCompetitionFiles(client, "birds")).toMatchObject({ code: "UNEXPECTED_ANSWER" });
});
