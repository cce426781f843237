import path from "node:path";
import { expect, test } from "vitest";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

test("a name where an option is meant", () => {
  const { code, stderr } = mlebench(["prepare", "starter-spam"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error/);
  expect(stderr).toContain("mlebench prepare -c <id>");
});

test("agents init a second time does not suggest what has just failed", () => {
  const folder = path.join(temporaryFolder(), "my-agent");
  expect(mlebench(["agents", "init", folder]).code).toBe(0);
  expect(mlebench(["agents", "init", folder]).stderr).toContain("mlebench agents init my-agent-2");
});

test("one module of one line is counted in the singular", () => {
  const root = temporaryFolder();
  writeText(path.join(root, "tiny"), "one.py", "x = 1\n");
  const added = mlebench([
    "repo",
    "index",
    "add",
    path.join(root, "tiny"),
    "--index",
    path.join(root, "index"),
  ]);
  const listed = mlebench(["repo", "index", "list", "--index", path.join(root, "index")]);
  expect(added.stdout + listed.stdout).toMatch(/1 module, \d+ lines?,/);
  expect(added.stdout + listed.stdout).not.toContain("1 modules");
});

test("the help of view says that an export may hold a model's words", () => {
  expect(mlebench(["view", "--help"]).stdout).toContain("still holds a model's words");
});
