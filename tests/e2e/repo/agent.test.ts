// full: the repository agent solves two starter competitions with the simulated model, in real sandboxes
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { KIND } from "../trials/kinds.ts";

vi.setConfig({ testTimeout: 280_000 });

const SHELF = path.resolve("tests/fixtures/repositories/shelf");
const root = temporaryFolder();
const data = path.join(root, "data");

beforeAll(() => {
  const ids = ["starter-spam", "starter-pronunciation"];
  const prepared = mlebench(["prepare", "-c", ...ids, "--data-dir", data], {}, 240_000);
  expect(prepared.stdout).toContain("2 of 2 prepared");
}, 240_000);

interface Log {
  track: string;
  task: { terms: string[] };
  attempts: {
    repository: string;
    number: number;
    solved: boolean;
    end: string;
    restarts: number;
    why: string;
  }[];
  dropped: { repository: string; leak: { rule: string } }[];
  notes: string[];
  assistance?: { solved: boolean; turns: number };
  solvedBy: string | null;
  fallback: string | null;
}

interface Trial {
  trial: string;
  score: number | null;
  log: Log;
  provenance: {
    files: { file: string; similarity: number; spans: { repository: string }[] }[];
    findings: object[];
  };
}

function run(agent: string, competition: string, model: string, options: string[]): Trial {
  const runs = fs.mkdtempSync(path.join(root, "runs-"));
  const args = ["run", "--agent", agent, "-c", competition, "--data-dir", data, "--runs-dir", runs];
  const ran = mlebench([...args, "--sandbox", KIND, "--grade", "--model", model, ...options], {}, 280_000);
  expect(ran.stderr).not.toMatch(/INTERNAL/);
  const [group] = fs.readdirSync(runs);
  const folder = path.join(runs, group);
  const names = fs.readdirSync(folder);
  expect(names.join(" "), ran.stderr).toContain("_grading_report.json");
  const trial = path.join(folder, names.find((name) => name.startsWith(`${competition}_`)) ?? "");
  const report = JSON.parse(
    fs.readFileSync(
      path.join(folder, names.find((name) => name.endsWith("_grading_report.json")) ?? ""),
      "utf8",
    ),
  );
  const read = (name: string) => {
    const file = path.join(trial, "logs", name);
    return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : null;
  };
  return {
    trial,
    score: report.competition_reports[0].score,
    log: read("repo.json"),
    provenance: read("provenance.json"),
  };
}

function shelfOf(...names: string[]): string {
  const shelf = fs.mkdtempSync(path.join(root, "shelf-"));
  // The agent's user reads it.
  fs.chmodSync(shelf, 0o755);
  for (const name of names) fs.cpSync(path.join(SHELF, name), path.join(shelf, name), { recursive: true });
  return shelf;
}

test("a task that only a repository solves: the planted solution is dropped, the broken one tried twice, the next one solves it", () => {
  const { score, log, provenance } = run("repo", "starter-pronunciation", "simulated:steady", [
    "--materials",
    SHELF,
    "--time-limit",
    "200",
  ]);
  expect(log.track).toBe("mle-bench");
  expect(log.task.terms.length).toBeGreaterThan(0);
  expect(log.dropped.map(({ repository, leak }) => [repository, leak.rule])).toEqual([
    ["pronunciation-gold", "slug"],
  ]);
  expect(log.attempts.map(({ repository, number, solved }) => [repository, number, solved])).toEqual([
    ["noisy-speller", 1, false],
    ["noisy-speller", 2, false],
    ["letters-to-sounds", 1, true],
  ]);
  expect(score).toBeLessThan(1);
  const main = provenance.files.find(({ file }) => file.endsWith("adapted/main.js"));
  expect(main?.similarity).toBe(1);
  expect(main?.spans[0].repository).toBe("letters-to-sounds");
  expect(provenance.findings).toEqual([]);
  const alone = run("tools/codeact", "starter-pronunciation", "simulated:steady", ["--time-limit", "100"]);
  expect(alone.score ?? 99).toBeGreaterThan(3);
});

test("a failure is really tried again, told what went wrong", () => {
  const { score, log } = run("repo", "starter-spam", "simulated:clumsy", [
    "--materials",
    shelfOf("word-odds"),
    "--time-limit",
    "100",
  ]);
  expect(log.attempts.map(({ number, solved }) => [number, solved])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect(log.attempts[0].why).toContain("--train is missing");
  expect(score).toBeLessThan(0.2);
});

test("parameters of a RepoMaster file hold: a long conversation is restarted twice, then given up, and the baseline takes over", () => {
  const materials = shelfOf("word-odds");
  writeText(
    materials,
    "repo.yaml",
    "repo: {type: local, path: word-odds}\nparameters: {retry: 1, max_repo: 1, max_turns: 60, context_tokens: 2600, map_tokens: 300}\n",
  );
  const { score, log } = run("repo", "starter-spam", "simulated:stubborn", [
    "--materials",
    materials,
    "--time-limit",
    "40",
  ]);
  expect(log.attempts).toMatchObject([
    { repository: "word-odds", number: 1, end: "context", restarts: 2, solved: false },
  ]);
  expect(log.fallback).toBe("baseline");
  // The sample submission, which stands there first, has 0.99881.
  expect(score).toBeLessThan(0.9);
});

test("where its file says so, the tree search takes over, with the settings of `tree`", () => {
  const materials = shelfOf("word-odds");
  const parameters = "{retry: 1, max_repo: 1, max_turns: 1, fallback: tree, use_venv: false}";
  writeText(materials, "repo.yaml", `parameters: ${parameters}\n`);
  const { log, trial } = run("repo", "starter-spam", "simulated:steady", [
    ...["--materials", materials, "--time-limit", "30"],
  ]);
  expect(log.attempts).toMatchObject([{ repository: "word-odds", end: "steps", solved: false }]);
  expect(log.fallback).toBe("tree");
  const [head, ...steps] = fs
    .readFileSync(path.join(trial, "logs/journal.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(head.settings).toMatchObject({ preset: "tree", "search.policy": "mixed", "parts.endgame": true });
  expect(steps.length).toBeGreaterThan(0);
});

test("a plain task without a repository: the assistant of the file works on it", () => {
  const materials = shelfOf();
  writeText(materials, "repo.yaml", "parameters: {fallback: assistant, max_turns: 12, parallel: true}\n");
  const { score, log } = run("repo", "starter-spam", "simulated:steady", [
    ...["--materials", materials, "--time-limit", "60"],
  ]);
  expect(log).toMatchObject({ attempts: [], fallback: "assistant", assistance: { solved: true } });
  expect(log.notes[0]).toBe("without effect here: parallel");
  expect(score).toBeLessThan(0.9);
});
