// full: every command with every way to name a group
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { FULL } from "../../full.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

const OTHER = "leaf-classification";
const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "data"), [COMPETITION, OTHER]);
const runsDir = path.join(root, "runs");
const agentsDir = path.join(root, "agents");
const runs = ["--runs-dir", runsDir];
const SUBMIT = 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"; echo said something';

function run(agent: string, ...more: string[]) {
  const places = ["--agents-dir", agentsDir, "--data-dir", dataDir, ...runs, "--sandbox", "process"];
  return mlebench(["run", "--agent", agent, "-c", COMPETITION, ...places, ...more]);
}

function groups(): { runGroup: string; agent: string; trials: Record<string, unknown>[] }[] {
  return (json(mlebench(["status", ...runs, "--json"])) as { groups: ReturnType<typeof groups> }).groups;
}

beforeAll(() => {
  const command = ["sh", "-c", SUBMIT];
  const entries = { mine: { command }, "mine/second": { command }, broken: { command: ["no-such-program"] } };
  writeText(agentsDir, "mine/config.yaml", JSON.stringify(entries));
  expect(run("mine", "--name", "alpha-one", "--grade").code).toBe(0);
  expect(run("mine", "--name", "alpha-two", "-c", OTHER).code).toBe(0);
  const experiment = {
    name: "trip",
    competitions: [COMPETITION],
    seeds: 1,
    agentsDir,
    agents: ["mine", "mine/second"],
  };
  const file = writeText(root, "trip.yaml", JSON.stringify(experiment));
  const places = ["--data-dir", dataDir, ...runs, "--sandbox", "process"];
  const tried = mlebench(["experiment", "run", file, ...places]);
  expect(tried.code, tried.stderr).toBe(0);
}, 120_000);

test("a group that is named after its agent is not cut within a letter", () => {
  const id = `x${"𝒜".repeat(60)}`;
  writeText(agentsDir, "letters/config.yaml", JSON.stringify({ [id]: { command: ["sh", "-c", SUBMIT] } }));
  const { code, stderr } = run(id);
  expect(code, stderr).toBe(0);
  const folder = fs.readdirSync(runsDir).find((name) => name.includes("run-group_x"));
  expect(folder?.split("run-group_")[1]).toBe(`x${"𝒜".repeat(49)}`);
  fs.rmSync(path.join(runsDir, folder ?? ""), { recursive: true });
});

describe("a group is found by the same names in every command", () => {
  const cell = () =>
    fs.readdirSync(path.join(runsDir, "trip")).filter((name) => name !== "experiment.json")[0];
  const ways: [string, () => string][] = [
    ["a part of its name", () => "a-one"],
    ["a cell of an experiment", () => `trip/${cell()}`],
    ["its folder", () => path.join(runsDir, "alpha-one")],
    ["its name", () => "alpha-one"],
  ];
  // Ten commands for each way; the last two ways are what most other tests use.
  test.each(FULL ? ways : ways.slice(0, 2))("by %s", (_, nameOf) => {
    const name = nameOf();
    const output = path.join(root, "out");
    for (const args of [
      ["status", name],
      ["grade", name, "--data-dir", dataDir],
      ["verify", name, "--data-dir", dataDir],
      ["resume", name],
      ["make-submission", name, "--output", output],
      ["report", name, "-o", output],
      ["scorecard", name],
      ["standings", name, "--pad-missing", "--no-verify"],
      ["aggregate", "--runs", name, "--split", writeText(root, "ids.txt", COMPETITION)],
      ["compare", name, name],
    ]) {
      const { code, stderr } = mlebench([...args, ...runs]);
      expect([0, 1], `${args.join(" ")}: ${stderr}`).toContain(code);
    }
    expect(mlebench(["failures", name, ...runs]).code).not.toBe(2);
  });

  test("an experiment's folder stands for its cells where several groups may be named", () => {
    const folder = path.join(runsDir, "trip");
    const inside = fs.readdirSync(folder).map((name) => path.join(folder, name));
    for (const places of [["trip"], [folder], inside]) {
      const result = mlebench(["report", ...places, ...runs, "--format", "json"]);
      expect(result.code, result.stderr).toBe(0);
      const { agents } = json(result) as { agents: { name: string }[] };
      expect(agents.map(({ name }) => name).sort()).toEqual(["mine", "mine/second"]);
    }
  });

  test.each(["status", "grade", "resume", "report", "failures", "scorecard", "compare"])(
    "%s lists the candidates of a name that several have, and those there are for one that none has",
    (command) => {
      const args = (name: string) => (command === "compare" ? [command, name, name] : [command, name]);
      const several = mlebench([...args("alpha"), ...runs]);
      expect(several.code).toBe(2);
      expect(several.stderr).toMatch(/may be any of 2 run groups[\s\S]*alpha-two[\s\S]*alpha-one/);
      const none = mlebench([...args("omega"), ...runs]);
      expect(none.code).toBe(2);
      expect(none.stderr).toMatch(/There is no run group "omega"[\s\S]*alpha-one/);
      expect(none.stderr).toContain("trip/");
    },
  );
});

