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
const exported = path.join(root, "exported");
const experiment = writeText(
  root,
  "e.yaml",
  JSON.stringify({ name: "e", competitions: [COMPETITION], agents: ["sample"] }),
);
const keys = { XDG_CONFIG_HOME: path.join(root, "config"), HOME: root };

writeText(root, "own/broken/competition.mjs", "export const competition = 1;");
writeText(root, "agents/bad/config.yaml", "bad: { command: [no-such-program], sandbox: process }");
writeText(root, "agents/eager/config.yaml", "eager: { command: [sh, -c, exit 0], sandbox: process }");
writeText(root, "train.csv", "a,b\n1,2\n");
/** Nothing is to be learned from it, so that it never gets ready. */
writeText(
  root,
  "noise.csv",
  `a,b\n${Array.from({ length: 60 }, (_, i) => `${(i * 37) % 61},${(i * 53) % 59}`).join("\n")}\n`,
);
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
    [3, ["--agent", "eager", "-c", COMPETITION, ...agents, ...data, ...runs]],
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
    [3, ["g", ...runs]],
  ],
  logs: [
    [0, ["g", ...runs]],
    [2, ["nothing", ...runs]],
    [2, [COMPETITION, ...runs]],
    [3, ["g", "--model", ...runs]],
  ],
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
    [0, ["g", "--split", ids, ...runs]],
    [2, ["nothing", ...runs]],
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
  failures: [
    [1, ["failed", ...runs]],
    [2, ["nothing", ...runs]],
  ],
  integrity: [
    [0, ["show", "g", ...runs]],
    [2, ["show", "nothing", ...runs]],
    [2, ["decide", "nothing", "--keep", "--why", "w", ...runs]],
    [2, ["decide", "nothing", ...runs]],
  ],
  plagiarism: [
    [2, ["nothing", ...runs]],
    [2, []],
    [3, ["g", ...runs]],
  ],
  rules: [
    [0, ["g", ...runs, ...data]],
    [2, ["nothing", ...runs]],
    [2, ["g", "--judge", "nobody:knows", ...runs, ...data]],
  ],
  familiarity: [
    [2, []],
    [
      0,
      [
        "--model",
        "echo",
        "-c",
        COMPETITION,
        "--check",
        "names",
        "--output-dir",
        out.replace(/out$/, "names"),
      ],
    ],
    [2, ["--model", "echo", "-c", "nonsense"]],
    [2, ["--model", "echo", "-c", COMPETITION, "--output-dir", out]],
  ],
  kernels: [
    [2, ["import", path.join(root, "nowhere")]],
    [3, ["import", root, ...empty]],
  ],
  scorecard: [
    [1, ["g", ...runs, ...data]],
    [2, ["nothing", ...runs]],
  ],
  standings: [
    [0, []],
    [2, ["nothing", ...runs]],
  ],
  leaderboard: [[0, []]],
  experiment: [
    [0, ["run", experiment, "--sandbox", "process", ...data, "--runs-dir", path.join(root, "cells")]],
    [0, ["report", experiment, "--runs-dir", path.join(root, "cells")]],
    [2, ["run", path.join(root, "no.yaml")]],
    [3, ["report", experiment, ...runs]],
  ],
  audit: [
    [0, ["-c", COMPETITION, ...data]],
    [2, ["-c", "nonsense", ...data]],
    [3, ["-c", COMPETITION, ...empty]],
  ],
  prepare: [
    [0, ["-c", "starter-births", "--data-dir", path.join(root, "made")]],
    [1, ["-c", COMPETITION, ...data]],
    [2, []],
    [2, ["-c", "nonsense", ...empty]],
    [3, ["-c", COMPETITION, "--raw", path.join(root, "nowhere"), ...empty]],
  ],
  import: [[2, [path.join(root, "nowhere"), ...empty]]],
  init: [
    [1, [path.join(root, "noise"), "--train", path.join(root, "noise.csv"), "--target", "b"]],
    [2, [path.join(root, "new"), "--train", path.join(root, "nowhere.csv"), "--target", "b"]],
    [2, [path.join(root, "new"), "--train", path.join(root, "train.csv"), "--target", "c"]],
  ],
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
  keys: [
    [0, ["list"]],
    [0, ["create", "--name", "mine"]],
    [2, ["create", "--name", "mine"]],
  ],
  demo: [
    [2, ["-c", "leaf-classification", "--dir", path.join(root, "demo")]],
    [2, ["-c", "starter-births", "--time-limit", "1s"]],
  ],
  models: [
    [0, ["list"]],
    [0, ["check", "echo"]],
    [2, ["check", "nobody:knows"]],
    [2, ["show", "nobody:knows"]],
  ],
  env: [
    [0, ["check", "--sandbox", "process"]],
    [2, ["check", "--sandbox", "nowhere"]],
  ],
  trial: [
    [0, ["g", COMPETITION, ...runs]],
    [2, ["nothing", "any", ...runs]],
    [2, ["g", "nothing", ...runs]],
    [2, [out, "any", ...runs]],
  ],
  view: [
    [0, ["--export", path.join(root, "pages"), ...runs]],
    [2, ["--export", out, "--runs-dir", path.join(root, "empty")]],
    [2, ["--tree", "nothing", ...runs]],
  ],
  doctor: [
    [1, ["-c", COMPETITION, ...empty]],
    [2, ["-c", "nonsense", ...empty]],
    [2, ["--split", "nothing", ...empty]],
  ],
  export: [
    [0, ["inspect", "g", path.join(exported, "g.eval"), ...runs]],
    [0, ["atif", "g", path.join(exported, "atif"), ...runs]],
    [1, ["inspect", "ungraded", path.join(exported, "ungraded.eval"), ...runs]],
    [2, ["inspect", "nothing", path.join(exported, "n.eval"), ...runs]],
    [2, ["harbor", "-c", "nonsense", path.join(exported, "tasks"), ...empty]],
    [2, ["inspect-tasks", "-c", "nonsense", path.join(exported, "package"), ...empty]],
    [3, ["harbor", "-c", COMPETITION, path.join(exported, "tasks"), ...empty]],
    [3, ["inspect-tasks", "-c", COMPETITION, path.join(exported, "package"), ...empty]],
  ],
  repo: [
    [0, ["map", path.resolve("tests/fixtures/repositories/tiny")]],
    [2, ["map", path.join(root, "nowhere")]],
  ],
  dev: [
    [2, ["download-leaderboard"]],
    [3, ["download-leaderboard", "-c", "starter-spam", ...empty]],
  ],
};

test("every command has a row, most of them several", () => {
  expect(Object.keys(TABLE).sort()).toEqual(Object.keys(COMMANDS).sort());
  expect(Object.values(TABLE).filter((rows) => rows.length > 1).length).toBeGreaterThan(30);
});

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
