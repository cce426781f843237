import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type CompetitionToGet, downloadCompetition } from "../../../src/data/kaggle/download.ts";
import { exchange } from "../../../src/data/kaggle/exchange.ts";
import type { DownloadProgress } from "../../../src/data/kaggle/progress.ts";
import { createRunningMd5, receive } from "../../../src/data/kaggle/receive.ts";
import { type Fault, googleHash, type StoredFile } from "./fake-kaggle.ts";
import { bundle, clientOf, type Setting, setUp, token } from "./setting.ts";

const bundleMd5 = createHash("md5").update(bundle).digest("hex");
const goodFile: StoredFile = { bytes: bundle, etag: '"v1"', headers: { "x-goog-hash": googleHash(bundle) } };

function offer({ kaggle }: Setting, file: StoredFile = goodFile) {
  kaggle.competitions.set("birds", { access: "open", file });
}

function birds({ folder }: Setting, expectedMd5: string | null = null): CompetitionToGet {
  return { id: "birds", target: path.join(folder, "birds", "birds.zip"), expectedMd5 };
}

function filesOf({ folder }: Setting): string[] {
  return fs.readdirSync(path.join(folder, "birds")).sort();
}

/** The line breaks when so much of the whole has reached the disk: what is still in memory then would be lost. */
function cutAt(setting: Setting, bytes: number, from = 0): Fault {
  const partial = `${birds(setting).target}.partial`;
  const arrived = () => (fs.statSync(partial, { throwIfNoEntry: false })?.size ?? 0) >= bytes;
  return { kind: "cut", after: bytes - from, when: arrived };
}

/** A clock that is a second further each time it is looked at, so that every chunk is reported. */
function tickingClock(): () => number {
  let time = 0;
  return () => {
    time += 1000;
    return time;
  };
}

test("the zip comes through the redirect, whole and verified, and the storage never sees the credentials", async () => {
  const setting = await setUp();
  offer(setting);
  const outcome = await downloadCompetition(setting.client, birds(setting));
  expect(outcome).toEqual({
    status: "downloaded",
    file: birds(setting).target,
    bytes: bundle.length,
    md5: bundleMd5,
    verified: "md5",
    alreadyThere: false,
    resumedFrom: 0,
  });
  expect(fs.readFileSync(birds(setting).target).equals(bundle)).toBe(true);
  expect(filesOf(setting)).toEqual(["birds.zip"]);
  const { apiRequests, storageRequests } = setting.kaggle;
  expect(apiRequests.map((seen) => seen.headers.authorization)).toEqual(["Bearer KGAT_right"]);
  expect(storageRequests).toHaveLength(1);
  expect(JSON.stringify(storageRequests[0].headers)).not.toContain("KGAT");
  expect(storageRequests[0].headers.authorization).toBeUndefined();
});

test("the older user name and key serve as well", async () => {
  const setting = await setUp({}, { kind: "key", username: "ann", key: "k", source: "kaggle.json" });
  offer(setting);
  expect(await downloadCompetition(setting.client, birds(setting))).toMatchObject({ status: "downloaded" });
  expect(setting.kaggle.apiRequests[0].headers.authorization).toMatch(/^Basic /);
  expect(setting.kaggle.storageRequests[0].headers.authorization).toBeUndefined();
});

test("progress tells bytes, rate and time left, and ends at the whole", async () => {
  const setting = await setUp({ pace: { now: tickingClock() } });
  offer(setting);
  const seen: DownloadProgress[] = [];
  await downloadCompetition(setting.client, birds(setting), { onProgress: (p) => seen.push(p) });
  expect(seen.length).toBeGreaterThan(1);
  expect(seen[0].bytesPerSecond).toBeGreaterThan(0);
  expect(seen[0].secondsLeft).toBeGreaterThan(0);
  expect(seen.at(-1)).toMatchObject({
    phase: "download",
    doneBytes: bundle.length,
    totalBytes: bundle.length,
    secondsLeft: 0,
  });
});

test("a body cut short is gone on with from where it ended", async () => {
  const setting = await setUp();
  offer(setting);
  setting.kaggle.storageFaults.push(cutAt(setting, 100_000), cutAt(setting, 150_000, 100_000));
  const outcome = await downloadCompetition(setting.client, birds(setting));
  expect(outcome).toMatchObject({ status: "downloaded", md5: bundleMd5, verified: "md5" });
  const { storageRequests, apiRequests } = setting.kaggle;
  const ranges = storageRequests.map(({ headers }) => headers.range);
  expect(ranges).toEqual([undefined, "bytes=100000-", "bytes=150000-"]);
  expect(storageRequests[1].headers["if-range"]).toBe('"v1"');
  expect(apiRequests, "each attempt asks Kaggle for a fresh link").toHaveLength(3);
  expect(setting.waits).toEqual([1000, 2000]);
});

