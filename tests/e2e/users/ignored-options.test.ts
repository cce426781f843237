import path from "node:path";
import { describe, expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

const OTHER = "leaf-classification";
const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "my data"), [COMPETITION, OTHER]);
const empty = path.join(root, "empty folder");

describe("nothing that was asked for is silently left out", () => {
  test.each([[["-c", COMPETITION, "-c", OTHER]], [["-c", COMPETITION, OTHER]]])(
    "audit %j scans both",
    (names) => {
      const result = mlebench(["audit", ...names, "--data-dir", dataDir, "--json"]);
      const { reports } = json(result) as { reports: { competitionId: string; verdict: string }[] };
      expect(reports.map(({ competitionId }) => competitionId)).toEqual([COMPETITION, OTHER]);
      expect(result.code).toBe(reports.some(({ verdict }) => verdict === "findings") ? 1 : 0);
    },
  );

  test("audit goes on after one that cannot be scanned, and leaves with 1", () => {
    const result = mlebench(["audit", "-c", "starter-births", COMPETITION, "--data-dir", dataDir]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("NOT_PREPARED");
    expect(result.stdout).toContain(COMPETITION);
  });

  test("prepare --raw on data that are prepared says that it was not used", () => {
    const prepared = path.join(root, "prepared");
    expect(mlebench(["prepare", "-c", "starter-births", "--data-dir", prepared]).code).toBe(0);
    const again = ["prepare", "-c", "starter-births", "--data-dir", prepared, "--raw", root];
    const { code, stdout, stderr } = mlebench(again);
    expect(code).toBe(0);
    expect(stdout + stderr).toContain(`The data are prepared already, so ${root} was not used`);
  });

  test.each([
    ["view", "--export", "--help"],
    ["run", "--agent", "--name"],
    ["aggregate", "--runs-dir", "--json"],
  ])("%s %s takes no other option for its value (%s)", (command, option, other) => {
    const { code, stderr } = mlebench([command, option, other]);
    expect(code).toBe(2);
    expect(stderr).toContain(`needs a value, and ${other} is another option`);
  });

  const hint = `mlebench prepare -c ${COMPETITION} --data-dir '${empty}'`;
  const submission = writeText(root, "submission.csv", "id\n");
  test.each([
    ["grade-sample", submission, COMPETITION],
    ["validate", submission, COMPETITION],
    ["show", COMPETITION],
    ["audit", "-c", COMPETITION],
    [
      "run",
      "--agent",
      "dummy",
      "-c",
      COMPETITION,
      "--sandbox",
      "process",
      "--runs-dir",
      path.join(root, "runs"),
    ],
  ])("the next step of %s names the data folder that was meant, ready to be pasted", (...args) => {
    const { stdout, stderr } = mlebench([...args, "--data-dir", empty]);
    expect(stdout + stderr).toContain(hint);
  });
});

test("import says a reason once, however many competitions it holds for", () => {
  const checkout = path.join(root, "checkout");
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
  for (const id of [COMPETITION, OTHER, "aerial-cactus-identification"]) {
    writeText(checkout, `mlebench/competitions/${id}/leaderboard.csv`, pointer);
    writeText(checkout, `mlebench/competitions/${id}/description.md`, "a text");
  }
  const { stdout } = mlebench(["import", checkout, "--data-dir", path.join(root, "imported")]);
  expect(stdout.match(/git-lfs pointer/g)).toHaveLength(1);
  expect(stdout).toContain("3 times the leaderboard was not imported");
});

test("grade leaves with 1 when its only entry is missing or invalid, and with 3 when nothing could be graded", () => {
  const code = (entry: object, ...more: string[]) => {
    const list = writeText(root, "list.jsonl", JSON.stringify(entry));
    const place = ["--output-dir", path.join(root, "reports"), "--data-dir", dataDir];
    return mlebench(["grade", "--submission", list, ...place, ...more]).code;
  };
  expect(code({ competition_id: COMPETITION, submission_path: path.join(root, "no.csv") })).toBe(1);
  expect(code({ competition_id: COMPETITION, submission_path: submissionFile("id\n1\n") })).toBe(1);
  expect(code({ competition_id: "nonsense", submission_path: submissionFile("id\n1\n") })).toBe(3);
});

test("grade leaves with 1 when the list names a file that is not there, not when it says that a trial left none", () => {
  const sample = path.join(dataDir, COMPETITION, "prepared/public/sample_submission.csv");
  const grade = (submission_path: string | null) => {
    const list = [sample, submission_path].map((file) =>
      JSON.stringify({ competition_id: COMPETITION, submission_path: file }),
    );
    const file = writeText(root, "two.jsonl", list.join("\n"));
    return mlebench([
      "grade",
      "--submission",
      file,
      "--output-dir",
      path.join(root, "two"),
      "--data-dir",
      dataDir,
    ]);
  };
  expect(grade(path.join(root, "no.csv"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no file"),
  });
  expect(grade(null)).toMatchObject({ code: 0, stderr: "" });
});

function submissionFile(text: string): string {
  return writeText(root, "given.csv", text);
}
