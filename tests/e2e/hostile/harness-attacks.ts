import fs from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { regularFiles } from "../../../src/files/folder-digest.ts";
import { readEvents } from "../../../src/trials/trial/events.ts";
import { trialPaths } from "../../../src/trials/trial/folder.ts";
import type { RanGroup } from "../trials/setting.ts";
import { EXITED, type Expectation, SHORT, TIMEOUT } from "./expectations.ts";

/** Agents of `tests/agents/hostile/harness`, which attack the process that runs everybody's trials. */
export const HARNESS_ATTACKS: readonly Expectation[] = [
  {
    agent: "digs-deep",
    outcome: EXITED,
    final: "sample",
    also: (ran) => {
      expectOnlyFiles(ran);
      expect(ran.trial.notes.join("\n")).toContain("lies too deep and was not kept");
      expect(fs.readFileSync(path.join(trialPaths(ran.trialFolder).logs, "z-file"), "utf8")).toBe("kept\n");
    },
  },
  {
    agent: "posts-commas",
    outcome: EXITED,
    final: "sample",
    also: ({ trialFolder }) =>
      expect(fs.readFileSync(trialPaths(trialFolder).stdout, "utf8")).toContain("more than 100000 columns"),
  },
  { agent: "submits-commas", outcome: EXITED, final: "another" },
  { agent: "submits-an-open-quote", outcome: EXITED, final: "another" },
  {
    agent: "draws-on-the-terminal",
    outcome: { stopReason: "failed", blame: "agent", exitCode: 3 },
    final: "sample",
    also: ({ trialFolder }) => {
      for (const name of regularFiles(trialFolder)) expect(name).not.toMatch(/\p{Cc}/u);
    },
  },
  { agent: "sends-bad-requests", limits: SHORT, outcome: TIMEOUT, final: "sample" },
  { agent: "holds-connections", limits: SHORT, outcome: TIMEOUT, final: "sample" },
  { agent: "names-files-oddly", outcome: EXITED, final: "sample", also: expectOnlyFiles },
  { agent: "locks-its-folders", outcome: EXITED, final: "sample", also: expectOnlyFiles },
  { agent: "ties-knots", outcome: EXITED, final: "sample", also: expectOnlyFiles },
  {
    agent: "rewrites-without-end",
    limits: SHORT,
    outcome: TIMEOUT,
    final: "another",
    also: ({ trial }) => expect(trial.measurements!.wallSeconds).toBeLessThan(30),
  },
  { agent: "prints-one-line", outcome: EXITED, final: "sample" },
  {
    agent: "swaps-kinds",
    outcome: EXITED,
    final: "nothing",
    also: ({ trialFolder }) => expect(readEvents(trialPaths(trialFolder).events).problem).toBeNull(),
  },
];

/** Nothing but regular files is left, each of which can be opened by its path. */
function expectOnlyFiles({ trialFolder }: RanGroup): void {
  const entries = fs.readdirSync(trialFolder, { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => !entry.isFile() && !entry.isDirectory())).toEqual([]);
  for (const name of regularFiles(trialFolder)) fs.closeSync(fs.openSync(path.join(trialFolder, name), "r"));
}
