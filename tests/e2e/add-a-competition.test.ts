import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { json, mlebench } from "./cli.ts";
import { temporaryFolder, writeText } from "./temporary-folder.ts";

const ID = "my-competition";
// Far from the package, without a node_modules anywhere above it.
const mine = temporaryFolder();
const dataDir = path.join(mine, "data");
const folder = path.join(mine, "competitions");
const options = ["--data-dir", dataDir, "--competitions", folder];
const submission = (rows: string) => writeText(mine, "submission.csv", `id,label\n${rows}`);

beforeAll(() => {
  fs.cpSync("docs/examples", folder, { recursive: true });
  writeText(dataDir, `${ID}/prepared/private/test.csv`, "id,label\n101,0\n102,1\n103,1\n104,0\n");
});

describe("a competition added by copying one folder", () => {
  test("is graded, with its own leaderboard", () => {
    const file = submission("101,0.1\n102,0.9\n103,0.8\n104,0.3\n");
    const result = mlebench(["grade-sample", file, ID, ...options, "--json"]);
    expect(result.stderr).toBe("");
    expect(json(result)).toMatchObject({
      competition_id: ID,
      score: 1,
      gold_medal: true,
      leaderboard: "a class of 40 students",
      teams: 40,
    });
    expect(mlebench(["grade-sample", file, ID, ...options]).stdout).toContain("a class of 40 students");
  });

  test("is graded among others in a list, in a worker too", () => {
    const file = submission("101,0.1\n102,0.9\n103,0.8\n104,0.3\n");
    const line = JSON.stringify({ competition_id: ID, submission_path: file });
    const list = writeText(mine, "list.jsonl", `${line}\n${line}\n`);
    const args = ["grade", "--submission", list, "--output-dir", path.join(mine, "reports"), "--json"];
    for (const workers of ["1", "2"]) {
      const report = json(mlebench([...args, ...options, "--workers", workers]));
      expect(report).toMatchObject({ total_valid_submissions: 2, total_gold_medals: 2 });
    }
  });

  test("has its submissions validated", () => {
    const result = mlebench(["validate", submission("101,0.1\n102,7\n103,0.8\n"), ID, ...options, "--json"]);
    expect(result.code).toBe(1);
    const { reasons } = json(result) as { reasons: { code: string }[] };
    expect(reasons.map(({ code }) => code)).toEqual(expect.arrayContaining(["WRONG_IDS", "OUT_OF_RANGE"]));
  });

  test("is listed and shown, also when the environment names its folder", () => {
    const listed = json(mlebench(["list", ...options, "--json"])) as { id: string; prepared: boolean }[];
    const ours = json(mlebench(["list", "--data-dir", dataDir, "--json"])) as unknown[];
    expect(listed).toHaveLength(ours.length + 1);
    expect(listed.find(({ id }) => id === ID)).toMatchObject({ prepared: true });
    const shown = mlebench(["show", ID, "--data-dir", dataDir], { MLEBENCH_COMPETITIONS_DIR: folder });
    expect(shown.stdout).toContain("My Competition (my-competition)");
    expect(shown.stdout).toContain("40 teams (a class of 40 students)");
    expect(mlebench(["show", ID, ...options, "--description"]).stdout).toContain("# My Competition");
  });

  test("is unknown without its folder, and cannot replace one of ours", () => {
    expect(mlebench(["show", ID]).code).toBe(2);
    const impostor = path.join(mine, "impostors");
    fs.cpSync(path.join(folder, ID), path.join(impostor, "leaf-classification"), { recursive: true });
    const { stdout } = mlebench(["show", "leaf-classification", "--competitions", impostor]);
    expect(stdout).toContain("Leaf Classification");
  });
});