test("a trial is found by a part of its id, also in an experiment; candidates say whose they are", () => {
  const many = mlebench(["logs", COMPETITION, ...runs]);
  expect(many.code).toBe(2);
  expect(many.stderr).toMatch(/may be any of 4 trials/);
  expect(many.stderr).toContain("mine/second, seed 0");
  for (const { trials } of groups()) {
    const id = String(trials[0].id);
    expect(mlebench(["logs", id.slice(0, -4), ...runs]).stdout).toContain("said something");
    expect(json(mlebench(["logs", id, ...runs, "--json"]))).toMatchObject({
      schema: "mlebench/logs",
      trial: id,
      state: "finished",
      log: expect.stringContaining("said something"),
    });
  }
});

test("status shows agent, time and score, cells of experiments included", () => {
  const shown = groups();
  expect(shown.map(({ runGroup }) => runGroup.split("/")[0])).toEqual([
    "alpha-one",
    "alpha-two",
    "trip",
    "trip",
  ]);
  expect(shown.map(({ agent }) => agent)).toEqual(["mine", "mine", "mine", "mine/second"]);
  expect(shown[0].trials[0]).toMatchObject({ wallSeconds: expect.any(Number), score: expect.any(Number) });
  const text = mlebench(["status", "alpha-one", ...runs]).stdout;
  expect(text).toMatch(/alpha-one, agent mine: 1 of 1 finished, done and graded/);
  expect(text).toMatch(/time\s+submissions\s+score/);
});

test("groups of two agents of one folder have names of their own", () => {
  for (const agent of ["mine", "mine/second"]) expect(run(agent).code).toBe(0);
  const names = groups().map(({ runGroup }) => runGroup);
  expect(names.filter((name) => name.endsWith("_run-group_mine"))).toHaveLength(1);
  expect(names.filter((name) => name.endsWith("_run-group_mine-second"))).toHaveLength(1);
});

test("a run whose agent cannot start leaves with 1, quotes the sandbox and says where to look", () => {
  const { code, stderr } = run("broken", "--name", "never");
  expect(code).toBe(1);
  expect(stderr).toMatch(/TRIAL_FAILED .* left no submission\. It could not be started: .*no-such-program/);
  const [, command] = /see all it said: mlebench (logs \S+)/.exec(stderr)!;
  expect(mlebench(command.split(" ")).stdout).toContain("no-such-program");
  const events = run("broken", "--name", "never-json", "--json").stdout.trim().split("\n");
  expect(JSON.parse(events.at(-1)!)).toMatchObject({
    exitCode: 1,
    failed: [{ lastLine: expect.stringContaining("no-such-program") }],
  });
});

test("cancel and make-submission speak JSON, too", () => {
  const id = String(groups()[0].trials[0].id);
  const finished = mlebench(["cancel", id, ...runs, "--json"]);
  expect(finished.code).toBe(3);
  const group = JSON.parse(fs.readFileSync(path.join(runsDir, "alpha-two/group.json"), "utf8"));
  writeText(runsDir, "waiting/group.json", JSON.stringify({ ...group, name: "waiting" }));
  const waiting = mlebench(["cancel", path.join("waiting", group.trials[0].id), ...runs, "--json"]);
  expect(json(waiting)).toMatchObject({ schema: "mlebench/cancel", status: "requested" });
  const output = path.join(root, "lines.jsonl");
  expect(
    json(mlebench(["make-submission", "alpha-one", "--output", output, ...runs, "--json"])),
  ).toMatchObject({
    lines: [{ competition_id: COMPETITION }],
  });
});

describe("completion", () => {
  const words = (...line: string[]) =>
    mlebench(["completion", "words", "--", ...line])
      .stdout.trim()
      .split("\n");

  test("knows commands, options, competitions, agents, groups and trials", () => {
    expect(words("")).toEqual(expect.arrayContaining(["run", "grade", "completion"]));
    expect(words("run", "--")).toEqual(expect.arrayContaining(["--agent", "--sandbox"]));
    expect(words("run", "-c", "")).toContain(COMPETITION);
    expect(words("run", "--agents-dir", agentsDir, "--agent", "")).toEqual(
      expect.arrayContaining(["mine", "mine/second"]),
    );
    expect(words("status", ...runs, "")).toEqual(expect.arrayContaining(["alpha-one"]));
    expect(words("logs", ...runs, "")).toContain(String(groups()[0].trials[0].id));
    expect(words("experiment", "")).toEqual(["run", "report"]);
  });

  test("never offers a name that a shell would run", () => {
    fs.cpSync(path.join(runsDir, "alpha-two"), path.join(runsDir, "$(touch x)"), { recursive: true });
    expect(words("status", ...runs, "").some((word) => word.includes("$"))).toBe(false);
    fs.rmSync(path.join(runsDir, "$(touch x)"), { recursive: true });
  });

  test.each(["bash", "zsh", "fish"])(
    "prints a script for %s, which the shell accepts where it is installed",
    (shell) => {
      const script = mlebench(["completion", shell]);
      expect(script.code).toBe(0);
      const checked = spawnSync(shell, ["-n"], { input: script.stdout, encoding: "utf8" });
      if (checked.error === undefined) expect(checked).toMatchObject({ status: 0, stderr: "" });
    },
  );

  test("does not know other shells", () => expect(mlebench(["completion", "cmd"]).code).toBe(2));
});