test("Ctrl-C leaves a partial file, and the next run goes on with it", async () => {
  const setting = await setUp({ pace: { now: tickingClock() } });
  offer(setting);
  setting.kaggle.storageFaults.push({ kind: "hang", after: 120_000 });
  const interrupt = new AbortController();
  const outcome = await downloadCompetition(setting.client, birds(setting), {
    signal: interrupt.signal,
    onProgress: ({ doneBytes }) => {
      if (doneBytes === 120_000) interrupt.abort();
    },
  });
  expect(outcome).toMatchObject({
    code: "INTERRUPTED",
    blame: "user",
    retryable: true,
    competition: "birds",
  });
  expect(filesOf(setting)).toEqual(["birds.zip.partial", "birds.zip.partial.json"]);
  const kept = fs.statSync(`${birds(setting).target}.partial`).size;
  expect(kept).toBe(120_000);

  const again = await downloadCompetition(clientOf(setting.kaggle, token), birds(setting));
  expect(again).toMatchObject({ status: "downloaded", md5: bundleMd5, verified: "md5", resumedFrom: kept });
  expect(setting.kaggle.storageRequests[1].headers.range).toBe(`bytes=${kept}-`);
  expect(filesOf(setting)).toEqual(["birds.zip"]);
});

test("Ctrl-C during a pause between attempts is obeyed at once", async () => {
  const setting = await setUp({ pace: { sleep: (_, signal) => Promise.reject(signal?.reason) } });
  offer(setting);
  const interrupt = new AbortController();
  setting.kaggle.storageFaults.push({ kind: "status", code: 503 });
  const outcome = await downloadCompetition(setting.client, birds(setting), {
    signal: interrupt.signal,
    onRetry: () => interrupt.abort(),
  });
  expect(outcome).toMatchObject({ code: "INTERRUPTED" });
});

test("a file that changed since the interruption is fetched from its beginning", async () => {
  const setting = await setUp();
  offer(setting, { ...goodFile, bytes: Buffer.alloc(300_000, 7), headers: {}, etag: '"old"' });
  setting.kaggle.storageFaults.push(cutAt(setting, 100_000));
  const outcome = downloadCompetition(setting.client, birds(setting), { onRetry: () => offer(setting) });
  expect(await outcome).toMatchObject({ status: "downloaded", md5: bundleMd5, verified: "md5" });
  expect(setting.kaggle.storageRequests[1].headers["if-range"]).toBe('"old"');
  expect(fs.readFileSync(birds(setting).target).equals(bundle)).toBe(true);
});

test("a storage that goes on with another file in spite of If-Range is not believed", async () => {
  const setting = await setUp();
  offer(setting, { ...goodFile, bytes: Buffer.alloc(300_000, 7), headers: {}, etag: '"old"' });
  setting.kaggle.storageFaults.push(cutAt(setting, 100_000), {
    kind: "status",
    code: 206,
    headers: { etag: '"v1"', "content-range": "bytes 100000-299999/300000" },
    body: bundle.subarray(100_000),
  });
  const outcome = downloadCompetition(setting.client, birds(setting), { onRetry: () => offer(setting) });
  expect(await outcome).toMatchObject({ status: "downloaded", md5: bundleMd5 });
});

test("a storage that knows no ranges, or no ETag, costs time but not correctness", async () => {
  for (const file of [{ ...goodFile, ignoresRanges: true }, { bytes: bundle }]) {
    const setting = await setUp();
    offer(setting, file);
    setting.kaggle.storageFaults.push(cutAt(setting, 100_000));
    expect(await downloadCompetition(setting.client, birds(setting))).toMatchObject({ md5: bundleMd5 });
  }
});

test("a partial file nobody vouches for is not gone on with", async () => {
  const setting = await setUp();
  offer(setting);
  fs.mkdirSync(path.join(setting.folder, "birds"));
  fs.writeFileSync(`${birds(setting).target}.partial`, "somebody else's");
  expect(await downloadCompetition(setting.client, birds(setting))).toMatchObject({ md5: bundleMd5 });
  expect(setting.kaggle.storageRequests[0].headers.range).toBeUndefined();
});

test("a complete partial file, left by a kill before the rename, is verified and named without a request", async () => {
  const setting = await setUp();
  offer(setting);
  setting.kaggle.storageFaults.push({ kind: "hang", after: 100_000 });
  const interrupt = new AbortController();
  await downloadCompetition(setting.client, birds(setting), {
    signal: interrupt.signal,
    onProgress: () => interrupt.abort(),
  });
  fs.writeFileSync(`${birds(setting).target}.partial`, bundle);
  const before = setting.kaggle.apiRequests.length;
  expect(await downloadCompetition(setting.client, birds(setting))).toMatchObject({
    md5: bundleMd5,
    verified: "md5",
  });
  expect(setting.kaggle.apiRequests).toHaveLength(before);
});

test("a partial file damaged on the disk is found out by the checksum and fetched anew", async () => {
  const setting = await setUp({ pace: { attempts: 1 } });
  offer(setting);
  setting.kaggle.storageFaults.push(cutAt(setting, 100_000));
  expect(await downloadCompetition(setting.client, birds(setting))).toMatchObject({ code: "TRUNCATED" });
  fs.writeFileSync(`${birds(setting).target}.partial`, Buffer.alloc(100_000));
  const repeated: string[] = [];
  const outcome = await downloadCompetition(setting.client, birds(setting), {
    onRetry: ({ problem }) => repeated.push(problem.code),
  });
  expect(outcome).toMatchObject({ status: "downloaded", md5: bundleMd5, verified: "md5" });
  expect(repeated).toEqual(["CHECKSUM"]);
});

