import fs from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readRecord } from "../../../src/files/read-record.ts";
import { CERTIFICATE, sealTrial } from "../../../src/trials/certificate/certificate.ts";
import { createKey, readSigningKey } from "../../../src/trials/certificate/signing.ts";
import { type EventLog, openEvents } from "../../../src/trials/trial/events.ts";
import { readTrialRecord } from "../../../src/trials/trial/folder.ts";
import { json, mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, plan, runPlanned, runScript, scene } from "./setting.ts";

const SCRIPT = 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"';

// biome-ignore lint/suspicious/noExplicitAny: what a later version writes has no type of ours.
function change(file: string, edit: (value: any) => void): void {
  const value = JSON.parse(fs.readFileSync(file, "utf8"));
  edit(value);
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

describe("a record", () => {
  const shape = CERTIFICATE.shape;
  const kind = { schema: "mlebench/certificate", version: 1, shape };

  test("that is not there is absent", () => {
    expect(readRecord(path.join(temporaryFolder(), "none.json"), kind)).toEqual({ status: "absent" });
  });

  test.each([
    ["not JSON", "{"],
    ["of another kind", '{"schema":"mlebench/trial","version":1}'],
    ["without a version", '{"schema":"mlebench/certificate"}'],
    ["with half of its fields", '{"schema":"mlebench/certificate","version":1,"grade":null}'],
    ["that is a list", "[]"],
  ])("%s is unreadable, and says why", (_, text) => {
    const file = writeText(temporaryFolder(), "record.json", text);
    const read = readRecord(file, kind);
    expect(read.status).toBe("unreadable");
    expect((read as { why: string }).why).not.toBe("");
  });

  test("of a later version is newer, and says what wrote it", () => {
    const text = '{"schema":"mlebench/certificate","version":7,"mlebenchVersion":"3.1.4"}';
    expect(readRecord(writeText(temporaryFolder(), "record.json", text), kind)).toEqual({
      status: "newer",
      writer: "mlebench 3.1.4 wrote it, in version 7 of mlebench/certificate; this one reads up to version 1",
    });
  });

  test("of an earlier version is migrated step by step, or refused with a sentence", () => {
    const file = writeText(temporaryFolder(), "record.json", '{"schema":"s","version":1,"a":1}');
    const anything = { schema: "s", version: 3, shape: z.looseObject({ a: z.number() }) };
    const add = (name: string) => (record: Record<string, unknown>) => ({ ...record, [name]: true });
    const migrations = { 1: add("first"), 2: add("second") };
    expect(readRecord(file, anything)).toMatchObject({
      status: "unreadable",
      why: "version 1 of s is no longer understood; an earlier mlebench reads it",
    });
    expect(readRecord(file, { ...anything, migrations })).toEqual({
      status: "read",
      record: { schema: "s", version: 3, a: 1, first: true, second: true },
    });
  });
});

test("fields and events of a later version are tolerated, hashed and counted", async () => {
  const { folder, trialFolder } = await runScript(SCRIPT, { sandbox: "process" });
  const keys = path.join(temporaryFolder(), "keys");
  createKey(keys, "mine");
  const key = readSigningKey(path.join(keys, "mine.key"));
  const events = openEvents(path.join(trialFolder, "events.jsonl"));
  (events.append as (type: string, data: object) => unknown)("model-dreamt", { sheep: 3 });
  (events as EventLog).close();
  change(path.join(trialFolder, "trial.json"), (trial) => {
    trial.mood = { level: 3 };
    trial.agent.nickname = "Bob";
  });
  expect(readTrialRecord(trialFolder).status).toBe("read");
  await sealTrial(trialFolder, key);
  const verified = mlebench(["verify", trialFolder, "--key", path.join(keys, "mine.pub")]);
  expect(verified.stdout).toMatch(/understood (\d+) of \d+ events/);
  // The first event names the agent without its nickname: the trial's own files contradict each other.
  expect(verified.stdout).toContain("the record says otherwise than the trial's files: agent");
  change(path.join(trialFolder, "trial.json"), (trial) => {
    delete trial.agent.nickname;
  });
  await sealTrial(trialFolder, key);
  const again = mlebench([
    "verify",
    trialFolder,
    "--key",
    path.join(keys, "mine.pub"),
    "--require-signature",
  ]);
  expect(again.stdout + again.stderr).toMatch(/^ {2}verified/m);
  expect(again.code).toBe(0);
  expect(mlebench(["status", folder]).code).toBe(0);
});

test("a trial that was killed right before it was sealed is sealed, and its last heartbeat goes", async () => {
  const { folder, trialFolder } = await runScript(SCRIPT, { sandbox: "process" });
  fs.rmSync(path.join(trialFolder, "certificate.json"));
  writeText(trialFolder, "heartbeat.json", "{}");
  expect(mlebench(["resume", folder]).code).toBe(0);
  expect(fs.existsSync(path.join(trialFolder, "certificate.json"))).toBe(true);
  expect(fs.existsSync(path.join(trialFolder, "heartbeat.json"))).toBe(false);
  expect(mlebench(["verify", folder]).code).toBe(0);
});

describe("a record that a later mlebench wrote", () => {
  test("is neither resumed, graded nor set aside, and the sentence says so", async () => {
    const { folder, trialFolder } = await runScript(SCRIPT, { sandbox: "process" });
    fs.rmSync(path.join(trialFolder, "certificate.json"));
    change(path.join(trialFolder, "trial.json"), (trial) => {
      trial.version = 2;
      trial.mlebenchVersion = "9.9.9";
    });
    const before = fs.readdirSync(trialFolder);
    const resumed = mlebench(["resume", folder]);
    expect(resumed.code).toBe(3);
    expect(resumed.stderr).toContain("mlebench 9.9.9 wrote it");
    expect(resumed.stderr).toContain("update mlebench");
    expect(fs.readdirSync(trialFolder)).toEqual(before);
  });

  test("is not called broken by verify, and not accepted either", async () => {
    const { trialFolder } = await runScript(SCRIPT, { sandbox: "process" });
    const file = path.join(trialFolder, "certificate.json");
    change(file, (certificate) => {
      certificate.version = 2;
    });
    const result = mlebench(["verify", file, "--json"]);
    expect(result.code).toBe(1);
    expect((json(result) as { results: { verdict: string }[] }).results[0].verdict).toBe("not understood");
  });
});

describe("an announced plan", () => {
  test("is in the file before the first trial, and verify finds it there", async () => {
    const { dataDir, runsDir, agentsDir, root } = scene(SCRIPT);
    const file = path.join(root, "announcements.jsonl");
    const places = ["--data-dir", dataDir, "--runs-dir", runsDir, "--agents-dir", agentsDir];
    const args = ["run", "--agent", "scripted", "-c", COMPETITION, "--sandbox", "process", ...places];
    expect(mlebench([...args, "--name", "first", "--announce", file]).code).toBe(0);
    expect(mlebench([...args, "--name", "second"]).code).toBe(0);
    const [line] = fs
      .readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(line).toMatchObject({ schema: "mlebench/announcement", runGroup: "first", trials: 1 });
    const verify = (group: string) =>
      mlebench(["verify", path.join(runsDir, group), "--announcement", file, "--brief"]);
    expect(verify("first")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("announced: the plan"),
    });
    expect(verify("second")).toMatchObject({ code: 1, stdout: expect.stringContaining("NOT ANNOUNCED") });
  });

  test("is posted to an address, and nothing starts when that fails", async () => {
    const setting = scene(SCRIPT);
    const received: string[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        received.push(body);
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const run = (name: string) =>
      new Promise<number | null>((resolve) => {
        const { dataDir, runsDir, agentsDir } = setting;
        const places = ["--data-dir", dataDir, "--runs-dir", runsDir, "--agents-dir", agentsDir];
        const announce = ["--announce", `http://127.0.0.1:${port}/plans`, "--name", name];
        const args = ["run", "--agent", "scripted", "-c", COMPETITION, "--sandbox", "process", ...places];
        startMlebench([...args, ...announce]).on("close", resolve);
      });
    expect(await run("posted")).toBe(0);
    expect(JSON.parse(received[0])).toMatchObject({ runGroup: "posted", key: null });
    status = 503;
    expect(await run("refused")).toBe(3);
    server.close();
    expect(fs.readdirSync(path.join(setting.runsDir, "refused"))).not.toContain("starts.jsonl");
  });
});

test("what records have learned to say may be absent, and says nothing wrong when it is there", async () => {
  const setting = scene(SCRIPT);
  const folder = await plan(setting, { sandbox: "process" });
  const { trial } = await runPlanned(folder);
  expect(trial.isolation).toEqual({ isolated: false, shared: expect.arrayContaining(["files", "network"]) });
  expect(trial.plan).toMatch(/^[0-9a-f]{64}$/);
  expect(trial.start).toMatch(/^[0-9a-f]{64}$/);
  expect(trial.cost).toBeUndefined();
});
