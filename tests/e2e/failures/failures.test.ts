import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { FAILURE_CLASSES } from "../../../src/analysis/failures/failures.ts";
import { openEvents } from "../../../src/trials/trial/events.ts";
import { json, mlebench } from "../cli.ts";
import { measured } from "../measured.ts";
import { type Planted, plantGroup } from "../report/planted-group.ts";
import { plantScenery } from "../report/scenery.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const COMPETITION = "spaceship-titanic";
const SAMPLE = "PassengerId,Transported\n1,False\n";
const ANSWERS = `PassengerId,Transported\n${Array.from({ length: 30 }, (_, i) => `${i},${i % 3 === 0 ? "True" : "False"}\n`).join("")}`;
const NONE = {
  submission_exists: false,
  valid_submission: false,
  status: "missing",
  score: null,
  score_kind: "none",
  percentile: null,
};
const FAILED = {
  stopReason: "failed",
  blame: "agent",
  exitCode: 1,
  message: "It ended with status 1.",
} as const;
const NO_FINAL = { sha256: null, why: "no submission.csv was ever written" };
const traceback = (last: string) =>
  `Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n${last}\n`;
const metrics = (value: number, direction: string) =>
  JSON.stringify({ metric: "accuracy", value, direction, validation: "5 folds" });

/** One trial for each class; what it must be found to be comes first among its classes. */
const PLANTED: Record<string, Omit<Planted, "competitionId" | "seed"> & { competitionId?: string }> = {
  "answers-copied": {
    grade: { score: 1, is_lower_better: false },
    files: { "submission/submission.csv": ANSWERS },
  },
  "harness-fault": {
    stopReason: "harness error",
    blame: "host",
    message: "the disk of the host is full",
    grade: NONE,
    final: NO_FINAL,
  },
  "out-of-memory": {
    stopReason: "memory",
    blame: "budget",
    peakMemoryBytes: 2 ** 30,
    grade: NONE,
    final: NO_FINAL,
  },
  disk: {
    ...FAILED,
    stderr: "OSError: [Errno 28] No space left on device: 'x'\n",
    grade: NONE,
    final: NO_FINAL,
  },
  "network-denied": { network: { mode: "allow-list", hosts: ["example.org"] } },
  "package-error": {
    ...FAILED,
    stderr: traceback("ModuleNotFoundError: No module named 'xgboost'"),
    grade: NONE,
    final: NO_FINAL,
  },
  "own-sums": {},
  timeout: { stopReason: "timeout", blame: "budget", wallSeconds: 3600, grade: NONE, final: NO_FINAL },
  crash: {
    ...FAILED,
    stderr: traceback("ValueError: could not convert string to float: 'x'"),
    grade: NONE,
    final: NO_FINAL,
  },
  "metric-misunderstood": { files: { "submission/metrics.json": metrics(0.8, "minimize") } },
  "sample-copied": { files: { "submission/submission.csv": SAMPLE.replaceAll("\n", "\r\n") } },
  overfit: {
    grade: { score: 0.79, percentile: 40 },
    files: { "submission/metrics.json": metrics(0.825, "maximize") },
  },
  "below-constant": { grade: { score: 0.4, percentile: 1, normalised_score: -0.3 } },
  "invalid-format": {
    grade: {
      valid_submission: false,
      status: "invalid",
      score: null,
      score_kind: "none",
      percentile: null,
      reasons: [{ code: "WRONG_ROW_COUNT", message: "3 rows instead of 870" }],
    },
  },
  "no-submission": { grade: NONE, final: NO_FINAL },
};

interface Found {
  trials: number;
  failed: {
    id: string;
    seed: number;
    findings: { class: string; evidence: { where: string; text: string }[] }[];
  }[];
  counts: {
    class: string;
    trials: number;
    byAgent: Record<string, number>;
    byCompetition: Record<string, number>;
  }[];
}

function plantAll(): string {
  const root = temporaryFolder();
  const dataDir = path.join(root, "data");
  writeText(dataDir, `${COMPETITION}/prepared/public/sample_submission.csv`, SAMPLE);
  writeText(dataDir, `${COMPETITION}/prepared/private/test.csv`, ANSWERS);
  const names = Object.keys(PLANTED);
  const trials = names.map((name, seed) => ({ competitionId: COMPETITION, seed, ...PLANTED[name] }));
  const group = plantGroup(path.join(root, "runs"), "agent", trials, dataDir);
  const folderOf = (name: string) =>
    path.join(
      group,
      fs.readdirSync(group).find((id) => id.endsWith(String(names.indexOf(name)).padStart(6, "0")))!,
    );
  plantSums(folderOf("own-sums"));
  const events = openEvents(path.join(folderOf("network-denied"), "events.jsonl"));
  events.append("network", { host: "pypi.org", port: 443, allowed: false });
  events.close();
  return group;
}

