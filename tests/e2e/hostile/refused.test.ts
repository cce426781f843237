import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "data"));

/** Definitions that are refused before anything is started, on every machine. */
describe("a definition that", () => {
  test.each([
    ["takes-every-variable", "env_vars", '"*" cannot name a variable'],
    ["exports-a-function", "env_vars", '"BASH_FUNC_ulimit%%" cannot name a variable'],
    ["names-an-option-as-image", "image", '"--privileged" cannot name an image'],
    ["asks-for-no-isolation", "sandbox: process", "--sandbox process"],
  ])("%s is refused with the field and the value", (agent, field, words) => {
    const { code, stderr } = mlebench([
      ...["run", "--agent", `hostile/${agent}`, "-c", COMPETITION, "--data-dir", dataDir],
      ...["--runs-dir", path.join(root, "runs"), "--agents-dir", path.resolve("tests/agents/hostile")],
    ]);
    expect([2, 3]).toContain(code);
    expect(stderr).toContain(field);
    expect(stderr).toContain(words);
  });
});

/** What somebody's folder of an agent may hold besides a definition. */
describe("an agent's folder", () => {
  const agents = (name: string, content = "odd: { command: [sh, -c, exit 0] }") => {
    const folder = path.join(root, "agents", name);
    writeText(folder, "odd/config.yaml", content);
    return folder;
  };
  const run = (agentsDir: string, agent = "odd") =>
    mlebench([
      ...["run", "--agent", agent, "-c", COMPETITION, "--data-dir", dataDir, "--sandbox", "process"],
      ...["--runs-dir", path.join(root, "runs"), "--agents-dir", agentsDir],
    ]);

  test("with a pipe in it is refused before anything starts, and the pipe is named", () => {
    const folder = agents("pipe");
    fs.mkdirSync(path.join(folder, "odd/deep"));
    execFileSync("mkfifo", [path.join(folder, "odd/deep/pipe")]);
    const { code, stderr } = run(folder);
    expect(code).toBe(2);
    expect(stderr).toContain("The folder of odd has deep/pipe in it, which is no file");
  });

  test("whose definition asks for more time than there is, or holds itself, is refused with the field", () => {
    for (const [name, text, words] of [
      ["time", "odd: { command: [x], limits: { time: 9000000000000 } }", "limits.time"],
      ["circle", "odd: { command: [x], env_vars: &x { X: *x } }", "holds itself"],
    ]) {
      const { code, stderr } = run(agents(name, text));
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });

  test("names an agent as it likes: the group's folder has a plain name all the same", () => {
    const id = `../../\u001b[31m\n${"x".repeat(400)}`;
    const folder = agents("name", `${JSON.stringify(id)}: { command: [sh, -c, exit 0] }`);
    const { code, stderr } = run(folder, id);
    expect(code, stderr).toBe(0);
    const groups = fs.readdirSync(path.join(root, "runs")).filter((name) => name.includes("xxx"));
    expect(groups).toEqual([expect.stringMatching(/_run-group_[\w.-]{1,50}$/)]);
    expect(fs.readdirSync(root).sort()).toEqual(["agents", "data", "runs"]);
  });
});
