// full: every command on each kept group of 0.1; kept-groups.test.ts has those of today
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Verification } from "../../../src/trials/certificate/verification.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const RELEASES = path.resolve("tests/fixtures/groups");
const FIXTURES = path.join(RELEASES, "0.1");
const KEY = path.join(FIXTURES, "fixture.pub");
const SIGNED = ["sample-signed", "baseline-signed", "restarted-signed"];
const UNSIGNED = ["dummy-unsigned", "killed-unsigned"];

let dataDir: string;

beforeAll(() => {
  dataDir = path.join(temporaryFolder(), "data");
  const prepared = mlebench([
    ...["prepare", "-c", "starter-births", "starter-batch-jobs", "--data-dir", dataDir],
  ]);
  expect(prepared.stderr + prepared.stdout).toContain("2 of 2 prepared");
});

/** A copy that a test may change. */
function copyOf(group: string): string {
  const folder = path.join(temporaryFolder(), group);
  fs.cpSync(path.join(FIXTURES, group), folder, { recursive: true });
  return folder;
}

function verify(folder: string, ...options: string[]) {
  const result = mlebench(["verify", folder, "--data-dir", dataDir, "--json", ...options]);
  return { code: result.code, results: (json(result) as { results: Verification[] }).results };
}

describe("run groups of release 0.1", () => {
  test.each(SIGNED)("%s is verified, and its grades are worked out again", (group) => {
    const { code, results } = verify(path.join(FIXTURES, group), "--key", KEY, "--require-signature");
    expect(results.map(({ verdict }) => verdict)).toEqual(results.map(() => "verified"));
    expect(code).toBe(0);
    expect(results.slice(1).map(({ grade }) => grade)).toEqual(results.slice(1).map(() => "recomputed"));
  });

  test.each(UNSIGNED)("%s is consistent, but unsigned", (group) => {
    const { code, results } = verify(path.join(FIXTURES, group));
    expect(code).toBe(0);
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(["consistent, but unsigned"]));
  });

  test("they can be reported together, and the medal is there", () => {
    const groups = [...SIGNED, ...UNSIGNED].map((group) => path.join(FIXTURES, group));
    const result = mlebench(["report", ...groups, "--format", "json"]);
    const { agents } = json(result) as { agents: { name: string; trials: { state: string }[] }[] };
    expect(agents.map(({ name }) => name).sort()).toEqual(["baseline", "dummy", "sample", "scripted"]);
    expect(agents.find(({ name }) => name === "baseline")!.trials[0].state).toBe("silver");
  });

  test("one that was never graded can be graded now", () => {
    const folder = copyOf("dummy-unsigned");
    expect(mlebench(["grade", folder, "--data-dir", dataDir]).code).toBe(0);
    const { results } = verify(folder);
    expect(results.map(({ verdict }) => verdict)).toEqual(results.map(() => "consistent, but unsigned"));
    expect(results[1].grade).toBe("recomputed");
  });

  test("one whose harness was killed is resumed where the agent and the data are given", () => {
    const folder = copyOf("killed-unsigned");
    const places = ["--data-dir", dataDir, "--agents-dir", path.join(FIXTURES, "agents")];
    const resumed = mlebench(["resume", folder, ...places, "--sandbox", "process"]);
    expect(resumed.stderr + resumed.stdout).toContain("3 of 3 trials finished");
    expect(resumed.code).toBe(0);
    expect(mlebench(["grade", folder, "--data-dir", dataDir]).code).toBe(0);
    const { code, results } = verify(folder);
    expect(
      results.flatMap(({ findings }) => findings.filter(({ standing }) => standing === "broken")),
    ).toEqual([]);
    expect(code).toBe(0);
    // The killed attempt is kept beside the one that counts.
    const trials = fs
      .readdirSync(folder)
      .filter((name) => fs.existsSync(path.join(folder, name, "attempts/1")));
    expect(trials).toHaveLength(1);
  });

  test("a signed one is graded again with a key of one's own, and verify says that two keys are involved", () => {
    const folder = copyOf("restarted-signed");
    const keys = path.join(temporaryFolder(), "keys");
    expect(mlebench(["keys", "create", "--folder", keys, "--name", "mine"]).code).toBe(0);
    const grade = (...sign: string[]) => mlebench(["grade", folder, "--data-dir", dataDir, ...sign]);
    expect(grade().stderr).toContain("--sign <key>");
    expect(grade("--sign", path.join(keys, "mine.key")).code).toBe(0);
    const { code, results } = verify(folder, "--require-signature");
    expect(code).toBe(1);
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(
      new Set(["consistent, but only in part signed by one key"]),
    );
  });
});
