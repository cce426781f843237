import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { writeFindings } from "../../../src/integrity/findings/write.ts";
import { type SyntheticTrial, writeGroup } from "../analysis/synthetic-group.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const IDS = ["leaf-classification", "spooky-author-identification"];
const trials: SyntheticTrial[] = IDS.map((competitionId) => ({ competitionId, seed: 0, medal: "gold" }));

function scene() {
  const root = temporaryFolder();
  const group = writeGroup(path.join(root, "runs/g"), trials);
  writeFindings(group, [
    {
      check: "rules",
      trials: 2,
      notes: [],
      findings: [
        {
          trial: `${IDS[0]}_0-0`,
          check: "rules",
          kind: "typed-predictions",
          severity: "serious",
          sentence: "Predictions stand in the code.",
          evidence: [{ file: "code/a.py", line: 2, quotation: "preds = [1, 0, \u001b[2J1]" }],
          explained: null,
        },
      ],
    },
  ]);
  const ids = writeText(root, "ids.txt", IDS.join("\n"));
  return { root, group, ids, runs: ["--runs-dir", path.join(root, "runs")] };
}

test("a disqualified trial has no medal any more, and every table says how many there are", () => {
  const { group, ids, runs, root } = scene();
  const aggregate = () => json(mlebench(["aggregate", "--runs", "g", "--split", ids, "--json", ...runs]));
  expect(aggregate()).toMatchObject({ disqualified: 0, published: { medal: 100 } });
  const decided = mlebench([
    ...["integrity", "decide", IDS[0], "--disqualify", "--why", "typed", "--by", "Ada"],
    ...[...runs, "--json"],
  ]);
  expect(decided.code, decided.stderr).toBe(0);
  expect(json(decided)).toMatchObject({ trial: `${IDS[0]}_0-0`, decision: "disqualify", by: "Ada" });
  expect(aggregate()).toMatchObject({ disqualified: 1, published: { medal: 50, valid: 50 } });
  const text = mlebench(["aggregate", "--runs", "g", "--split", ids, ...runs]).stdout;
  expect(text).toContain("1 disqualified");
  const page = path.join(root, "page.html");
  expect(mlebench(["report", "g", "-o", page, ...runs]).code).toBe(0);
  expect(fs.readFileSync(page, "utf8")).toContain("DISQUALIFIED by Ada: typed");
  const markdown = path.join(root, "page.md");
  mlebench(["report", "g", "-o", markdown, "--format", "markdown", ...runs]);
  expect(fs.readFileSync(markdown, "utf8")).toMatch(/1 of 2 trials DISQUALIFIED/);

  mlebench(["integrity", "decide", IDS[0], "--keep", "--why", "was fine", ...runs]);
  expect(aggregate()).toMatchObject({ disqualified: 0, published: { medal: 100 } });
  expect(fs.readFileSync(path.join(group, "integrity/decisions.jsonl"), "utf8").split("\n")).toHaveLength(3);
});

test("a report that calls itself disqualified is not believed, nor is one that denies it", () => {
  const { ids, runs, group } = scene();
  const file = path.join(group, "2026-01-31T12-00-00-UTC_grading_report.json");
  const report = JSON.parse(fs.readFileSync(file, "utf8"));
  for (const one of report.competition_reports) one.disqualified = true;
  fs.writeFileSync(file, JSON.stringify(report));
  const aggregate = () => json(mlebench(["aggregate", "--runs", "g", "--split", ids, "--json", ...runs]));
  expect(aggregate()).toMatchObject({ disqualified: 0 });
});

test("what was found is shown with its evidence, as plain text, and leaves with 1", () => {
  const { runs } = scene();
  const { code, stdout } = mlebench(["integrity", "show", "g", ...runs]);
  expect(code).toBe(1);
  expect(stdout).toContain("code/a.py:2  preds = [1, 0, \\u001b[2J1]");
  expect(stdout).toContain("1 finding, 1 open; 0 trials disqualified");
});

test("a decision needs a choice and a reason", () => {
  const { runs } = scene();
  expect(mlebench(["integrity", "decide", IDS[0], "--why", "x", ...runs]).code).toBe(2);
  expect(mlebench(["integrity", "decide", IDS[0], "--disqualify", ...runs]).stderr).toContain("NO_REASON");
});
