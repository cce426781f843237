import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

const ID = "my-competition";
const example = fs.readFileSync("docs/examples/my-competition/competition.mjs", "utf8");
const board = JSON.parse(fs.readFileSync("docs/examples/my-competition/leaderboard.json", "utf8"));

/** A folder with the example, changed, beside a second one that nothing is wrong with. */
function scene(change: (folder: string) => void) {
  const root = temporaryFolder();
  const competitions = path.join(root, "competitions");
  for (const id of [ID, "good"]) {
    fs.cpSync("docs/examples/my-competition", path.join(competitions, id), { recursive: true });
    writeText(root, `data/${id}/prepared/private/test.csv`, "id,label\n1,0\n2,1\n");
  }
  writeText(competitions, "good/competition.mjs", example.replaceAll(ID, "good"));
  change(path.join(competitions, ID));
  const submission = writeText(root, "submission.csv", "id,label\n1,0.1\n2,0.9\n");
  return {
    root,
    submission,
    options: ["--competitions", competitions, "--data-dir", path.join(root, "data")],
  };
}

const edited = (from: string | RegExp, to: string) => (folder: string) => {
  const text = example.replace(from, to);
  expect(text).not.toBe(example);
  fs.writeFileSync(path.join(folder, "competition.mjs"), text);
};
const boardWith = (change: object) => (folder: string) =>
  fs.writeFileSync(path.join(folder, "leaderboard.json"), JSON.stringify({ ...board, ...change }));

const TYPOS: [string, (folder: string) => void, string[]][] = [
  [
    "a direction of its own",
    edited('"maximize"', '"max"'),
    ['metric.direction is "max"', '"maximize" or "minimize"'],
  ],
  ["a field left out", edited(/ {2}category: .*\n/, ""), ["category is missing", "a string"]],
  ["a misspelt field", edited("category:", "catgory:"), ['"catgory"', 'did you mean "category"?']],
  [
    "a wrong kind of value",
    edited(/dataSizeGB: .*,/, 'dataSizeGB: "12 MB",'),
    ['dataSizeGB is "12 MB"', "a number"],
  ],
  ["no grader", edited(/grade: .*,/, 'grade: "auc",'), ['grade is "auc"', "defineGrader"]],
  ["another id", edited(`id: "${ID}"`, 'id: "other"'), ["calls itself other", `"${ID}"`]],
  [
    "a syntax error",
    edited("defineCompetition({", "defineCompetition({{"),
    ["cannot be loaded", "competition.mjs"],
  ],
  ["no export", edited("export const competition", "export const competion"), ["competion", '"competition"']],
  [
    "a board that is not JSON",
    (folder) => fs.writeFileSync(path.join(folder, "leaderboard.json"), "{gold: 1"),
    ["leaderboard.json", "not JSON"],
  ],
  ["a board with a text for a score", boardWith({ gold: "0.9" }), ['gold is "0.9"', "a number"]],
  ["a board without teams", boardWith({ teams: 0 }), ["teams is 0", "a whole number from 1"]],
  ["a board upside down", boardWith({ lowerIsBetter: !board.lowerIsBetter }), ["not from best to worst"]],
];

describe.each(TYPOS)("a competition of one's own with %s", (_, change, expected) => {
  const { root, submission, options } = scene(change);

  test("is refused as the user's, with the field, the value and what is allowed", () => {
    const { code, stderr } = mlebench(["show", ID, ...options]);
    expect(code).toBe(2);
    expect(stderr).toContain("BAD_COMPETITION");
    for (const part of expected) expect(stderr).toContain(part);
    expect(stderr).not.toContain("bug of mlebench");
  });

  test("does not take the rest of a batch with it", () => {
    const line = (id: string) => JSON.stringify({ competition_id: id, submission_path: submission });
    const list = writeText(root, "list.jsonl", `${line(ID)}\n${line("good")}\n`);
    const result = mlebench([
      ...["grade", "--submission", list, "--output-dir", path.join(root, "reports"), "--json", ...options],
    ]);
    expect(result.code).toBe(1);
    const { competition_reports: reports } = json(result) as {
      competition_reports: Record<string, unknown>[];
    };
    expect(reports).toMatchObject([{ score: null, blame: "user" }, { score: 1 }]);
    for (const part of expected) expect(reports[0].message).toContain(part);
  });
});

test("a broken competition is left out of the list, which says so and leaves with 1", () => {
  const { options } = scene(edited('"maximize"', '"max"'));
  const { code, stdout, stderr } = mlebench(["list", ...options, "--json"]);
  expect(code).toBe(1);
  const ids = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
  expect(ids).toContain("good");
  expect(ids).not.toContain(ID);
  expect(stderr).toContain('metric.direction is "max"');
});

test("a preparer that cannot be loaded is that competition's outcome alone", () => {
  const { options } = scene((folder) =>
    fs.writeFileSync(path.join(folder, "prepare.mjs"), "export const x = ;"),
  );
  const { code, stdout } = mlebench(["prepare", "-c", ID, "good", ...options, "--raw", "docs", "--json"]);
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const outcome = (id: string) =>
    events.find((event) => event.event === "outcome" && event.competitionId === id);
  expect(outcome(ID)).toMatchObject({ status: "failed", code: "BAD_COMPETITION", blame: "user" });
  expect(outcome("good")).toBeDefined();
  expect(outcome("good").code).not.toBe("BAD_COMPETITION");
  expect([1, 3]).toContain(code);
});

describe("an agent's file", () => {
  const root = temporaryFolder();
  const dataDir = layOutPrepared(path.join(root, "data"));
  const agents = path.join(root, "agents");
  const run = (id: string, folder = agents) =>
    mlebench([
      ...["run", "--agent", id, "--agents-dir", folder, "-c", COMPETITION, "--data-dir", dataDir],
      ...["--runs-dir", path.join(root, "runs"), "--sandbox", "process"],
    ]);

  test("with a misspelt field is told what it means, when listed and when run", () => {
    writeText(agents, "typo/config.yaml", "typo: { comand: [sh, -c, exit 0] }");
    const listed = json(mlebench(["agents", "list", "--agents-dir", agents, "--json"]));
    expect(JSON.stringify(listed)).toContain('"typo"');
    const { code, stderr } = run("typo");
    expect(code).toBe(2);
    expect(stderr).toContain('nothing reads its field "comand"; did you mean "command"?');
  });

  test("with a field beside the command that nothing reads runs, and says so", () => {
    writeText(
      agents,
      "extra/config.yaml",
      "extra: { command: [sh, -c, exit 0], enviroment: x, limit: { time: 1h } }",
    );
    const { stderr } = run("extra");
    expect(stderr).toContain('nothing reads its field "limit"; did you mean "limits"?');
    expect(stderr).toContain('nothing reads its field "enviroment"');
  });

  test("in a folder that does not exist is not silently looked for elsewhere", () => {
    const { code, stderr } = run("dummy", path.join(root, "nowhere"));
    expect(code).toBe(2);
    expect(stderr).toContain(`There is no folder ${path.join(root, "nowhere")}`);
  });
});
