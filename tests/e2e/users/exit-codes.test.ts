// full: every command is started for every exit code it has; each command's own tests check those that matter to it
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../../src/cli/command-list.ts";
import { type CliResult, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

// 0 all done · 1 done, but some entries failed or differ · 2 wrong usage or input · 3 nothing could be done.
// (130, interrupted, is tried where something runs long enough: tests/e2e/trials, grade, prepare and scorecard.)
const root = temporaryFolder();
const data = ["--data-dir", layOutPrepared(path.join(root, "data"))];
const empty = ["--data-dir", path.join(root, "empty")];
const runs = ["--runs-dir", path.join(root, "runs")];
const own = ["--competitions", path.join(root, "own")];
const sample = path.join(root, "data", COMPETITION, "prepared/public/sample_submission.csv");
const bad = writeText(root, "bad.csv", "id\n1\n");
const list = (name: string, submission: string, id = COMPETITION) =>
  writeText(root, name, JSON.stringify({ competition_id: id, submission_path: submission }));
const reports = ["--output-dir", path.join(root, "reports")];
const good = list("good.jsonl", sample);
const ids = writeText(root, "ids.txt", COMPETITION);
const out = path.join(root, "out");
const experiment = writeText(
  root,
  "e.yaml",
  JSON.stringify({ name: "e", competitions: [COMPETITION], agents: ["sample"] }),
);
const keys = { XDG_CONFIG_HOME: path.join(root, "config"), HOME: root };

writeText(root, "own/broken/competition.mjs", "export const competition = 1;");
writeText(root, "agents/bad/config.yaml", "bad: { command: [no-such-program], sandbox: process }");
writeText(root, "train.csv", "a,b\n1,2\n");
const agents = ["--agents-dir", path.join(root, "agents")];
const run = ["run", "-c", COMPETITION, ...data, ...runs, "--sandbox", "process"];

beforeAll(() => {
  expect(mlebench([...run, "--agent", "sample", "--name", "g", "--grade"]).code).toBe(0);
  expect(mlebench([...run, "--agent", "sample", "--name", "ungraded"]).code).toBe(0);
  expect(mlebench([...run, "--agent", "bad", ...agents, "--name", "failed"]).code).toBe(1);
}, 60_000);

type Row = [expected: number, args: string[]];

/** For each command the codes it can be brought to here; every one has at least what wrong usage gives. */
const TABLE: Record<string, Row[]> = {
  "grade-sample": [
    [0, [sample, COMPETITION, ...data]],
    [1, [bad, COMPETITION, ...data]],
    [2, [sample, "nonsense", ...data]],
    [2, [path.join(root, "no.csv"), COMPETITION, ...data]],
    [3, [sample, COMPETITION, ...empty]],
  ],
  validate: [
    [0, [sample, COMPETITION, ...data]],
    [1, [bad, COMPETITION, ...data]],
    [2, [sample, "nonsense", ...data]],
    [3, [sample, COMPETITION, ...empty]],
  ],
  grade: [
    [0, ["--submission", good, ...reports, ...data]],
    [0, ["g", ...runs, ...data]],
    [1, ["--submission", list("bad.jsonl", bad), ...reports, ...data]],
    [1, ["failed", ...runs, ...data]],
    [2, []],
    [2, ["nothing", ...runs]],
    [3, ["--submission", good, ...reports, ...empty]],
  ],
  agents: [
    [0, ["list", ...agents]],
    [2, ["show", "nobody", ...agents]],
    [2, ["check", "nobody", ...agents]],
  ],
  run: [
    [2, ["--agent", "nobody", "-c", COMPETITION, ...data, ...runs]],
    [2, ["--agent", "sample", "-c", "nonsense", ...data, ...runs]],
    [2, ["--agent", "sample", "-c", COMPETITION, ...empty, ...runs]],
  ],
  resume: [
    [0, ["g", ...runs]],
    [2, ["nothing", ...runs]],
  ],
  status: [
    [0, runs],
    [0, ["g", ...runs]],
    [2, ["nothing", ...runs]],
  ],
  cancel: [
    [2, ["nothing", ...runs]],
    [2, [COMPETITION, ...runs]],
  ],
  logs: [[2, ["nothing", ...runs]]],
  verify: [
    [0, ["g", ...runs, ...data]],
    [2, ["nothing", ...runs]],
  ],
  "make-submission": [
    [0, ["g", "--output", out, ...runs]],
    [2, ["nothing", "--output", out, ...runs]],
    [2, ["--output", out]],
  ],
  aggregate: [
    [0, ["--runs", "g", "--split", ids, ...runs]],
    [2, ["--runs", "nothing", ...runs]],
    [2, []],
  ],
  compare: [
    [0, ["g", "g", ...runs]],
    [2, ["g", "nothing", ...runs]],
  ],
  report: [
    [0, ["g", "-o", out, ...runs]],
    [1, ["ungraded", "-o", out, "--format", "markdown", ...runs]],
    [2, ["nothing", ...runs]],
  ],
  failures: [[2, ["nothing", ...runs]]],
  scorecard: [[2, ["nothing", ...runs]]],
  standings: [
    [0, []],
    [2, ["nothing", ...runs]],
  ],
  leaderboard: [[0, []]],
  experiment: [
    [2, ["run", path.join(root, "no.yaml")]],
    [3, ["report", experiment, ...runs]],
  ],
  audit: [
    [2, ["-c", "nonsense", ...data]],
    [3, ["-c", COMPETITION, ...empty]],
  ],
  prepare: [
    [2, []],
    [2, ["-c", "nonsense", ...empty]],
    [3, ["-c", COMPETITION, "--raw", path.join(root, "nowhere"), ...empty]],
  ],
  import: [[2, [path.join(root, "nowhere"), ...empty]]],
  init: [[2, [path.join(root, "new"), "--train", path.join(root, "nowhere.csv"), "--target", "b"]]],
  list: [
    [0, empty],
    [1, [...own, ...empty]],
    [2, ["--split", "nothing"]],
  ],
  show: [
    [0, [COMPETITION, ...empty]],
    [2, ["nonsense"]],
    [2, ["broken", ...own]],
  ],
  completion: [
    [0, ["bash"]],
    [2, ["cmd"]],
  ],
  keys: [[0, ["list"]]],
};

describe.each(Object.keys(COMMANDS))("mlebench %s", (name) => {
  test("explains itself with 0", () => {
    const { code, stdout } = mlebench([name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: mlebench ${name}`);
  });

  test("leaves with 2 on an option that is not its own, without a trace of the stack", () => {
    const result = mlebench([name, "--no-such-option"]);
    expect(result.code).toBe(2);
    tidy(result);
  });

  test.each(TABLE[name] ?? [])("leaves with %d: %j", (expected, args) => {
    const result = mlebench([name, ...args], keys);
    expect(result.code, result.stderr).toBe(expected);
    tidy(result);
    // Whoever leaves with an error says why.
    if (expected !== 0) expect((result.stderr + result.stdout).trim()).not.toBe("");
  });
});

function tidy({ stderr }: CliResult): void {
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stderr).not.toContain("bug of mlebench");
}
