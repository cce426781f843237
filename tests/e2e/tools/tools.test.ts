// full: our tool agents solve three starter competitions with the simulated model, in real sandboxes
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findInstalled } from "../../../src/agents/coding/installed.ts";
import { CODING_PROGRAM_IDS, type CodingProgramId } from "../../../src/agents/coding/programs.ts";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import { notTested } from "../../tools.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { ISOLATES, KIND } from "../trials/kinds.ts";
import { replayed } from "./replayed.ts";
import { solvedBy } from "./solved.ts";

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
    const runs = fs.mkdtempSync(path.join(root, "runs-"));
    const task = { competitions: COMPETITIONS, data, runs, seconds: 200, sandbox: KIND };
    expect(solvedBy(agent, task).problems).toEqual([]);
  }, 300_000);
});

test("a recorded run of a tool agent replays offline to the same submission bytes and the same ledger", () => {
  const cassette = path.join(root, "cassette.jsonl");
  const limits = ["--max-calls", "30", "--time-limit", "150"];
  const [recorded, replayed] = [
    ["--model", "simulated:steady", "--record", cassette],
    ["--model", `recorded:${cassette}`],
  ].map((model) => {
    const [{ trial }] = run("tools/codeact", ["starter-house-prices"], [...model, ...limits]).trials;
    // Says why, where it ended otherwise.
    expect(JSON.parse(fs.readFileSync(path.join(trial, "logs/end.json"), "utf8"))).toMatchObject({
      why: "finished",
    });
    return {
      submission: fs.readFileSync(path.join(trial, "submission/submission.csv")),
      ledger: readLedger(path.join(trial, "model/ledger.jsonl")).lines.map(
        ({ time: _, milliseconds: __, requestSha256: ___, replayed: ____, bytesIn: _____, ...line }) => line,
      ),
    };
  });
  expect(recorded.ledger.length).toBeGreaterThan(3);
  expect(replayed.ledger).toEqual(recorded.ledger);
  expect(replayed.submission.equals(recorded.submission)).toBe(true);
}, 300_000);

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
    "solves two starter competitions in a closed sandbox with the simulated model, and is continued when it stops early",
    () => {
      const runs = fs.mkdtempSync(path.join(root, "runs-"));
      const competitions = ["starter-spam", "starter-house-prices"];
      const solved = solvedBy(id, { competitions, data, runs, seconds: 120 });
      expect(solved.problems).toEqual([]);
      for (const trial of solved.trials.values()) {
        const certificate = JSON.parse(fs.readFileSync(path.join(trial, "certificate.json"), "utf8"));
        const { agent, files, programStarts } = certificate.record.content;
        expect(agent.program.name).toMatch(/^@.+@\d+\.\d+\.\d+$/);
        expect(agent.program.integrity).toMatch(/^sha512-/);
        expect(files.map((file: { path: string }) => file.path)).toContain("logs/coding-agent.json");
        const {
          turns,
          toolCalls,
          continuations,
          runs: starts,
        } = JSON.parse(fs.readFileSync(path.join(trial, "logs/coding-agent.json"), "utf8")) as {
          turns: number;
          toolCalls: number;
          continuations: number;
          runs: { status: number }[];
        };
        expect(starts[0].status).toBe(0);
        expect(turns).toBeGreaterThan(4);
        expect(toolCalls).toBeGreaterThan(3);
        expect(continuations).toBeGreaterThan(0);
        const conversation = mlebench(["logs", trial, "--model"]).stdout;
        expect(conversation).toContain("Yours is starter-");
        expect(conversation).not.toMatch(/not readable|is not shown/);
        expect(programStarts.promptDigests).toHaveLength(continuations + 1);
        expect(programStarts.commandLine).toContain("<prompt>");
        const token = /mlebench-[A-Za-z0-9_-]{32}/;
        for (const name of ["code", "logs", "run.log", "trial.json", "events.jsonl"])
          for (const file of filesOf(path.join(trial, name)))
            expect([file, token.test(fs.readFileSync(file, "latin1"))]).toEqual([file, false]);
      }
    },
    400_000,
  );

  // One is enough for every commit; all of them: `npm run soak -- coding-agents --part replay`.
  test.runIf(installed && id === "codex")(
    "that was recorded replays offline to the same submission bytes and the same ledger",
    () => {
      const runs = fs.mkdtempSync(path.join(root, "runs-"));
      const { calls, problems } = replayed(id, { data, runs, sandbox: KIND });
      expect(problems).toEqual([]);
      expect(calls).toBeGreaterThan(3);
    },
    400_000,
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
