import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { formatProblem } from "../../../src/agents/baseline/format-check.ts";
import { readTextTable } from "../../../src/agents/baseline/text-table.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const AGENT = fileURLToPath(new URL("../../../dist/agents/baseline/agent.mjs", import.meta.url));
const COMPETITIONS = ["starter-house-prices", "starter-spam", "starter-births"] as const;
const KILLS = 5;
const data = temporaryFolder();

beforeAll(() => {
  const prepared = mlebench(["prepare", "-c", ...COMPETITIONS, "--data-dir", data]);
  expect(prepared.code, prepared.stderr).toBe(0);
});

/** The agent's environment, as the contract describes it, in folders of this test. */
function environment(competition: string, seconds: number) {
  const folder = temporaryFolder();
  const inside = (name: string) => {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
    return path.join(folder, name);
  };
  const variables = {
    COMPETITION_ID: competition,
    DATA_DIR: path.join(data, competition, "prepared/public"),
    SUBMISSION_DIR: inside("submission"),
    LOGS_DIR: inside("logs"),
    CODE_DIR: inside("code"),
    AGENT_DIR: path.dirname(AGENT),
    MLEBENCH_SEED: "3",
    TIME_LIMIT_SECS: String(seconds),
    MLEBENCH_DEADLINE_EPOCH: String(Date.now() / 1000 + seconds),
    MLEBENCH_VALIDATE_URL: "http://127.0.0.1:1/validate",
  };
  return { folder, variables, submission: path.join(folder, "submission/submission.csv") };
}

function scoreOf(submission: string, competition: string): number {
  const graded = mlebench(["grade-sample", submission, competition, "--data-dir", data, "--json"]);
  return (json(graded) as { score: number }).score;
}

test("through the harness it gives a valid submission, better than the sample, with its report beside it", () => {
  const runs = temporaryFolder();
  const args = ["run", "--agent", "baseline", "-c", "starter-births", "--time-limit", "40"];
  const ran = mlebench([...args, "--data-dir", data, "--runs-dir", runs, "--sandbox", "process"]);
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  const files = fs.readdirSync(runs, { recursive: true, encoding: "utf8" });
  const found = (name: string) => path.join(runs, files.find((file) => file.endsWith(name)) ?? name);
  const sample = path.join(data, "starter-births/prepared/public/sample_submission.csv");
  const submission = found("submission/submission.csv");
  expect(scoreOf(submission, "starter-births")).toBeLessThan(scoreOf(sample, "starter-births") / 2);
  for (const name of ["logs/task.json", "code/solution.json", "code/agent.mjs"])
    expect(fs.existsSync(found(name)), name).toBe(true);
}, 90_000);

test("the same seed and budget give the same bytes", () => {
  const [first, second] = [1, 2].map(() => {
    const { folder, variables, submission } = environment("starter-births", 60);
    const ran = spawnSync(process.execPath, [AGENT], { env: variables, encoding: "utf8" });
    expect(ran.status, ran.stderr).toBe(0);
    const metrics = JSON.parse(fs.readFileSync(path.join(folder, "submission/metrics.json"), "utf8"));
    return { bytes: fs.readFileSync(submission, "utf8"), cut: metrics.cut };
  });
  expect([first.cut, second.cut]).toEqual([false, false]);
  expect(second.bytes).toBe(first.bytes);
}, 120_000);

test.each(["starter-house-prices", "starter-spam"])(
  "on %s it ends before a deadline of ten seconds, with a valid submission",
  (competition) => {
    const { variables, submission } = environment(competition, 10);
    const ran = spawnSync(process.execPath, [AGENT], { env: variables, encoding: "utf8" });
    expect(ran.status, ran.stderr).toBe(0);
    expect(Date.now() / 1000).toBeLessThan(Number(variables.MLEBENCH_DEADLINE_EPOCH));
    expect(scoreOf(submission, competition)).not.toBeNaN();
  },
  30_000,
);

test("killed at any moment it leaves a valid submission", async () => {
  const sample = readTextTable(path.join(data, "starter-spam/prepared/public/sample_submission.csv"));
  if (sample === null) throw new Error("no sample submission");
  const random = seededRandom(11);
  for (let kill = 0; kill < KILLS; kill++) {
    const { variables, submission } = environment("starter-spam", 60);
    const agent = spawn(process.execPath, [AGENT], { env: variables, stdio: "ignore" });
    await appears(submission);
    await new Promise((resolve) => setTimeout(resolve, 8000 * random()));
    await killed(agent);
    expect(formatProblem(submission, sample)).toBeNull();
  }
}, 120_000);

/** Until the fallback is there, which is the agent's first action, there is nothing to leave. */
async function appears(file: string): Promise<void> {
  while (!fs.existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
}

function killed(agent: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (agent.exitCode !== null) return resolve();
    agent.once("exit", () => resolve());
    agent.kill("SIGKILL");
  });
}
