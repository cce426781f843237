// full: copies the whole grader for every export
import fs from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { beforeAll, expect, test } from "vitest";
import { parse as readYaml } from "yaml";
import { z } from "zod";
import { json, mlebench } from "../cli.ts";
import { filesBelow } from "../models/files-below.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "data"));
const tasks = path.join(root, "tasks");
const task = path.join(tasks, COMPETITION);
const sample = path.join(dataDir, COMPETITION, "prepared/public/sample_submission.csv");

/** Schema 1.4 as the specification describes it; a key it does not name is an error here. */
const Environment = z.strictObject({
  build_timeout_sec: z.number().optional(),
  cpus: z.int().min(1).optional(),
  memory_mb: z.int().optional(),
  storage_mb: z.int().optional(),
  gpus: z.int().optional(),
  network_mode: z.enum(["public", "no-network", "allowlist"]).optional(),
  workdir: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const TaskToml = z.strictObject({
  schema_version: z.literal("1.4"),
  artifacts: z.array(z.string().startsWith("/")),
  task: z.strictObject({
    name: z.string().regex(/^[^/]+\/[^/]+$/),
    version: z.string(),
    description: z.string(),
    keywords: z.array(z.string()),
    authors: z.array(z.strictObject({ name: z.string() })),
  }),
  metadata: z.record(z.string(), z.unknown()),
  agent: z.strictObject({ timeout_sec: z.number() }),
  verifier: z.strictObject({
    timeout_sec: z.number(),
    environment_mode: z.literal("separate"),
    environment: Environment,
  }),
  environment: Environment,
});

beforeAll(() => {
  const result = mlebench(["export", "harbor", "-c", COMPETITION, tasks, "--data-dir", dataDir]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("a task has everything Harbor asks for, and its description by Harbor's schema", () => {
  const toml = TaskToml.parse(parse(fs.readFileSync(path.join(task, "task.toml"), "utf8")));
  expect(toml).toMatchObject({
    task: { name: `mlebench/${COMPETITION}` },
    agent: { timeout_sec: 86_400 },
    environment: { network_mode: "no-network", cpus: 36, memory_mb: 450_560, gpus: 1 },
  });
  for (const file of [
    "instruction.md",
    "environment/Dockerfile",
    "solution/solve.sh",
    "tests/test.sh",
    "tests/Dockerfile",
  ])
    expect(fs.existsSync(path.join(task, file)), file).toBe(true);
  expect(fs.statSync(path.join(task, "tests/test.sh")).mode & 0o111).not.toBe(0);
});

test("answers are with the verifier and nowhere else", () => {
  const answers = filesBelow(path.join(dataDir, COMPETITION, "prepared/private")).map((file) =>
    fs.readFileSync(file, "utf8"),
  );
  for (const file of filesBelow(tasks)) {
    if (path.relative(task, file).startsWith("tests/answers/")) continue;
    for (const answer of answers) expect(fs.readFileSync(file, "utf8").includes(answer), file).toBe(false);
  }
  expect(fs.existsSync(path.join(task, "environment", "data"))).toBe(false);
  const compose = fs.readFileSync(path.join(task, "environment/docker-compose.yaml"), "utf8");
  expect(readYaml(compose).services.main.volumes).toEqual([
    {
      type: "bind",
      source: expect.stringMatching(
        new RegExp(`^\\$\\{MLEBENCH_DATA_DIR:\\?[^}]+\\}/${COMPETITION}/prepared/public$`),
      ),
      target: "/home/data",
      read_only: true,
      bind: { create_host_path: false },
    },
  ]);
});

test("what is there is kept, and what cannot be exported is named", () => {
  const again = mlebench(["export", "harbor", "-c", COMPETITION, tasks, "--data-dir", dataDir, "--json"]);
  expect(again.code).toBe(3);
  expect(json(again)).toMatchObject({ tasks: [{ status: "refused", problem: { code: "EXISTS" } }] });
  const mixed = mlebench([
    "export",
    "harbor",
    "-c",
    COMPETITION,
    "leaf-classification",
    "spokky-author",
    tasks,
    "--force",
    "--json",
    "--data-dir",
    dataDir,
  ]);
  expect(mixed.code).toBe(1);
  const codes = (json(mixed) as { tasks: { problem?: { code: string } }[] }).tasks.map(
    ({ problem }) => problem?.code,
  );
  expect(codes).toEqual([undefined, "NOT_PREPARED", "UNKNOWN_COMPETITION"]);
  expect(mlebench(["export", "harbor", "--data-dir", dataDir]).code).toBe(2);
  const nothing = path.join(root, "nothing");
  expect(
    mlebench(["export", "harbor", "-c", "leaf-classification", nothing, "--data-dir", dataDir]).code,
  ).toBe(3);
  expect(fs.readdirSync(nothing)).toEqual([]);
});

test("a budget that Harbor would refuse is refused before anything is written", () => {
  const folder = path.join(root, "budgets");
  const args = ["export", "harbor", "-c", COMPETITION, folder, "--data-dir", dataDir, "--cpus", "1.5"];
  expect(mlebench(args)).toMatchObject({ code: 2, stderr: expect.stringContaining("BAD_BUDGET") });
  expect(fs.existsSync(folder)).toBe(false);
});

/** A job as Harbor 0.22.0 lays it out, with one trial in each state we may meet. */
function writeJob(): string {
  const job = path.join(root, "jobs", "nightly");
  const graded = mlebench(["grade-sample", sample, COMPETITION, "--json", "--data-dir", dataDir]).stdout;
  const trial = (name: string, change: Record<string, unknown> = {}, files: Record<string, string> = {}) => {
    const result = {
      task_name: `mlebench/${COMPETITION}`,
      trial_name: name,
      trial_uri: "file:///x",
      task_id: { path: `tasks/${COMPETITION}` },
      task_checksum: "abc",
      config: { task: { path: "x" }, trial_name: name },
      agent_info: { name: "terminus", version: "2", model_info: { name: "gpt-x" } },
      agent_result: { n_input_tokens: 1200, n_cache_tokens: 200, n_output_tokens: 30, cost_usd: 0.25 },
      verifier_result: { rewards: { reward: 0 } },
      started_at: "2026-11-01T10:00:00Z",
      finished_at: "2026-11-01T11:00:00Z",
      ...change,
    };
    writeText(job, `${name}/result.json`, JSON.stringify(result));
    for (const [file, text] of Object.entries(files)) writeText(job, `${name}/${file}`, text);
  };
  const trajectory = {
    schema_version: "ATIF-v1.7",
    agent: { name: "terminus", version: "2", model_name: "gpt-x" },
    steps: [
      { step_id: 1, source: "system", message: "You solve competitions." },
      { step_id: 2, source: "user", message: "Solve it, please." },
      {
        step_id: 3,
        timestamp: "2026-11-01T10:01:00Z",
        source: "agent",
        message: "Let me look.",
        reasoning_content: "Data first.",
        tool_calls: [
          { tool_call_id: "call-1", function_name: "bash", arguments: { command: "ls /home/data" } },
        ],
        observation: { results: [{ source_call_id: "call-1", content: "train.csv test.csv" }] },
        metrics: { prompt_tokens: 1000, completion_tokens: 20, cached_tokens: 200, cost_usd: 0.2 },
      },
      {
        step_id: 4,
        timestamp: "2026-11-01T10:02:00Z",
        source: "agent",
        message: "Done.",
        metrics: { prompt_tokens: 200, completion_tokens: 10, cost_usd: 0.05 },
        a_field_of_the_future: true,
      },
    ],
  };
  trial(
    "t__aaaaaaa",
    {},
    {
      "artifacts/home/submission/submission.csv": fs.readFileSync(sample, "utf8"),
      "agent/trajectory.json": JSON.stringify(trajectory),
    },
  );
  trial("t__bbbbbbb", {}, { "verifier/grading_report.json": graded });
  trial(
    "t__ccccccc",
    { exception_info: { exception_type: "AgentTimeout", exception_message: "late" } },
    { "agent/trajectory.json": "{half" },
  );
  trial("t__ddddddd", { task_name: "other/bench", task_id: { path: "other/bench" } });
  trial("../../t__eeeeeee".replaceAll("/", "_"), { trial_name: "../../../etc/x__\u001b[31m" }, {});
  writeText(job, "t__fffffff/result.json", "[]");
  fs.symlinkSync("/etc/passwd", path.join(job, "t__ccccccc", "artifacts"));
  return job;
}

test("a job becomes a group: regraded where the submission came along, by Harbor's word where only a report did", () => {
  const job = writeJob();
  const runsDir = path.join(root, "runs");
  const args = ["import", "harbor-job", job, "--runs-dir", runsDir, "--data-dir", dataDir, "--json"];
  const result = mlebench(args);
  expect(result).toMatchObject({ code: 1, stderr: "" });
  const outcome = json(result) as {
    groups: { folder: string; agent: string; trials: { id: string; grade: string; notes: string[] }[] }[];
    skipped: { folder: string; reason: string }[];
  };
  expect(outcome.groups).toHaveLength(1);
  const [group] = outcome.groups;
  expect(group.agent).toBe("terminus+gpt-x");
  expect(group.trials.map(({ grade }) => grade).sort()).toEqual(["declared", "none", "none", "recomputed"]);
  expect(outcome.skipped.map(({ folder }) => folder).sort()).toEqual(["t__ddddddd", "t__fffffff"]);
  for (const { id } of group.trials) expect(path.dirname(path.join(group.folder, id))).toBe(group.folder);

  const report = mlebench(["report", group.folder, "--format", "json", "--no-verify"]);
  const { agents } = json(report) as { agents: { trials: { state: string }[] }[] };
  expect(agents[0].trials.map(({ state }) => state).sort()).toEqual([
    "ungraded",
    "ungraded",
    "valid",
    "valid",
  ]);

  const recomputed = group.trials.find(({ grade }) => grade === "recomputed")!;
  const record = JSON.parse(fs.readFileSync(path.join(group.folder, recomputed.id, "harbor.json"), "utf8"));
  expect(record).toMatchObject({ grade: "recomputed", declared: { cost: 0.25, cachedTokens: 200 } });
  const ledger = fs.readFileSync(path.join(group.folder, recomputed.id, "model/ledger.jsonl"), "utf8");
  const [, first, second] = ledger
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({ usage: { inputUncached: 800, cacheRead: 200, output: 20 }, cost: 0.2 });
  expect(second).toMatchObject({ usage: { inputUncached: 200, cacheRead: 0, output: 10 } });

  expect(mlebench(args)).toMatchObject({ code: 2 });
});

interface Imported {
  groups: { folder: string; agent: string; trials: { id: string; grade: string; notes: string[] }[] }[];
}

function imported(name: string, trials: Record<string, { change?: object; files?: Record<string, string> }>) {
  const job = path.join(root, "jobs", name);
  for (const [trial, { change = {}, files = {} }] of Object.entries(trials)) {
    const result = {
      task_name: `mlebench/${COMPETITION}`,
      trial_name: trial,
      agent_info: { name: "a", version: "1" },
      ...change,
    };
    writeText(job, `${trial}/result.json`, JSON.stringify(result));
    for (const [file, text] of Object.entries(files)) writeText(job, `${trial}/${file}`, text);
  }
  const runsDir = path.join(root, `runs-${name}`);
  const ran = mlebench(["import", "harbor-job", job, "--runs-dir", runsDir, "--json", "--data-dir", dataDir]);
  return { ran, runsDir, groups: (json(ran) as Imported).groups };
}

test("agents whose names would share a folder get one each", () => {
  const long = "x".repeat(400);
  const names = ["a b", "a-b", "A-B", "a/b", `${long}1`, `${long}2`, "..", "__proto__", "\u001b[2J"];
  const trials = names.map((name, i) => [`t${i}__1`, { change: { agent_info: { name, version: "1" } } }]);
  const { ran, runsDir, groups } = imported("names", Object.fromEntries(trials));
  expect([ran.code, ran.stderr]).toEqual([1, ""]);
  expect(groups.map(({ agent }) => agent).sort()).toEqual(names.toSorted());
  const folders = groups.map(({ folder }) => path.basename(folder).toLowerCase());
  expect(new Set(folders).size).toBe(names.length);
  expect(
    fs
      .readdirSync(runsDir)
      .map((name) => name.toLowerCase())
      .sort(),
  ).toEqual(folders.toSorted());
});

test("a report about something else, or one that contradicts itself, is nobody's word", () => {
  const args = ["grade-sample", sample, COMPETITION, "--json", "--data-dir", dataDir];
  const honest = json(mlebench(args)) as object;
  const told = (change: object) => ({
    files: { "verifier/grading_report.json": JSON.stringify({ ...honest, ...change }) },
  });
  const { groups } = imported("claims", {
    a__1: told({}),
    b__1: told({ competition_id: "leaf-classification", any_medal: true, gold_medal: true }),
    c__1: told({ any_medal: true }),
    d__1: told({ any_medal: true, gold_medal: true, silver_medal: true }),
    e__1: told({ status: "invalid", score: null, above_median: true }),
    f__1: told({ percentile: 500 }),
  });
  const [{ trials }] = groups;
  expect(trials.map(({ grade }) => grade)).toEqual(["declared", "none", "none", "none", "none", "none"]);
  for (const { notes } of trials.slice(1)) expect(notes[0]).toContain("grading_report.json is left out");
});

test("what was imported is shown by logs, and verify says that nothing of it is certified", () => {
  const steps = [
    { step_id: 1, source: "user", message: "Solve it, please." },
    { step_id: 2, source: "agent", message: "Done as asked." },
  ];
  const agent = { name: "a", version: "1", model_name: "gpt-x" };
  const trajectory = JSON.stringify({ schema_version: "ATIF-v1.7", agent, steps });
  const endless = JSON.stringify({
    ...{ schema_version: "ATIF-v1.7", agent },
    steps: Array.from({ length: 3000 }, (_, i) => ({ step_id: i + 1, source: "agent", message: "again" })),
  });
  const { runsDir, groups } = imported("shown", {
    a__1: { files: { "agent/trajectory.json": trajectory } },
    b__1: { files: { "agent/trajectory.json": endless } },
  });
  const [{ folder, trials }] = groups;
  const [first, second] = trials.map(({ id }) => path.join(folder, id));
  expect(trials[1].notes.join("\n")).toContain("3000 steps, too many");
  expect(fs.existsSync(path.join(second, "model"))).toBe(false);
  expect(mlebench(["logs", first, "--model"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Done as asked."),
  });
  expect(mlebench(["logs", trials[0].id, "--runs-dir", runsDir])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("mlebench logs --model"),
  });
  const log = path.join(runsDir, "imported.eval");
  expect(mlebench(["export", "inspect", folder, log])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("NOT_GRADED"),
  });
  expect(fs.existsSync(log)).toBe(true);
  const status = mlebench(["status", folder]);
  expect([status.code, status.stderr.replaceAll(/\s+/g, " ")]).toEqual([
    2,
    expect.stringContaining("was made by somebody else, the original or Harbor"),
  ]);
  for (const place of [folder, first]) {
    const { code, stderr } = mlebench(["verify", place]);
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([2, expect.stringContaining("NOT_OURS")]);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("nothing in it was measured, isolated or certified");
  }
});

test("what is not a job is refused with what to name instead", () => {
  const empty = path.join(root, "empty");
  fs.mkdirSync(empty);
  for (const folder of [empty, path.join(root, "nowhere"), sample])
    expect(mlebench(["import", "harbor-job", folder, "--runs-dir", path.join(root, "r")])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("NO_JOB"),
    });
});
