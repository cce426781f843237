import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { trialPaths } from "../../../src/trials/trial/folder.ts";
import type { RanGroup } from "../trials/setting.ts";
import type { Arena } from "./arena.ts";
import type { Expectation } from "./expectations.ts";
import { EXITED, expectNowhere, SHORT, TIMEOUT } from "./expectations.ts";

const DISK = { value: 64 * 2 ** 20, required: false };

/** Agents of `tests/agents/hostile/escapes`, which try to get past the deadline, the disk limit, the kernel or a mask. */
export const ESCAPES: readonly Expectation[] = [
  ...["relays-its-writes", "hides-in-a-pid-namespace", "swaps-its-submission"].map((agent) => ({
    agent,
    limits: { timeSeconds: 8, graceSeconds: 3 },
    outcome: TIMEOUT,
    final: "another" as const,
    also: expectNothingLate,
  })),
  {
    agent: "backdates-its-submission",
    limits: { timeSeconds: 3, graceSeconds: 2 },
    outcome: TIMEOUT,
    final: "sample",
  },
  { agent: "stops-itself", limits: SHORT, outcome: TIMEOUT, final: "sample" },
  {
    agent: "fills-deleted-files",
    limits: { diskBytes: DISK },
    outcome: { stopReason: "disk", blame: "budget" },
    final: "sample",
  },
  {
    agent: "swarms-with-files",
    // So many that they are no longer counted one by one.
    limits: { diskBytes: { value: 6000 * 512, required: false } },
    outcome: { stopReason: "disk", blame: "budget" },
    final: "sample",
    also: ({ trialFolder }) =>
      expect(fs.readdirSync(trialPaths(trialFolder).logs).length).toBeGreaterThan(5000),
  },
  {
    agent: "hides-what-it-writes-deep",
    limits: { diskBytes: DISK },
    outcome: { stopReason: "disk", blame: "budget" },
    final: "sample",
  },
  {
    agent: "submits-a-sparse-file",
    limits: { diskBytes: DISK },
    outcome: { stopReason: "disk", blame: "budget" },
    final: "nothing",
    also: ({ trialFolder }) => expect(bytesIn(trialFolder)).toBeLessThan(DISK.value),
  },
  {
    agent: "keeps-uploads-open",
    limits: { diskBytes: DISK },
    outcome: EXITED,
    final: "sample",
    also: ({ trialFolder }) => expect(bytesIn(trialFolder)).toBeLessThan(DISK.value),
  },
  ...["reads-the-keyring", "calls-the-kernel", "leaves-its-namespaces"].map((agent) => ({
    agent,
    outcome: EXITED,
    final: "sample" as const,
    also: ({ trialFolder }: RanGroup) =>
      expect(fs.readFileSync(trialPaths(trialFolder).stdout, "utf8")).toBe(""),
  })),
  {
    agent: "prints-its-key",
    outcome: { stopReason: "failed", blame: "agent", exitCode: 3 },
    final: "sample",
    also: (ran, { key }) => {
      for (const form of [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)])
        expectNowhere(ran, form);
      const { stdout, runLog, logs } = trialPaths(ran.trialFolder);
      const text = fs.readFileSync(stdout, "utf8");
      expect(text).toContain("error: key *** was refused\n");
      expect(text).toContain("in two: ***\n***\n");
      expect(text.endsWith("***")).toBe(true);
      expect(fs.readFileSync(runLog, "utf8")).toContain("key *** was refused");
      expect(fs.readFileSync(path.join(logs, "agent.log"), "utf8")).toBe("***\n");
      expect(ran.trial.notes).toContain("logs: a secret in 1 files was replaced by ***");
    },
  },
  {
    agent: "looks-for-its-secret-argument",
    outcome: EXITED,
    final: "sample",
    also: (ran, { key }) => {
      expectNowhere(ran, key);
      expect(ran.trial.agent.command.at(-1)).toBe("/run/mlebench/secrets/HOSTILE_KEY");
    },
  },
  {
    agent: "poisons-the-launcher",
    outcome: EXITED,
    final: "sample",
    also: () => expect(fs.existsSync(path.join(os.tmpdir(), "mlebench-hostile-was-here"))).toBe(false),
  },
];

/** The writers put the machine's uptime into what they write: it is the same inside and outside. */
function expectNothingLate({ trial, trialFolder }: RanGroup, _arena: Arena): void {
  const deadline = Date.parse(trial.deadline) / 1000 - (Date.now() / 1000 - os.uptime());
  const { submission, submissions } = trialPaths(trialFolder);
  const kept = fs.readdirSync(submissions).map((name) => path.join(submissions, name));
  for (const file of [path.join(submission, "submission.csv"), ...kept]) {
    const time = Number(/^1,(\d+\.\d+) *$/m.exec(tail(file))?.[1] ?? 0);
    // A hundredth of a second is what the clock inside can tell, some more what a file's time can.
    expect(time).toBeLessThan(deadline + 0.05);
  }
  // The writer has really written, and what it wrote before the deadline was seen.
  expect(trial.submissions.length).toBeGreaterThan(1);
}

function tail(file: string): string {
  return fs.readFileSync(file).subarray(-100).toString();
}

function bytesIn(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => fs.lstatSync(path.join(folder, name)))
    .reduce((sum, stats) => sum + Math.max(stats.blocks * 512, stats.isFile() ? stats.size : 0), 0);
}
