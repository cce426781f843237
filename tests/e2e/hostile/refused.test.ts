import path from "node:path";
import { describe, expect, test } from "vitest";
import { mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
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
