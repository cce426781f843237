import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readTextTable, textsOf } from "../../../src/agents/baseline/reading/text-table.ts";
import { builtInAgents } from "../../../src/agents/definition/built-in.ts";
import type { Check } from "../../../src/agents/dummy/check.ts";
import { trialPaths } from "../../../src/trials/trial/folder.ts";
import { type Kind, makeMinimalSystem } from "../hostile/minimal-system.ts";
import { canTest } from "../sandbox/sandbox-rig.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { COMPETITION, plan, type RanGroup, runPlanned, scene } from "../trials/setting.ts";

const SAMPLE = `tests/golden/vectors/prepare/${COMPETITION}/expected/public/sample_submission.csv`;
const KINDS: readonly Kind[] = ["bubblewrap", "podman"];
const usable = await Promise.all(KINDS.map(async (kind) => ({ kind, can: await canTest(kind) })));
const bubblewrap = usable[0].can;

function submissionOf({ trialFolder }: RanGroup): Buffer {
  return fs.readFileSync(path.join(trialFolder, "submission/submission.csv"));
}

function checksOf({ trialFolder }: RanGroup): { passed: boolean; checks: Check[] } {
  return JSON.parse(fs.readFileSync(path.join(trialFolder, "logs/dummy.json"), "utf8"));
}

function outputOf({ trialFolder }: RanGroup): string {
  const { stdout, stderr } = trialPaths(trialFolder);
  return fs.readFileSync(stdout, "utf8") + fs.readFileSync(stderr, "utf8");
}

async function run(agentId: string, change: Parameters<typeof plan>[1]): Promise<RanGroup> {
  return runPlanned(await plan(scene(""), { agentId, ...change }));
}

test("sample runs without isolation as well, and submits the sample submission", async () => {
  const ran = await run("sample", { sandbox: "process" });
  expect(ran.trial.outcome, outputOf(ran)).toMatchObject({ stopReason: "exited" });
  expect(submissionOf(ran)).toEqual(fs.readFileSync(SAMPLE));
  expect(outputOf(ran)).toBe("submitted sample_submission.csv\nSubmission is valid.\n");
});

test("dummy without isolation reports the private data it can read, and fails", async () => {
  const ran = await run("dummy", { sandbox: "process" });
  expect(ran.trial.outcome).toMatchObject({ stopReason: "failed", exitCode: 1 });
  const failed = checksOf(ran).checks.filter(({ ok }) => !ok);
  expect(failed.map(({ name }) => name.replace(/ \/.*\//, " "))).toContain("no-private-data private");
  expect(failed.map(({ name }) => name)).toContain("data-not-writable");
});

test("dummy reports a harness that does not answer", () => {
  const folder = temporaryFolder();
  const { status } = spawnSync(process.execPath, [path.join(builtInAgents(), "dummy/agent.mjs")], {
    env: {
      ...Object.fromEntries(
        ["DATA", "SUBMISSION", "LOGS", "CODE", "AGENT"].map((name) => [`${name}_DIR`, folder]),
      ),
      MLEBENCH_VALIDATE_URL: "http://127.0.0.1:9/validate",
    },
  });
  expect(status).toBe(1);
  const { checks } = JSON.parse(fs.readFileSync(path.join(folder, "dummy.json"), "utf8")) as {
    checks: Check[];
  };
  const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  expect(failed).toEqual(
    expect.arrayContaining([
      "server-health",
      "server-time",
      "server-validates",
      "sample-submission",
      "deadline",
    ]),
  );
});

describe("dummy with --fill", () => {
  async function filled(fill: string, seeds = 1): Promise<string[]> {
    const settings = { agentId: `dummy/${fill}`, sandbox: "process" as const };
    const folder = await plan(scene(""), settings, { seeds });
    const { outcome } = await runPlanned(folder);
    return outcome.group.trials.map(({ id }) =>
      fs.readFileSync(path.join(folder, id, "submission/submission.csv"), "utf8"),
    );
  }
  const rowsOf = (text: string) =>
    text
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").slice(1).map(Number));

  test("prior submits how often each class occurs in the training data", async () => {
    const [text] = await filled("prior");
    const train = readTextTable(path.join(path.dirname(SAMPLE), "train.csv"))!;
    const authors = textsOf(train, "author")!.filter((author) => author !== "");
    const shares = ["EAP", "HPL", "MWS"].map(
      (name) => authors.filter((author) => author === name).length / authors.length,
    );
    for (const row of rowsOf(text))
      for (const [at, value] of row.entries()) expect(value).toBeCloseTo(shares[at], 10);
  });

  test("random submits valid rows that follow from the seed", async () => {
    const [first, second] = await filled("random", 2);
    for (const row of rowsOf(first)) expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1);
    expect(second).not.toBe(first);
    expect(await filled("random", 2)).toEqual([first, second]);
  });

  test.each(["constant", "mean"])("%s submits the same for every row", async (fill) => {
    const [text] = await filled(fill);
    expect(new Set(rowsOf(text).map(String)).size).toBe(1);
  });
});

describe.skipIf(!bubblewrap)("in bubblewrap", () => {
  test("sample submits the sample submission, with the harness's Node mounted", async () => {
    const ran = await run("sample", { sandbox: "bubblewrap" });
    expect(ran.trial.outcome, outputOf(ran)).toMatchObject({ stopReason: "exited" });
    expect(submissionOf(ran)).toEqual(fs.readFileSync(SAMPLE));
    expect(ran.trial.validationCalls).toBe(1);
    const mounts = ran.trial.sandbox.policy?.mounts ?? [];
    expect(mounts).toContainEqual({
      host: fs.realpathSync(process.execPath),
      inside: "/run/mlebench/bin/node",
      mode: "read-only",
    });
  });

  test.each([{ mode: "none" as const }, { mode: "allow-list" as const, hosts: ["example.org"] }])(
    "dummy finds nothing wrong with network $mode",
    async (network) => {
      const ran = await run("dummy", { sandbox: "bubblewrap", network });
      const { passed, checks } = checksOf(ran);
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(passed).toBe(true);
      expect(ran.trial.outcome).toMatchObject({ stopReason: "exited" });
      expect(submissionOf(ran)).toEqual(fs.readFileSync(SAMPLE));
    },
  );
});

describe("in a system that has no Node", () => {
  const { settingsFor, removeImage } = makeMinimalSystem(
    path.join(temporaryFolder(), "system"),
    usable.filter(({ can }) => can).map(({ kind }) => kind),
  );
  afterAll(removeImage);
  for (const { kind, can } of usable)
    test.skipIf(!can)(`dummy finds nothing wrong with ${kind}`, async () => {
      const ran = await run("dummy", { sandbox: kind, ...settingsFor(kind) });
      expect(ran.trial.outcome, outputOf(ran)).toMatchObject({ stopReason: "exited" });
      expect(checksOf(ran).checks.filter(({ ok }) => !ok)).toEqual([]);
    });
});
