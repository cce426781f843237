// full: a dozen commands over groups of the original
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readFindings } from "../../../src/integrity/findings/read.ts";
import { writeGroup } from "../analysis/synthetic-group.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const ID = "spooky-author-identification";
const RUN = `${ID}_4d2c3f51-7a44-4c35-9f0e-6b3b5d9f7a10`;
const GROUP = "2024-10-01T10-00-00-GMT_run-group_aide";

/** A group as the original leaves it: a list of runs, a grading report, and no plan. */
function foreignScene() {
  const runs = path.join(temporaryFolder(), "runs");
  const group = path.join(runs, GROUP);
  writeText(
    group,
    "metadata.json",
    JSON.stringify({ run_group: GROUP, created_at: "x", runs: { [RUN]: { success: true } } }),
  );
  const report = {
    ...{
      competition_id: ID,
      score: 0.2,
      gold_threshold: 0.16,
      silver_threshold: 0.27,
      bronze_threshold: 0.29,
    },
    ...{
      median_threshold: 0.42,
      any_medal: true,
      gold_medal: false,
      silver_medal: true,
      bronze_medal: false,
    },
    ...{ above_median: true, submission_exists: true, valid_submission: true, is_lower_better: true },
    ...{
      created_at: "2024-10-02T10:00:00",
      submission_path: `runs/${GROUP}/${RUN}/submission/submission.csv`,
    },
  };
  writeText(
    group,
    "2024-10-02T10-00-00-GMT_grading_report.json",
    JSON.stringify({ competition_reports: [report] }),
  );
  const code = 'import os\nos.system("wget https://example.org/answers.csv")\n';
  writeText(group, `${RUN}/code/solution.py`, code);
  return { runs, group, options: ["--runs-dir", runs] };
}

test("groups of the original are checked and decided on as ours are, by name and by path", () => {
  const { runs, group, options } = foreignScene();
  for (const [name, ...places] of [["run-group_aide", ...options], [group]]) {
    for (const command of ["rules", "integrity"]) {
      const ran = mlebench([command, name, ...places, "--json"]);
      expect(ran.code, `${command} ${name}: ${ran.stderr}`).toBe(1);
    }
    expect(mlebench(["plagiarism", name, ...places]).code).toBe(0);
    expect(mlebench(["integrity", "show", name, ...places]).code).toBe(1);
  }
  expect(readFindings(group).findings).toMatchObject([{ trial: RUN, kind: "network-attempt" }]);
  const decided = mlebench([
    "integrity",
    "decide",
    ID,
    "--disqualify",
    "--why",
    "it fetched answers",
    ...options,
  ]);
  expect(decided.code, decided.stderr).toBe(0);
  const ids = writeText(runs, "../ids.txt", ID);
  const aggregated = mlebench(["aggregate", "--runs", GROUP, "--split", ids, "--json", ...options]);
  expect(json(aggregated)).toMatchObject({ disqualified: 1, published: { medal: 0 } });
  // A report that does not say whose run it is cannot be corrected by itself: that is said.
  const file = path.join(group, "2024-10-02T10-00-00-GMT_grading_report.json");
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(RUN, "elsewhere"));
  const doubtful = mlebench(["aggregate", "--runs", GROUP, "--split", ids, ...options]);
  expect(doubtful.code).toBe(1);
  expect(doubtful.stderr).toContain(`does not say which run is ${RUN}`);
  const kept = ["integrity", "decide", path.join(group, RUN), "--keep", "--why", "it fetched nothing"];
  expect(mlebench(kept).code).toBe(0);
  // What needs a plan still says that there is none.
  expect(mlebench(["resume", GROUP, ...options]).code).toBe(2);
});

test("a group whose plan is damaged is refused by what is wrong with it", () => {
  const runs = temporaryFolder();
  writeText(runs, "g/group.json", "{");
  for (const command of ["rules", "plagiarism", "integrity"]) {
    const { code, stderr } = mlebench([command, "g", "--runs-dir", runs]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/DAMAGED_GROUP .*it is not JSON/);
  }
});

test("a folder that was named and is not there clears nobody", () => {
  const runs = temporaryFolder();
  const group = writeGroup(path.join(runs, "g"), [{ competitionId: ID, seed: 0, medal: "gold" }]);
  writeText(group, `${ID}_0-0/code/a.py`, "print(1)\n");
  for (const command of ["plagiarism", "integrity"])
    for (const option of ["--kernels", "--solutions"]) {
      const { code, stderr } = mlebench([
        command,
        "g",
        "--runs-dir",
        runs,
        option,
        path.join(runs, "nowhere"),
      ]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/NO_FOLDER .*nowhere is not a folder/);
    }
  expect(fs.existsSync(path.join(group, "integrity"))).toBe(false);
  const asked = ["familiarity", "--model", "echo", "--check", "names", "-c", ID, "--documents", "nowhere"];
  expect(mlebench(asked).stderr).toContain("NO_FOLDER");
});

test("where nothing could be asked, familiarity says so and leaves with 3", () => {
  const root = temporaryFolder();
  const places = ["--data-dir", path.join(root, "data"), "--output-dir", path.join(root, "out")];
  const { code, stdout, stderr } = mlebench([
    "familiarity",
    "--model",
    "echo",
    "--check",
    "rows",
    "-c",
    ID,
    ...places,
  ]);
  expect(code).toBe(3);
  expect(stdout).toContain("no train.csv");
  expect(stderr).toMatch(/NOTHING_MEASURED .*mlebench prepare/s);
});