test("the page works as it is printed, from the first line to the last", () => {
  const blocks = fs
    .readFileSync("docs/add-a-competition.md", "utf8")
    .split(/^```/m)
    .filter((part, i) => i % 2 === 1 && part.startsWith("\n") && !part.startsWith("\n<data>"));
  expect(blocks).toHaveLength(3);
  const folder = temporaryFolder();
  fs.symlinkSync(path.resolve("docs"), path.join(folder, "docs"));
  const main = `"${process.execPath}" "${path.resolve("dist/cli/main.js")}"`;
  const script = blocks.join("").replace("--agent sample", "--agent sample --sandbox process");
  const { status, stdout, stderr } = spawnSync("bash", ["-ec", `mlebench() { ${main} "$@"; }\n${script}`], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder },
  });
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("Submission is valid.");
  expect(stdout).toMatch(/my-competition\s+0\.5/);
}, 60_000);

describe("a broken folder of one's own", () => {
  const broken = path.join(mine, "broken");
  const show = (id: string) => mlebench(["show", id, "--competitions", broken]);
  beforeAll(() => {
    writeText(broken, "no-export/competition.mjs", "export const other = 1;\n");
    writeText(broken, "other-name/competition.mjs", 'export const competition = { id: "x" };\n');
    writeText(broken, "syntax-error/competition.mjs", "export const = ;\n");
  });

  test.each([
    ["no-export", 'does not export "competition"'],
    ["other-name", "calls itself x"],
    ["syntax-error", "cannot be loaded"],
  ])("gets a sentence: %s", (id, sentence) => {
    const { code, stderr } = show(id);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("gets a sentence when it is listed or does not exist", () => {
    const listed = mlebench(["list", "--competitions", broken]);
    expect(listed.code).toBe(1);
    expect(listed.stdout).toContain("spooky-author-identification");
    for (const id of ["no-export", "other-name", "syntax-error"]) expect(listed.stderr).toContain(id);
    const missing = mlebench(["list", "--competitions", path.join(mine, "nowhere")]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(/BAD_COMPETITION .*nowhere/);
  });

  test("does not stop the grading of other competitions", () => {
    const file = submission("101,0.1\n");
    const lines = ["no-export", "syntax-error"].map((id) =>
      JSON.stringify({ competition_id: id, submission_path: file }),
    );
    const list = writeText(mine, "broken.jsonl", lines.join("\n"));
    const args = [
      "grade",
      "--submission",
      list,
      "--output-dir",
      path.join(mine, "r"),
      "--competitions",
      broken,
    ];
    const report = json(mlebench([...args, "--json"])) as { competition_reports: { status: string }[] };
    expect(report.competition_reports.map(({ status }) => status)).toEqual(["failed", "failed"]);
  });
});

describe("the page that explains it", () => {
  const page = fs.readFileSync("docs/add-a-competition.md", "utf8");

  test("shows the example as it is", () => {
    const example = fs.readFileSync(`docs/examples/${ID}/competition.mjs`, "utf8");
    expect(page).toContain(`\`\`\`js\n${example}\`\`\``);
  });

  test("shows a grader of one's own that works", () => {
    const [, , grader] = page.split("```js\n").map((part) => part.split("```")[0]);
    const id = "mean-error";
    writeText(
      folder,
      `${id}/competition.mjs`,
      `${grader}
import { competition as example } from "../${ID}/competition.mjs";
export const competition = defineCompetition({ ...example, id: "${id}", grade: meanError });`,
    );
    writeText(dataDir, `${id}/prepared/private/test.csv`, "id,value\na,1\nb,2\nc,4\n");
    const grade = (rows: string) => {
      const file = writeText(mine, "values.csv", `id,value\n${rows}`);
      return json(mlebench(["grade-sample", file, id, ...options, "--json"]));
    };
    expect(grade("c,3\nb,2\na,1.5\n")).toMatchObject({ score: 0.5, status: "scored", leaderboard: null });
    expect(grade("a,1\nb,x\n")).toMatchObject({ status: "invalid", score: null });
  });
});