/** An agent that counted a tenth of what its gateway did. */
function plantSums(folder: string): void {
  const tokens = { inputUncached: 1000, cacheRead: 0, cacheWrite: 0, output: 100, reasoning: 0 };
  const counts = { calls: 1, answered: 1, failed: 0, refused: 0, cancelled: 0, retries: 0 };
  const file = path.join(folder, "trial.json");
  const trial = JSON.parse(fs.readFileSync(file, "utf8"));
  trial.modelTotals = {
    ...counts,
    tokens: { ...tokens, total: 1100 },
    cost: null,
    complete: false,
    waiting: 0,
    thinking: 0,
  };
  fs.writeFileSync(file, JSON.stringify(trial));
  const texts = { role: "default", modelAsked: "m", model: "echo", modelAnswered: "m", protocolIn: "chat" };
  const none = {
    blame: null,
    problem: null,
    costSource: null,
    requestId: null,
    requestSha256: null,
    replySha256: null,
  };
  const line = {
    ...{ seq: 0, time: "2026-01-31T12:00:00.000Z", ...texts, protocolOut: "chat", streamed: false, ...none },
    ...{ outcome: "answered", status: 200, usage: tokens, usageSource: "reported", cost: null, retries: 0 },
    ...{ milliseconds: { waiting: 0, firstByte: 1, total: 2 }, stopReason: "end", bytesIn: 1, bytesOut: 1 },
    ...{ replayed: false, notes: [] },
  };
  writeText(folder, "model/ledger.jsonl", `${JSON.stringify(line)}\n`);
  const summary = {
    schema: "mlebench.coding-agent",
    version: 1,
    program: "pi",
    continuations: 0,
    turns: 1,
    toolCalls: 0,
    failedCommands: 0,
  };
  writeText(
    folder,
    "logs/coding-agent.json",
    JSON.stringify({ ...summary, ownTokens: { input: 100, output: 10 } }),
  );
}

describe("mlebench failures", () => {
  const group = plantAll();
  const result = mlebench(["failures", group, "--json"]);
  const found = json(result) as Found;

  test("every class has a planted example", () => {
    expect(Object.keys(PLANTED).sort()).toEqual([...FAILURE_CLASSES].sort());
  });

  test.each(Object.keys(PLANTED))("a planted %s is found, as the cause", (name) => {
    const seed = Object.keys(PLANTED).indexOf(name);
    const trial = found.failed.find((one) => one.seed === seed);
    expect(trial?.findings[0]?.class).toBe(name);
    expect(trial?.findings[0].evidence[0].text).not.toBe("");
  });

  test("evidence names the line of the log, the rule of the format, the measurement", () => {
    const evidence = (name: string) =>
      found.failed.find(({ findings }) => findings[0].class === name)!.findings[0].evidence[0];
    expect(evidence("package-error")).toMatchObject({
      where: "stderr.log:3",
      text: "ModuleNotFoundError: No module named 'xgboost'",
    });
    expect(evidence("invalid-format").where).toBe("WRONG_ROW_COUNT");
    expect(evidence("out-of-memory").text).toBe("peak memory 1 GiB of 1 GiB");
    expect(evidence("network-denied").text).toContain("pypi.org:443");
  });

  test("counts are by agent and competition, and the exit code says that there are failures", () => {
    const crash = found.counts.find((count) => count.class === "crash")!;
    expect(crash.byAgent).toEqual({ agent: crash.trials });
    expect(crash.byCompetition).toEqual({ [COMPETITION]: crash.trials });
    expect(result.code).toBe(1);
  });

  test("without a terminal the counts and one example of each class are printed", () => {
    const { stdout } = mlebench(["failures", group]);
    expect(stdout).toContain("package or import error");
    expect(stdout).toContain("No module named 'xgboost'");
    expect(stdout).toContain("agent: deviations from the canonical set-up: time limit 1 h instead of 24 h");
  });

  test("--class lists every trial of one class", () => {
    expect(mlebench(["failures", group, "--class", "timeout"]).stdout).toContain(
      "stopped after 3600 s of 3600 s",
    );
  });
});

