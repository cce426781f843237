// full: every command on every group that was kept
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Verification } from "../../../src/trials/certificate/verification.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const KEPT = path.resolve("tests/fixtures/groups/2026-11");
const SIGNED = ["tree-signed", "obfuscated-signed"];
const UNSIGNED = ["slurm-unsigned", "killed-asker", "matrix/sample", "matrix/constant"];
/** What `killed-asker` had used when its harness was killed; a checkout has other times than the files had. */
const KILLED_AFTER_SECONDS = 2;

let dataDir: string;

beforeAll(() => {
  dataDir = path.join(temporaryFolder(), "data");
  const prepared = mlebench([
    ...["prepare", "-c", "starter-births", "starter-batch-jobs", "--data-dir", dataDir],
  ]);
  expect(prepared.stderr + prepared.stdout).toContain("2 of 2 prepared");
});

/** All of them, to be changed, and commands as the installation that planned them. */
function copyOfAll() {
  const root = path.join(temporaryFolder(), "kept");
  fs.cpSync(KEPT, root, { recursive: true });
  const own = path.join(root, "own-state");
  fs.cpSync(path.join(root, "state"), path.join(own, "mle-bench"), { recursive: true });
  const run = (...args: string[]) => mlebench(args, { XDG_STATE_HOME: own });
  return { run, place: (...names: string[]) => path.join(root, ...names) };
}

function trialIn(group: string, competition = "starter-births"): string {
  const name = fs.readdirSync(group).find((one) => one.startsWith(`${competition}_`));
  return path.join(group, name!);
}

function verify(folder: string, ...options: string[]) {
  const result = mlebench(["verify", folder, "--data-dir", dataDir, "--json", ...options]);
  return { code: result.code, results: (json(result) as { results: Verification[] }).results };
}

describe("run groups of November 2026", () => {
  test.each(SIGNED)("%s is verified, and its grades are worked out again", (group) => {
    const key = ["--key", path.join(KEPT, "fixture.pub"), "--require-signature"];
    const { code, results } = verify(path.join(KEPT, group), ...key);
    expect(results.map(({ verdict }) => verdict)).toEqual(results.map(() => "verified"));
    expect(code).toBe(0);
    expect(results.slice(1).map(({ grade }) => grade)).toEqual(["recomputed"]);
  });

  test.each(UNSIGNED)("%s is consistent, but unsigned", (group) => {
    const { code, results } = verify(path.join(KEPT, group));
    expect(code).toBe(0);
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(["consistent, but unsigned"]));
  });

  test("the announcement of one is found again", () => {
    const said = mlebench([
      ...["verify", path.join(KEPT, "tree-signed"), "--data-dir", dataDir, "--brief"],
      ...["--announcement", path.join(KEPT, "announcements.jsonl")],
    ]);
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining("announced: the plan") });
  });

  test("they are reported together, with models, medals, disguise and what a person decided", () => {
    const groups = ["tree-signed", "obfuscated-signed", "slurm-unsigned"].map((one) => path.join(KEPT, one));
    const { stdout } = mlebench(["report", ...groups, "--format", "markdown"]);
    expect(stdout).toContain("simulated:clumsy: 3 calls, 11,918 tokens, $0.14");
    expect(stdout).toContain("not a language model's result");
    expect(stdout).toContain("description: obfuscated");
    expect(stdout).toContain("kept by a reviewer");
    expect(stdout).toContain("DISQUALIFIED by a reviewer: it reads labels from the network");
  });

  test("one that Slurm ran and nobody graded is graded now, and stays consistent", () => {
    const { run, place } = copyOfAll();
    const group = place("slurm-unsigned");
    expect(run("grade", group, "--data-dir", dataDir).code).toBe(0);
    const { results } = verify(group);
    expect(results.map(({ verdict }) => verdict)).toEqual(results.map(() => "consistent, but unsigned"));
    expect(results.slice(1).map(({ grade }) => grade)).toEqual(["recomputed", "recomputed"]);
  });

  test("one whose harness was killed goes on with what it had left, its model calls included", () => {
    const { run, place } = copyOfAll();
    const group = place("killed-asker");
    const trial = trialIn(group, "starter-batch-jobs");
    const { startedAt } = JSON.parse(fs.readFileSync(path.join(trial, "trial.json"), "utf8"));
    const then = Date.parse(startedAt) / 1000 + KILLED_AFTER_SECONDS;
    for (const name of fs.readdirSync(trial, { recursive: true }) as string[])
      fs.utimesSync(path.join(trial, name), then, then);
    const places = ["--data-dir", dataDir, "--agents-dir", place("agents"), "--sandbox", "process"];
    // Its models.yaml lay on the machine that wrote the group.
    const lost = run("resume", group, "--continue", ...places);
    expect(lost).toMatchObject({ code: 3, stderr: expect.stringContaining("--models-file <file>") });
    const models = ["--models-file", place("models.yaml")];
    const resumed = run("resume", group, "--continue", "--grade", ...places, ...models);
    expect(resumed.stderr + resumed.stdout).toContain("2 of 2 trials finished");
    expect(resumed.code).toBe(0);
    const record = JSON.parse(fs.readFileSync(path.join(trial, "trial.json"), "utf8"));
    expect(record).toMatchObject({ continuations: 1, usedSeconds: KILLED_AFTER_SECONDS, attempt: 2 });
    // Two rounds before the kill, two after it: all in one ledger.
    expect(record.modelTotals).toMatchObject({ calls: 4 });
    expect(fs.existsSync(path.join(trial, "attempts/1/trial.json"))).toBe(true);
    const { code, results } = verify(group);
    expect([
      code,
      results.flatMap(({ findings }) => findings.filter((one) => one.standing === "broken")),
    ]).toEqual([0, []]);
  });

  test("an experiment is reported, and going on with it from another folder finds nothing left to do", () => {
    const { run, place } = copyOfAll();
    const report = run("experiment", "report", place("matrix.yaml"), "--runs-dir", place());
    expect(report).toMatchObject({ code: 0, stdout: expect.stringContaining("sample − constant") });
    const again = run(
      "experiment",
      "run",
      place("matrix.yaml"),
      "--runs-dir",
      place(),
      "--data-dir",
      dataDir,
    );
    expect(again.stderr + again.stdout).not.toContain("started");
    expect(again.code).toBe(0);
  });

  test("the viewer shows all of them, the search as a tree and the model calls as trajectories", () => {
    const { run, place } = copyOfAll();
    const shown = json(run("view", "--runs-dir", place(), "--export", place("pages"), "--json"));
    expect(shown).toMatchObject({ files: expect.any(Number) });
    const pages = (fs.readdirSync(place("pages/data")) as string[]).map((name) =>
      fs.readFileSync(place("pages/data", name), "utf8"),
    );
    for (const group of ["tree-signed", "slurm-unsigned", "killed-asker", "matrix/sample"])
      expect(pages.some((text) => text.includes(group))).toBe(true);
    const trial = trialIn(place("tree-signed"));
    expect(json(run("view", "--tree", trial, "-o", place("t.html"), "--json"))).toMatchObject({ steps: 5 });
    const tree = fs.readFileSync(place("t.html"), "utf8");
    const [, note] = /"note":"([^"]*)"/.exec(tree) ?? [];
    expect(note).toBe("Its model was scripted, simulated or an echo: this is not a language model's result.");
    const exported = json(run("export", "atif", place("tree-signed"), place("trajectories"), "--json"));
    expect(exported).toMatchObject({ status: "exported", left: [], incomplete: [] });
    const { stdout } = run("logs", trial, "--model");
    expect(stdout).toContain("simulated:clumsy");
  });
});
