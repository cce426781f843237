// full: our tool agents solve three starter competitions with the simulated model, in real sandboxes
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findInstalled } from "../../../src/agents/coding/installed.ts";
import { CODING_PROGRAM_IDS, type CodingProgramId } from "../../../src/agents/coding/programs.ts";
import { notTested } from "../../tools.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { ISOLATES, KIND } from "../trials/kinds.ts";

const COMPETITIONS = ["starter-spam", "starter-house-prices", "starter-bird-strikes"];
const root = temporaryFolder();
const data = path.join(root, "data");

beforeAll(() => {
  const prepared = mlebench(["prepare", "-c", ...COMPETITIONS, "--data-dir", data], {}, 240_000);
  expect(prepared.stderr + prepared.stdout).toContain("3 of 3 prepared");
}, 240_000);

interface RunFacts {
  folder: string;
  trials: { competition: string; trial: string; record: { models?: { asked: string; calls: number }[] } }[];
}

function run(agent: string, competitions: readonly string[], options: readonly string[] = []): RunFacts {
  const runs = fs.mkdtempSync(path.join(root, "runs-"));
  const ran = mlebench(
    [
      "run",
      "--agent",
      agent,
      "-c",
      ...competitions,
      "--data-dir",
      data,
      "--runs-dir",
      runs,
      "--sandbox",
      KIND,
      "--grade",
      ...options,
    ],
    {},
    280_000,
  );
  expect(ran.stderr).not.toMatch(/INTERNAL/);
  const [group] = fs.readdirSync(runs);
  const folder = path.join(runs, group);
  const trials = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith("starter-"))
    .map(({ name }) => ({
      competition: name.split("_")[0],
      trial: path.join(folder, name),
      record: JSON.parse(
        fs.readFileSync(path.join(folder, name, "trial.json"), "utf8"),
      ) as RunFacts["trials"][0]["record"],
    }));
  return { folder, trials };
}

function grades(
  folder: string,
): { competition_id: string; score: number | null; valid_submission: boolean }[] {
  const report = fs.readdirSync(folder).find((name) => name.endsWith("_grading_report.json"))!;
  return JSON.parse(fs.readFileSync(path.join(folder, report), "utf8")).competition_reports;
}

describe.each(["tools/codeact", "tools/mlab"])("%s with the simulated model", (agent) => {
  test("ends by itself with a valid submission on three starter competitions, without a network", () => {
    const { folder, trials } = run(agent, COMPETITIONS, [
      "--model",
      "simulated:steady",
      "--time-limit",
      "200",
    ]);
    for (const { competition_id: id, score } of grades(folder))
      expect([id, typeof score]).toEqual([id, "number"]);
    for (const { record } of trials) expect(record.models?.[0]).toMatchObject({ asked: "simulated:steady" });
    expect(mlebench(["verify", folder]).code).toBe(0);
  }, 300_000);
});

test("a model that plants faults is shown them, and the valid submission survives", () => {
  const { folder, trials } = run(
    "tools/codeact",
    ["starter-house-prices"],
    ["--model", "simulated:clumsy", "--time-limit", "200"],
  );
  expect(grades(folder)).toMatchObject([{ valid_submission: true }]);
  const conversation = fs.readFileSync(path.join(trials[0].trial, "logs/conversation.jsonl"), "utf8");
  expect(conversation).toMatch(/Error/);
}, 300_000);

test("without a model the agent says what it needs, and the trial names it", () => {
  const { trials } = run("tools/codeact", ["starter-spam"]);
  expect(fs.readFileSync(path.join(trials[0].trial, "run.log"), "utf8")).toContain(
    "This agent needs a model",
  );
}, 120_000);

test("a budget that ends stops the work, and the submission that stood there counts", () => {
  const options = ["--model", "simulated:steady", "--max-calls", "3", "--time-limit", "120"];
  const { folder, trials } = run("tools/codeact", ["starter-spam"], options);
  expect(grades(folder)).toMatchObject([{ valid_submission: true }]);
  expect(fs.readFileSync(path.join(trials[0].trial, "logs/end.json"), "utf8")).toContain("refused");
}, 200_000);

/** CI has two of them; the others are tried by `npm run soak -- coding-agents`. */
const IN_CI: readonly CodingProgramId[] = ["pi", "codex"];

describe.each(CODING_PROGRAM_IDS)("%s through the gateway", (id) => {
  const installed = ISOLATES && findInstalled(id) !== null;
  if (!installed && IN_CI.includes(id))
    notTested({
      what: `the coding agent ${id}`,
      why: "it is not installed",
      command: `npx mlebench agents install ${id}`,
    });

  test.runIf(installed && IN_CI.includes(id))(
    "solves starter-spam in a closed sandbox with the simulated model, and is continued when it stops early",
    () => {
      const { folder, trials } = run(
        id,
        ["starter-spam"],
        ["--model", "simulated:steady", "--time-limit", "150"],
      );
      expect(grades(folder)).toMatchObject([{ valid_submission: true }]);
      const { turns, toolCalls, continuations, runs } = JSON.parse(
        fs.readFileSync(path.join(trials[0].trial, "logs/coding-agent.json"), "utf8"),
      ) as { turns: number; toolCalls: number; continuations: number; runs: { status: number }[] };
      expect(runs[0].status).toBe(0);
      expect(turns).toBeGreaterThan(4);
      expect(toolCalls).toBeGreaterThan(3);
      expect(continuations).toBeGreaterThan(0);
      expect(trials[0].record.models?.[0].calls).toBeGreaterThan(4);
      expect(mlebench(["verify", folder]).code).toBe(0);
      const token = /mlebench-[A-Za-z0-9_-]{32}/;
      for (const name of ["code", "logs", "run.log", "trial.json", "events.jsonl"])
        for (const file of filesOf(path.join(trials[0].trial, name)))
          expect([file, token.test(fs.readFileSync(file, "latin1"))]).toEqual([file, false]);
    },
    300_000,
  );
});

function filesOf(place: string): string[] {
  if (!fs.statSync(place).isDirectory()) return [place];
  return (fs.readdirSync(place, { recursive: true }) as string[])
    .map((name) => path.join(place, name))
    .filter((file) => fs.statSync(file).isFile());
}

test("a coding agent that is not installed is refused with the command that installs it", () => {
  const cache = fs.mkdtempSync(path.join(root, "cache-"));
  const ran = mlebench(
    [
      "run",
      "--agent",
      "codex",
      "-c",
      "starter-spam",
      "--data-dir",
      data,
      "--runs-dir",
      path.join(root, "none"),
      "--model",
      "simulated:steady",
    ],
    { XDG_CACHE_HOME: cache },
  );
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("mlebench agents install codex");
});

test.each([
  ["nonsense", 2],
  ["codex@latest", 2],
  ["codex@../../etc", 2],
])("agents install %s leaves with %i and one sentence", (wanted, code) => {
  const ran = mlebench(
    ["agents", "install", wanted],
    { XDG_CACHE_HOME: fs.mkdtempSync(path.join(root, "cache-")) },
    120_000,
  );
  expect([ran.code, ran.stderr.includes("    at ")]).toEqual([code, false]);
});

test("agents list names all of them", () => {
  const { agents } = json(mlebench(["agents", "list", "--json"])) as { agents: { id: string }[] };
  expect(agents.map(({ id }) => id)).toEqual(
    expect.arrayContaining([...CODING_PROGRAM_IDS, "tools/codeact", "tools/mlab"]),
  );
});
