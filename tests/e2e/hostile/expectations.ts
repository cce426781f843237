import fs from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { GroupSettings } from "../../../src/trials/group/schema.ts";
import { readEvents } from "../../../src/trials/trial/events.ts";
import { trialPaths } from "../../../src/trials/trial/folder.ts";
import type { Outcome } from "../../../src/trials/trial/schema.ts";
import { COMPETITION, type RanGroup } from "../trials/setting.ts";
import type { Arena } from "./arena.ts";

/** The documented end of one hostile agent; docs/agents.md has the same table in words. */
export interface Expectation {
  agent: string;
  limits?: Partial<GroupSettings>;
  outcome: Partial<Outcome>;
  /** `sample`: the sample submission it copied first is what counts. */
  final: "sample" | "nothing" | "another";
  also?(ran: RanGroup, arena: Arena): void;
}

export const SHORT = { timeSeconds: 3, graceSeconds: 0.5 };
export const TIMEOUT: Partial<Outcome> = { stopReason: "timeout", blame: "budget" };
export const EXITED: Partial<Outcome> = { stopReason: "exited", blame: null, exitCode: 0 };
const OUTPUT_CAP = 64 * 2 ** 20;
const SAMPLE = `tests/golden/vectors/prepare/${COMPETITION}/expected/public/sample_submission.csv`;

export const EXPECTATIONS: readonly Expectation[] = [
  { agent: "slow", limits: SHORT, outcome: TIMEOUT, final: "sample" },
  {
    agent: "ignores-sigterm",
    limits: SHORT,
    outcome: TIMEOUT,
    final: "sample",
    also: ({ trial }) => expect(trial.measurements?.wallSeconds).toBeLessThan(30),
  },
  {
    agent: "forks-without-end",
    limits: { ...SHORT, processes: { value: 64, required: true } },
    outcome: TIMEOUT,
    final: "sample",
  },
  {
    agent: "eats-memory",
    limits: { memoryBytes: { value: 128 * 2 ** 20, required: true } },
    outcome: { stopReason: "memory", blame: "budget" },
    final: "sample",
  },
  {
    agent: "fills-the-disk",
    limits: { diskBytes: { value: 64 * 2 ** 20, required: true } },
    outcome: { stopReason: "disk", blame: "budget" },
    final: "sample",
  },
  {
    agent: "writes-after-the-deadline",
    limits: { timeSeconds: 3, graceSeconds: 2 },
    outcome: TIMEOUT,
    final: "sample",
    also: (ran) => {
      expect(eventsOf(ran)).toContain("late-write-refused");
      expect(ran.trial.submissions).toHaveLength(1);
    },
  },
  { agent: "leaves-processes", outcome: EXITED, final: "sample" },
  {
    agent: "links-its-submission",
    outcome: EXITED,
    final: "nothing",
    also: (ran, { marker }) => {
      expect(ran.trial.final?.why).toContain("symbolic link");
      expectNowhere(ran, marker);
    },
  },
  {
    agent: "links-its-folder",
    outcome: EXITED,
    final: "nothing",
    also: (ran, { marker }) => expectNowhere(ran, marker),
  },
  {
    agent: "prints-gigabytes",
    outcome: EXITED,
    final: "sample",
    also: ({ trialFolder }) => {
      const { stdout, runLog } = trialPaths(trialFolder);
      expect(fs.statSync(stdout).size).toBeLessThan(OUTPUT_CAP + 1000);
      expect(lastLine(stdout)).toMatch(/\d/);
      expect(fs.statSync(runLog).size).toBeLessThan(3 * OUTPUT_CAP);
    },
  },
  {
    agent: "writes-binary-logs",
    outcome: EXITED,
    final: "sample",
    also: ({ trial, trialFolder }) => {
      const { stdout, logs } = trialPaths(trialFolder);
      expect(fs.statSync(stdout).size).toBeGreaterThan(900_000);
      expect(fs.readdirSync(logs)).toContain("%ff%fe%0a.log");
      expect(trial.notes).toContain("logs: 1 names were not plain text and were changed");
      expect(fs.statSync(path.join(logs, "agent.log")).size).toBe(1_000_000);
    },
  },
  { agent: "tries-the-network", outcome: EXITED, final: "sample" },
  {
    agent: "searches-for-answers",
    outcome: EXITED,
    final: "sample",
    also: ({ trialFolder }) =>
      expect(fs.readFileSync(trialPaths(trialFolder).stdout, "utf8")).toBe("searched as user 1000\n"),
  },
  {
    agent: "kills-its-parent",
    outcome: { stopReason: "failed", blame: "agent", signal: "SIGKILL" },
    final: "sample",
  },
  {
    agent: "changes-the-clock",
    outcome: EXITED,
    final: "sample",
    also: ({ trial }) => {
      const seen = Date.parse(trial.submissions[0].time);
      expect(seen).toBeGreaterThanOrEqual(Date.parse(trial.startedAt));
      expect(seen).toBeLessThanOrEqual(Date.parse(trial.endedAt!));
    },
  },
  {
    agent: "deletes-its-folders",
    outcome: {},
    final: "nothing",
    also: ({ trial, trialFolder }) => {
      expect(["exited", "failed"]).toContain(trial.outcome?.stopReason);
      expect(fs.readdirSync(trialPaths(trialFolder).submissions)).toEqual([
        `${trial.submissions[0].sha256}.csv`,
      ]);
    },
  },
  {
    agent: "crashes-after-a-good-submission",
    outcome: { stopReason: "failed", blame: "agent", signal: "SIGSEGV" },
    final: "sample",
  },
  {
    agent: "submits-ten-thousand-times",
    outcome: EXITED,
    final: "another",
    also: (ran) => {
      const { submission, stdout } = trialPaths(ran.trialFolder);
      expect(fs.readFileSync(path.join(submission, "submission.csv"), "utf8")).toBe("id,version\n1,10000\n");
      expect(ran.trial.submissions.length).toBeLessThan(10_000);
      expect(fs.readFileSync(stdout, "utf8")).toMatch(/429:\d+/);
    },
  },
];

/** Which submission counts, in the record and in the folder that is graded. */
export function expectFinal({ trial, trialFolder }: RanGroup, final: Expectation["final"]): void {
  const file = path.join(trialPaths(trialFolder).submission, "submission.csv");
  if (final === "nothing") {
    expect(trial.final?.sha256).toBeNull();
    expect(fs.existsSync(file)).toBe(false);
    return;
  }
  expect(trial.final?.sha256).not.toBeNull();
  if (final === "sample") expect(fs.readFileSync(file)).toEqual(fs.readFileSync(SAMPLE));
}

function eventsOf({ trialFolder }: RanGroup): string[] {
  return readEvents(trialPaths(trialFolder).events).events.map(({ type }) => type);
}

/** Not in a file of the trial, whatever its kind. */
export function expectNowhere({ trialFolder }: RanGroup, marker: string): void {
  const names = fs.readdirSync(trialFolder, { recursive: true, encoding: "utf8" });
  for (const name of names) {
    const file = path.join(trialFolder, name);
    if (fs.lstatSync(file).isFile()) expect(fs.readFileSync(file, "latin1")).not.toContain(marker);
  }
}

function lastLine(file: string): string {
  const { size } = fs.statSync(file);
  const fd = fs.openSync(file, "r");
  const tail = Buffer.alloc(Math.min(size, 500));
  fs.readSync(fd, tail, 0, tail.length, size - tail.length);
  fs.closeSync(fd);
  return tail.toString("latin1").trimEnd().split("\n").at(-1)!;
}