/** Other ways into the same classes: each is recognised by something else. */
const OTHER_FORMS: [name: string, what: string, planted: Omit<Planted, "competitionId" | "seed">][] = [
  [
    "metric-misunderstood",
    "by values out of range",
    {
      grade: {
        ...{ valid_submission: false, status: "invalid", score: null, score_kind: "none", percentile: null },
        reasons: [{ code: "OUT_OF_RANGE", message: "probabilities from 0 to 1 are asked for, 17 was found" }],
      },
    },
  ],
  [
    "out-of-memory",
    "by what it said",
    { ...FAILED, stderr: traceback("MemoryError"), grade: NONE, final: NO_FINAL },
  ],
  [
    "out-of-memory",
    "by a kill at its limit",
    { ...FAILED, signal: "SIGKILL", peakMemoryBytes: 2 ** 30, grade: NONE, final: NO_FINAL },
  ],
  [
    "harness-fault",
    "by a grader that failed",
    {
      grade: {
        ...{ valid_submission: false, status: "failed", score: null, score_kind: "none", percentile: null },
        ...{ blame: "harness", message: "the grader failed" },
      },
    },
  ],
  [
    "package-error",
    "by a missing program",
    { ...FAILED, stderr: "sh: 1: python3: not found\n", grade: NONE, final: NO_FINAL },
  ],
  [
    "crash",
    "by its exception, although it ended with 0",
    { stderr: traceback("KeyError: 'target'"), grade: NONE, final: NO_FINAL },
  ],
];

test("each class is also recognised in its other forms", () => {
  const trials = OTHER_FORMS.map(([, , planted], seed) => ({ competitionId: COMPETITION, seed, ...planted }));
  const { failed } = json(
    mlebench(["failures", plantGroup(temporaryFolder(), "agent", trials), "--json"]),
  ) as Found;
  const causes = OTHER_FORMS.map(
    (_, seed) => failed.find((one) => one.seed === seed)?.findings[0].class ?? "none",
  );
  expect(causes).toEqual(OTHER_FORMS.map(([name]) => name));
});

describe("a clean group", () => {
  test("shows no failure, although its agents used up their time and logged errors on the way", () => {
    const trials: Planted[] = [0, 1, 2].map((seed) => ({
      competitionId: COMPETITION,
      seed,
      stopReason: seed === 0 ? "timeout" : "exited",
      stderr: traceback("ModuleNotFoundError: No module named 'xgboost'"),
      files: {
        "submission/metrics.json": metrics(0.8, "maximize"),
        "submission/submission.csv": "PassengerId,Transported\n1,True\n",
      },
      grade: { score: 0.805, percentile: 77 },
    }));
    const { code, stdout } = mlebench(["failures", plantGroup(temporaryFolder(), "agent", trials)]);
    expect(stdout.split("\n")[0]).toBe("no failures in 3 trials");
    expect(code).toBe(0);
  });
});

test("a group of the original, with nothing but metadata and run.log, is classified too", () => {
  const root = temporaryFolder();
  const run = `${COMPETITION}_0b1e7a3c-0000-4000-8000-000000000000`;
  writeText(
    root,
    "g/metadata.json",
    JSON.stringify({ run_group: "g", created_at: "x", runs: { [run]: { success: true } } }),
  );
  writeText(
    root,
    `g/${run}/run.log`,
    "[Container] Traceback (most recent call last):\n[Container] ImportError: no libcuda\n",
  );
  const report = {
    competition_id: COMPETITION,
    score: null,
    gold_medal: false,
    silver_medal: false,
    bronze_medal: false,
    above_median: false,
    submission_exists: false,
    valid_submission: false,
  };
  writeText(root, "g/x_grading_report.json", JSON.stringify({ competition_reports: [report] }));
  const found = json(mlebench(["failures", path.join(root, "g"), "--json"])) as Found;
  expect(found.failed[0].findings.map((finding) => finding.class)).toEqual([
    "package-error",
    "crash",
    "no-submission",
  ]);
  expect(found.failed[0].findings[0].evidence[0]).toMatchObject({
    where: "run.log:2",
    text: "ImportError: no libcuda",
  });
});

test("three agents, ten competitions and five seeds are classified and rendered in under two seconds", () => {
  const root = temporaryFolder();
  const output = path.join(root, "report.html");
  const { status, seconds } = measured(root, ["report", ...plantScenery(root), "-o", output]);
  expect(status).toBe(0);
  expect(seconds).toBeLessThan(2);
  expect(fs.statSync(output).size).toBeGreaterThan(100_000);
});
