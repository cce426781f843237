import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { showProblem } from "../../../src/workflows/run/show.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { ISOLATES } from "../trials/kinds.ts";
import { COMPETITION, scene } from "../trials/setting.ts";

const COPY = 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"';

function run(setting: ReturnType<typeof scene>, name: string, ...options: string[]) {
  const { agentsDir, dataDir, runsDir } = setting;
  const places = ["--agents-dir", agentsDir, "--data-dir", dataDir, "--runs-dir", runsDir, "--name", name];
  return mlebench(["run", "--agent", "scripted", ...places, "-c", COMPETITION, ...options]);
}

test.runIf(ISOLATES)("a folder that is shown is read where it lies, not written to, and recorded", () => {
  const tools = temporaryFolder();
  fs.chmodSync(tools, 0o755);
  writeText(tools, "greeting", "hello from outside");
  const setting = scene(
    `${COPY}; cat ${tools}/greeting; echo; touch ${tools}/new 2>/dev/null || echo read-only`,
  );
  const ran = run(setting, "shown", "--sandbox", "bubblewrap", "--show", tools);
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("error")]);
  const group = path.join(setting.runsDir, "shown");
  const [trial] = fs.readdirSync(group).filter((name) => name.startsWith(COMPETITION));
  const output = fs.readFileSync(path.join(group, trial, "stdout.log"), "utf8");
  expect(output).toBe("hello from outside\nread-only\n");
  const record = JSON.parse(fs.readFileSync(path.join(group, trial, "trial.json"), "utf8"));
  expect(record.shown).toEqual([tools]);
  expect(record.sandbox.policy.mounts).toContainEqual({ host: tools, inside: tools, mode: "read-only" });
  expect(mlebench(["verify", group]).code).toBe(0);
});

test("what holds data, answers, runs or keys, or lies in them, is not shown", () => {
  const setting = scene(COPY);
  const link = path.join(temporaryFolder(), "link");
  fs.symlinkSync(setting.dataDir, link);
  const places = [
    "/",
    setting.root,
    setting.dataDir,
    path.join(setting.dataDir, COMPETITION, "prepared", "private"),
    setting.runsDir,
    link,
  ];
  fs.mkdirSync(setting.runsDir);
  const kept = { data: setting.dataDir, runs: setting.runsDir };
  for (const place of places) expect(showProblem([place], kept)?.code, place).toBe("NOT_TO_BE_SHOWN");
  expect(showProblem(["/usr/share"], kept)).toBeNull();
  const dotted = path.join(setting.root, "..data");
  expect(showProblem([setting.root], { data: dotted })?.code).toBe("NOT_TO_BE_SHOWN");
  expect(showProblem([path.join(setting.root, "agents")], { data: dotted })).toBeNull();
  const refused = run(setting, "hidden", "--sandbox", "process", "--show", setting.root);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("NOT_TO_BE_SHOWN")]);
  // Graders, answers of what comes with the package, and keys that lie elsewhere are no less private.
  const own = path.join(temporaryFolder(), "own");
  fs.mkdirSync(own);
  const key = path.join(own, "key.key");
  const asked: [string, string[]][] = [
    [process.cwd(), []],
    [path.resolve("dist"), []],
    [path.dirname(own), ["--competitions", own]],
    [own, ["--sign", key]],
  ];
  expect(mlebench(["keys", "create", "--folder", own, "--name", "key"]).code).toBe(0);
  for (const [folder, options] of asked) {
    const { code, stderr } = run(setting, "own", "--sandbox", "process", "--show", folder, ...options);
    expect([code, stderr], folder).toEqual([2, expect.stringContaining("NOT_TO_BE_SHOWN")]);
  }
  expect(run(setting, "missing", "--sandbox", "process", "--show", "/nowhere").stderr).toContain("NO_FOLDER");
});
