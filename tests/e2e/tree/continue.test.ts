// full: the harness is killed in the midst of a search, and goes on
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import { readTrial, trialPaths } from "../../../src/trials/trial/folder.ts";
import { mlebench, startMlebench } from "../cli.ts";
import { KINDS } from "../trials/kinds.ts";
import {
  lasting,
  onlyGroup,
  type StarterTrial,
  starterSetting,
  trialFolders,
  trialsOf,
} from "./starter-setting.ts";

const COMPETITION = "starter-batch-jobs";
const setting = starterSetting([COMPETITION], {
  // No program of theirs takes so long, however busy the machine.
  "tree/ten": { "agent.steps": 10, "exec.timeout": 60 },
});

/** Lines of the journal of the trial that runs; 0 where there is none yet. */
function linesSoFar(runs: string): number {
  try {
    const [folder] = trialFolders(onlyGroup(runs));
    return fs.readFileSync(path.join(folder, "work/logs/journal.jsonl"), "utf8").split("\n").length - 1;
  } catch {
    return 0;
  }
}

async function killedAfter(steps: number, kind: (typeof KINDS)[number]): Promise<string> {
  const { runs, args } = setting.command("tree/ten", [COMPETITION], kind);
  const child = startMlebench(args);
  const ended = once(child, "exit");
  for (let tries = 0; tries < 600 && linesSoFar(runs) <= steps; tries++) await wait(100);
  expect(linesSoFar(runs)).toBeGreaterThan(steps);
  child.kill("SIGKILL");
  await ended;
  return onlyGroup(runs);
}

describe("a search whose harness is killed", () => {
  let calm: StarterTrial;
  beforeAll(async () => {
    setting.prepare();
    [calm] = await setting.run("tree/ten", [COMPETITION]);
    expect(calm.steps.filter(({ phase }) => phase === "search")).toHaveLength(10);
  }, 300_000);

  test.each(KINDS)(
    "goes on from its journal with resume --continue, twice killed, in %s, and ends as an undisturbed one",
    async (kind) => {
      const group = await killedAfter(2, kind);
      const [folder] = trialFolders(group);
      const again = startMlebench(["resume", group, "--continue"]);
      const ended = once(again, "exit");
      for (let tries = 0; tries < 600 && linesSoFar(path.dirname(group)) <= 5; tries++) await wait(100);
      again.kill("SIGKILL");
      await ended;
      const resumed = mlebench(["resume", group, "--continue", "--grade"], {}, 240_000);
      expect([resumed.code, resumed.stderr + resumed.stdout]).toEqual([
        0,
        expect.stringContaining("1 of 1 trials finished"),
      ]);
      const [shaken] = await trialsOf(group);
      expect(shaken.doubts).toEqual([]);
      expect(lasting(shaken.steps)).toEqual(lasting(calm.steps));
      expect(shaken.submission).toBe(calm.submission);
      const trial = readTrial(folder)!;
      expect(trial).toMatchObject({ status: "finished", attempt: 3, continuations: 2 });
      expect(trial.notes.join("\n")).toContain("It went on from attempt 2");
      // Time and money of what it went on from count: the deadline is nearer, and no call is lost or counted twice.
      const seconds = (Date.parse(trial.deadline) - Date.parse(trial.startedAt)) / 1000;
      expect(trial.usedSeconds).toBeGreaterThan(1);
      expect(seconds).toBeCloseTo(600 - trial.usedSeconds!, 2);
      const calls = readLedger(trialPaths(folder).ledger).lines;
      expect(calls.map(({ seq }) => seq)).toEqual(calls.map((_, at) => at));
      expect(trial.modelTotals?.calls).toBe(calls.length);
      const known = new Set(calls.map(({ requestId }) => requestId));
      for (const { modelCalls } of shaken.steps)
        for (const id of modelCalls) expect(known.has(id)).toBe(true);
      const verified = mlebench(["verify", group]);
      expect(verified.stdout).toContain("continued 2 times after an interruption");
      expect(verified.code).toBe(0);
    },
    280_000,
  );

  test("begins anew with a plain resume: its earlier journal is kept aside and not used", async () => {
    const group = await killedAfter(2, "process");
    const resumed = mlebench(["resume", group], {}, 240_000);
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
    const [shaken] = await trialsOf(group);
    expect(lasting(shaken.steps)).toEqual(lasting(calm.steps));
    expect(readTrial(shaken.folder)?.continuations).toBeUndefined();
    const left = path.join(shaken.folder, "attempts/1/logs/journal.jsonl");
    expect(fs.readFileSync(left, "utf8").split("\n").length).toBeGreaterThan(3);
  }, 280_000);
});
