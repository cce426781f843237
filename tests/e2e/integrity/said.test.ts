import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { writeGroup } from "../analysis/synthetic-group.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const ID = "spooky-author-identification";

test("a judge that says neither yes nor no clears nobody", () => {
  const root = temporaryFolder();
  const runs = path.join(root, "runs");
  const group = writeGroup(path.join(runs, "g"), [{ competitionId: ID, seed: 0, medal: "gold" }]);
  writeText(group, `${ID}_0-0/stdout.log`, "training\n");
  writeText(group, `${ID}_0-0/code/a.py`, "print(1)\n");
  const { stdout } = mlebench(["rules", "g", "--judge", "echo", "--runs-dir", runs]);
  expect(stdout).toContain("3 of 3 answers were neither yes nor no");
});

test("a model that is not a language model is called that", () => {
  const out = path.join(temporaryFolder(), "out");
  const asked = ["familiarity", "--model", "echo", "--check", "names", "-c", ID, "--output-dir", out];
  expect(mlebench(asked).stdout.split("\n")[0]).toContain("not a language model's result");
  expect(JSON.parse(fs.readFileSync(path.join(out, "familiarity.json"), "utf8")).languageModel).toBe(false);
});

test("where nothing could be compared there is not a report to look at", () => {
  const out = path.join(temporaryFolder(), "out");
  const ran = mlebench(["plagiarism", "--submission", "/dev/null", "--output-dir", out]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("NO_CODE");
  expect(ran.stdout).not.toContain("plagiarism.html");
  expect(fs.existsSync(out)).toBe(false);
});

test.each([
  ["integrity", "show"],
  ["integrity", "decide"],
  ["kernels", "import"],
  ["kernels", "download"],
])("the help of %s %s has examples", (command, part) => {
  expect(mlebench([command, part, "--help"]).stdout).toContain(`Examples:\n  $ mlebench ${command} ${part}`);
});