test("content that does not match the server's md5 is fetched once more and then given up", async () => {
  const setting = await setUp();
  offer(setting, { ...goodFile, headers: { "x-goog-hash": googleHash(Buffer.from("other")) } });
  const outcome = await downloadCompetition(setting.client, birds(setting));
  expect(outcome).toMatchObject({ code: "CHECKSUM", blame: "host", retryable: true });
  expect(setting.kaggle.storageRequests).toHaveLength(2);
  expect(filesOf(setting)).toEqual([]);
});

test("Content-MD5 is verified where Google's own header is missing", async () => {
  const setting = await setUp();
  const md5 = createHash("md5").update(bundle).digest("base64");
  offer(setting, { ...goodFile, headers: { "content-md5": md5 } });
  expect(await downloadCompetition(setting.client, birds(setting))).toMatchObject({ verified: "md5" });
});

test("a zip with the original's md5 is the original's; another one is kept and reported as different", async () => {
  const setting = await setUp();
  offer(setting);
  expect(await downloadCompetition(setting.client, birds(setting, bundleMd5))).toMatchObject({
    verified: "original",
  });
  const other = "0".repeat(32);
  const outcome = await downloadCompetition(setting.client, birds(setting, other));
  expect(outcome).toMatchObject({ code: "ARCHIVE_DIFFERS", blame: "task", retryable: false });
  expect(fs.existsSync(birds(setting).target)).toBe(true);
  expect(setting.kaggle.storageRequests).toHaveLength(1);
  expect(await downloadCompetition(setting.client, birds(setting))).toMatchObject({
    status: "downloaded",
    alreadyThere: true,
  });
});

test("a server that falls silent is given up after the stall time and the part is kept", async () => {
  const setting = await setUp({ stallMs: 150, pace: { attempts: 2 } });
  offer(setting);
  setting.kaggle.storageFaults.push({ kind: "hang", after: 90_000 }, { kind: "silence" });
  const outcome = await downloadCompetition(setting.client, birds(setting));
  expect(outcome).toMatchObject({ code: "STALLED", blame: "host", retryable: true });
  const kept = fs.statSync(`${birds(setting).target}.partial`).size;
  expect(kept).toBeGreaterThan(0);
  expect(setting.kaggle.storageRequests[1].headers.range).toBe(`bytes=${kept}-`);
});

test("a disk that cannot hold the announced size is reported before a byte is fetched", async () => {
  const setting = await setUp();
  setting.kaggle.competitions.set("birds", { access: "open", file: goodFile });
  setting.kaggle.storageFaults.push({
    kind: "status",
    code: 200,
    headers: { "content-length": String(9e14), etag: '"v1"' },
  });
  const outcome = await downloadCompetition(setting.client, birds(setting));
  expect(outcome).toMatchObject({ code: "DISK_FULL", blame: "host" });
  if (outcome.status === "failed") expect(outcome.message).toMatch(/900 TB are still to come and .* free/);
});

test.runIf(fs.existsSync("/dev/full"))("a disk that runs full on the way is the host's fault", async () => {
  const { kaggle, client, folder } = await setUp();
  kaggle.answers.set("file", bundle);
  const target = path.join(folder, "file");
  fs.symlinkSync("/dev/full", `${target}.partial`);
  const answer = await exchange(client, { path: "file", competition: "birds", signal: null });
  if (answer.status === "failed") throw new Error(answer.message);
  const outcome = await receive(answer, {
    target,
    competition: "birds",
    from: 0,
    size: bundle.length,
    md5: createRunningMd5(),
    now: Date.now,
    onProgress: () => {},
  });
  expect(outcome).toMatchObject({ code: "DISK_FULL", blame: "host", retryable: true });
});

test("a folder that cannot be made is a sentence, not an exception", async () => {
  const setting = await setUp();
  offer(setting);
  fs.writeFileSync(path.join(setting.folder, "birds"), "a file in the way");
  expect(await downloadCompetition(setting.client, birds(setting))).toMatchObject({ code: "DISK_FAILED" });
});

test("one competition's failure stops no other", async () => {
  const setting = await setUp({ pace: { attempts: 1 } });
  const { kaggle, client, folder } = setting;
  kaggle.competitions.set("leaves", { access: "rules", file: goodFile });
  kaggle.competitions.set("whales", { access: "open", file: goodFile });
  const ids = ["nowhere", "leaves", "whales"];
  const outcomes = await Promise.all(
    ids.map((id) =>
      downloadCompetition(client, { id, target: path.join(folder, `${id}.zip`), expectedMd5: null }),
    ),
  );
  expect(outcomes.map((o) => (o.status === "failed" ? o.code : o.status))).toEqual([
    "NOT_FOUND",
    "RULES_NOT_ACCEPTED",
    "downloaded",
  ]);
});
