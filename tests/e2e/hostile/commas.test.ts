import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { FULL } from "../../full.ts";
import { json, mlebench } from "../cli.ts";
import { goldenSubmission, layOutGoldenData, recordedCases } from "../golden-data.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared, shellAgent } from "../trials/setting.ts";

const MEGABYTES = FULL ? 60 : 8;
const LEAF = "leaf-classification";

test("a file of commas among others costs only its own grade", () => {
  const root = temporaryFolder();
  const dataDir = layOutGoldenData(path.join(root, "data"), [LEAF]);
  const commas = writeText(root, "commas.csv", ",".repeat(MEGABYTES * 2 ** 20));
  const good = recordedCases(LEAF).find(({ valid }) => valid)!;
  const lines = [commas, goldenSubmission(LEAF, good.file), commas].map((submission_path) =>
    JSON.stringify({ competition_id: LEAF, submission_path }),
  );
  const list = writeText(root, "list.jsonl", lines.join("\n"));
  const result = mlebench(
    ["grade", "--submission", list, "--output-dir", root, "--data-dir", dataDir, "--json"],
    {},
    120_000,
  );
  const { competition_reports: reports } = json(result) as {
    competition_reports: { score: number | null }[];
  };
  expect(reports.map(({ score }) => score)).toEqual([null, Number(good.score), null]);
});

test("posted to the harness, or left as the submission, it is an outcome and the next trial is untouched", () => {
  const root = temporaryFolder();
  const dataDir = layOutPrepared(path.join(root, "data"));
  const agentsDir = shellAgent(
    path.join(root, "agents"),
    `head -c ${MEGABYTES * 2 ** 20} /dev/zero | tr '\\0' , > /tmp/commas-$$.csv
sh "$(dirname "$0")/../validate_submission.sh" /tmp/commas-$$.csv > "$LOGS_DIR/answer" 2>&1 || true
mv /tmp/commas-$$.csv "$SUBMISSION_DIR/submission.csv"`,
    "commas",
  );
  const places = ["--data-dir", dataDir, "--runs-dir", path.join(root, "runs"), "--agents-dir", agentsDir];
  const args = ["-c", COMPETITION, "--sandbox", "process", "--seeds", "2", "--name", "commas"];
  const ran = mlebench(["run", "--agent", "commas", ...args, ...places], {}, 120_000);
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("2 of 2 trials finished")]);
  const graded = mlebench(["grade", path.join(root, "runs/commas"), "--json"], {}, 120_000);
  const { competition_reports: reports } = json(graded) as {
    competition_reports: { submission_exists: boolean; valid_submission: boolean }[];
  };
  expect(reports).toHaveLength(2);
  for (const report of reports)
    expect(report).toMatchObject({ submission_exists: true, valid_submission: false });
  for (const trial of fs.readdirSync(path.join(root, "runs/commas")).filter((name) => name.includes("_")))
    if (fs.existsSync(path.join(root, "runs/commas", trial, "logs/answer")))
      expect(fs.readFileSync(path.join(root, "runs/commas", trial, "logs/answer"), "utf8")).toContain(
        "columns",
      );
});
