// full: some thirty runs that are refused
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const root = temporaryFolder();
const data = path.join(root, "data");
const agents = path.join(root, "agents");
const runs = path.join(root, "runs");

beforeAll(() => {
  expect(mlebench(["prepare", "-c", "starter-births", "--data-dir", data]).code).toBe(0);
  const entries = {
    mine: { command: ["true"] },
    thinker: { command: ["true"], needs_model: true },
    misnamed: { command: ["true"], models: "antropic:claude" },
    misrole: { command: ["true"], models: { "no role": "echo" } },
  };
  writeText(agents, "mine/config.yaml", JSON.stringify(entries));
});

function run(agent: string, ...more: string[]) {
  const places = ["--agents-dir", agents, "--data-dir", data, "--runs-dir", runs, "--sandbox", "process"];
  return mlebench(["run", "--agent", agent, "-c", "starter-births", ...places, ...more]);
}

describe("what is wrong about models is said before anything starts", () => {
  test.each([
    ["thinker", [], "NO_MODEL", "mlebench run --agent thinker -c starter-births --model"],
    ["tools/codeact", [], "NO_MODEL", "--model simulated:steady"],
    ["tree", [], "NO_MODEL", "mlebench run --agent tree -c starter-births --model"],
    ["tree/aide", [], "NO_MODEL", "--model simulated:steady"],
    ["mine", ["--max-cost", "1"], "NO_MODEL", "leave --max-cost out"],
    ["mine", ["--max-tokens", "group=5"], "NO_MODEL", "leave --max-tokens out"],
    ["mine", ["--record", "x.jsonl"], "NO_MODEL", "leave --record out"],
    ["mine", ["--provider-tools"], "NO_MODEL", "leave --provider-tools out"],
    ["mine", ["--model", "simulated:steady", "--max-cost", "1"], "NO_PRICE", "--max-calls"],
    ["mine", ["--model", "echo", "--max-cost", "group=1"], "NO_PRICE", "costs nothing"],
    ["misnamed", [], "BAD_MODEL", "antropic:claude"],
    ["misrole", [], "NO_AGENT", "a role is a word"],
  ])("run %s %j is refused: %s", (agent, options, code, words) => {
    const ran = run(agent, ...options);
    expect([ran.code, ran.stderr.includes(code)]).toEqual([2, true]);
    expect(ran.stderr).toContain(words);
  });

  test("an agent that needs none runs without", () => {
    expect(run("mine").stderr).not.toContain("NO_MODEL");
  });

  test("models check of an address where nobody listens answers at once", () => {
    const start = performance.now();
    const { code, stdout } = mlebench(["models", "check", "compatible:x@http://127.0.0.1:9/v1"]);
    expect([code, performance.now() - start < 10_000]).toEqual([1, true]);
    expect(stdout).toContain("0 retries");
  });
});

