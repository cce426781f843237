import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { writeGroup } from "../analysis/synthetic-group.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const [LEAF, TAXI, DEPENDENCIES] = ["leaf-classification", "lmsys-chatbot-arena", "starter-dependencies"];

test("one command runs every check, splits medals at the cut-off and writes one page", () => {
  const root = temporaryFolder();
  const group = writeGroup(
    path.join(root, "runs/g"),
    [LEAF, TAXI, DEPENDENCIES].map((competitionId) => ({ competitionId, seed: 0, medal: "gold" as const })),
  );
  const honest =
    "import pandas as pd\npd.read_csv('/home/data/train.csv').to_csv('/home/submission/submission.csv')\n";
  writeText(group, `${LEAF}_0-0/code/main.py`, honest);
  writeText(
    group,
    `${DEPENDENCIES}_0-2/code/main.py`,
    `${honest}import subprocess\nout = subprocess.run(["apt-cache", "depends", name])\n`,
  );
  const places = ["--runs-dir", path.join(root, "runs"), "--data-dir", path.join(root, "data")];
  const ran = mlebench(["integrity", "g", "--cutoff", "2020-01-01", "--json", ...places]);
  expect(ran.code, ran.stderr).toBe(1);
  const result = json(ran) as {
    page: string;
    checks: { check: string }[];
    findings: { trial: string; kind: string }[];
  };
  expect(result).toMatchObject({
    medals: {
      cutoff: "2020-01-01",
      before: { trials: 1, medals: 1 },
      after: { trials: 1, medals: 1 },
      unknown: { trials: 1, medals: 1 },
    },
  });
  expect(result.checks.map(({ check }) => check).sort()).toEqual([
    "contamination",
    "plagiarism",
    "provenance",
    "rules",
  ]);
  expect(result.findings.map(({ trial, kind }) => `${trial} ${kind}`).sort()).toEqual([
    `${LEAF}_0-0 released-before-cutoff`,
    `${DEPENDENCIES}_0-2 public-answers`,
  ]);
  const page = fs.readFileSync(result.page, "utf8");
  expect(page).toContain("apt-cache");
  expect(page).toContain("1 medal in 1 trial (100.0 %)");
  // A report of the group says it beside the medals.
  const markdown = path.join(root, "page.md");
  mlebench(["report", "g", "-o", markdown, "--format", "markdown", ...places.slice(0, 2)]);
  expect(fs.readFileSync(markdown, "utf8")).toMatch(/serious: public-answers/);
  expect(mlebench(["integrity", "g", "--cutoff", "soon", ...places]).code).toBe(2);
});