describe("what is not prepared is named with the one command that prepares all of it", () => {
  const empty = path.join(root, "empty");

  test.each([
    [["--split", "starter"], "15 of 15 competitions", "prepare --split starter"],
    [
      ["-c", "starter-spam", "starter-births"],
      "2 of 2 competitions",
      "prepare -c starter-spam starter-births",
    ],
    [["-c", "starter-spam"], "starter-spam has no prepared data", "prepare -c starter-spam"],
  ])("run %j", (choice, message, command) => {
    const ran = mlebench(["run", "--agent", "sample", ...choice, "--data-dir", empty]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).toContain(`mlebench ${command} --data-dir ${empty}`);
  });

  test("a competition of one's own without a prepare.mjs is not sent to prepare, which could do nothing", () => {
    const competitions = path.resolve("docs/examples");
    const own = ["my-competition", "--competitions", competitions, "--data-dir", empty];
    const answers = path.join(empty, "my-competition/prepared/private/test.csv");
    const results = [
      mlebench(["show", ...own]).stdout,
      mlebench(["validate", writeText(root, "any.csv", "id,label\n1,0\n"), ...own]).stderr,
      mlebench(["run", "--agent", "sample", "-c", ...own]).stderr,
    ];
    for (const said of results) {
      expect(said).toContain(`put its answers at ${answers}`);
      expect(said).not.toContain("mlebench prepare");
    }
  });

  test("nobody asks Kaggle for the board of a competition that is not Kaggle's", () => {
    const result = mlebench(["dev", "download-leaderboard", "-c", "starter-spam", "--data-dir", empty], {
      HOME: "/nonexistent",
      KAGGLE_CONFIG_DIR: "/nonexistent",
    });
    expect(result.code).toBe(3);
    expect(result.stderr).toContain("starter-spam is not a competition of Kaggle");
    expect(result.stderr).not.toContain("credentials");
  });

  test("an experiment names the option for competitions of one's own, and a key that is not there", () => {
    const file = (competition: string) =>
      writeText(
        root,
        "e.yaml",
        JSON.stringify({ name: "e", competitions: [competition], seeds: 1, agents: ["sample"], sign: true }),
      );
    const env = { XDG_CONFIG_HOME: path.join(root, "config"), HOME: root };
    const ran = (id: string) =>
      mlebench(["experiment", "run", file(id), "--runs-dir", runs, "--data-dir", empty], env).stderr;
    expect(ran("my-own")).toContain("name its folder: --competitions");
    expect(ran("starter-spam")).toMatch(/There is no signing key .*default\.key\.\n.*mlebench keys create/);
  });

  test("doctor does not ask for a Kaggle account where data come with the package", () => {
    const bare = { HOME: "/nonexistent", KAGGLE_CONFIG_DIR: "/nonexistent" };
    const result = mlebench(["doctor", "--split", "starter", "--data-dir", empty, "--json"], bare);
    const { checks, competitions } = json(result) as {
      checks: { area: string }[];
      competitions: { shipped: boolean; fix: string }[];
    };
    expect(checks.filter(({ area }) => area === "kaggle")).toEqual([]);
    expect(competitions.every(({ shipped }) => shipped)).toBe(true);
    const text = mlebench(["doctor", "--split", "starter", "--data-dir", empty], bare).stdout;
    expect(text).toContain(`mlebench prepare --split starter --data-dir ${empty}`);
    expect(text).not.toContain("Kaggle");
  });
});

test.each([
  ["regression({ id: 'id', target: 'y' })", "needs `error`, a function; it was given nothing"],
  ["regression({ id: 'id', error: () => 0 })", "needs `target`, the name of a column"],
  ["binaryAuc({ target: 'y' })", "needs `id`, the name of a column"],
  ["labelAccuracy({ id: 3, target: 'y' })", "it was given 3"],
  ["multiclassLogLoss({ id: 'id', classes: [] })", "needs `classes`, a list of names"],
])("a competition of one's own with %s is told when it is loaded", (grade, words) => {
  const folder = path.join(temporaryFolder(), "competitions");
  writeText(
    folder,
    "my-own/competition.mjs",
    `import { binaryAuc, defineCompetition, labelAccuracy, multiclassLogLoss, regression } from "mlebench/competition";
export const competition = defineCompetition({
  id: "my-own", name: "Mine", category: "Tabular", complexity: "low", contest: "simple", dataSizeGB: 0.1,
  opened: null, closed: null, metric: { name: "m", direction: "minimize" }, columns: { id: ["id"], target: ["y"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: null, grade: ${grade},
});
`,
  );
  const { code, stderr } = mlebench(["list", "--competitions", folder]);
  expect(code).toBe(1);
  expect(stderr).toContain(words);
});

test("figures of verify and counts of one are in words", () => {
  expect(run("mine", "--name", "words").stderr).not.toContain("INTERNAL");
  const { stdout } = mlebench(["verify", path.join(runs, "words")]);
  expect(stdout).toMatch(/peak memory [\d.]+ (KiB|MiB|bytes)/);
  expect(stdout).toContain("of 1 trial by the plan");
  expect(stdout).not.toMatch(/memoryBytes|diskBytes|\b1 (trials|attempts|runs)\b/);
});
