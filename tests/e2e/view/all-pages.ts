import fs from "node:fs";
import path from "node:path";
import { writeSyntheticJournal } from "../../fixtures/journals/synthetic-journal.ts";
import { HOSTILE, plantScenery } from "../report/scenery.ts";
import { writeText } from "../temporary-folder.ts";

const FIXTURES = path.resolve("tests/fixtures/groups");
const TREE = "2026-01-31T12-00-00-UTC_run-group_tree-search";
const FOREIGN = "2024-10-01T10-00-00-GMT_run-group_aide";

/** Groups of every kind: of this version and of earlier ones, killed, with models and a search, foreign, damaged. */
export function plantEveryKind(runs: string): void {
  for (const name of [
    "0.1/baseline-signed",
    "0.1/killed-unsigned",
    "2026-11/tree-signed",
    "2026-11/slurm-unsigned",
  ])
    fs.cpSync(path.join(FIXTURES, name), path.join(runs, path.basename(name)), { recursive: true });
  plantScenery(runs, { agents: ["tree-search", HOSTILE], seeds: 2 });
  writeSyntheticJournal(path.join(runs, TREE, trialIn(runs, TREE), "logs/journal.jsonl"), 60);
  plantForeign(path.join(runs, FOREIGN));
  writeText(runs, "damaged/group.json", "{");
}

function trialIn(runs: string, group: string): string {
  const names = fs.readdirSync(path.join(runs, group));
  const isTrial = (name: string) => fs.existsSync(path.join(runs, group, name, "trial.json"));
  return names.find(isTrial) ?? names.find((name) => /_[0-9a-f-]{36}$/.test(name)) ?? "none";
}

/** As the original leaves it: a list of runs and a grading report, and no record of any trial. */
function plantForeign(folder: string): void {
  const ids = ["leaf-classification", "spaceship-titanic", "spooky-author-identification"].map(
    (id, i) => `${id}_00000000-0000-0000-0000-00000000000${i}`,
  );
  const run_group = path.basename(folder);
  const runs = Object.fromEntries(ids.map((id, i) => [id, { success: i < 2 }]));
  writeText(
    folder,
    "metadata.json",
    JSON.stringify({ run_group, created_at: "2024-10-01T10-00-00-GMT", runs }),
  );
  const competition_reports = ids.map((id, i) => ({
    ...{ competition_id: id.replace(/_.*/, ""), score: i < 2 ? 0.3 : null, is_lower_better: true },
    ...{ gold_threshold: 0, silver_threshold: 0.008, bronze_threshold: 0.015, median_threshold: 0.11 },
    ...{ any_medal: false, gold_medal: false, silver_medal: false, bronze_medal: false, above_median: false },
    ...{ submission_exists: i < 2, valid_submission: i < 2, created_at: "2024-10-02T10:00:00" },
    submission_path: `runs/${run_group}/${id}/submission/submission.csv`,
  }));
  writeText(folder, "2024-10-02T10-00-00-GMT_grading_report.json", JSON.stringify({ competition_reports }));
  for (const id of ids) {
    writeText(folder, `${id}/run.log`, "[Container] an agent of 2024\n");
    writeText(folder, `${id}/code/solution.py`, "import pandas as pd\n");
  }
}

/** The address of every page, and of every part of one, on the groups above. */
export function everyPage(runs: string): Record<string, string> {
  const trial = (group: string, tab = "") =>
    `#/trial/${group}/${trialIn(runs, group)}${tab && `?tab=${tab}`}`;
  const parts = (name: string, tabs: readonly string[], address: (tab: string) => string) =>
    Object.fromEntries(tabs.map((tab) => [`${name}, ${tab}`, address(tab)]));
  return {
    runs: "#/runs",
    "a killed group": "#/group/killed-unsigned",
    "a trial of a killed group": trial("killed-unsigned"),
    "a foreign group": `#/group/${FOREIGN}`,
    "a trial of a foreign group": trial(FOREIGN),
    "a damaged group": "#/group/damaged",
    "a group of many seeds": `#/group/${TREE}`,
    "results of many seeds": `#/group/${TREE}?tab=results`,
    "a search of many steps": trial(TREE, "tree"),
    ...parts(
      "a group with models",
      ["calls", "agent", "integrity", "compare"],
      (tab) => `#/group/tree-signed?tab=${tab}`,
    ),
    ...parts(
      "a trial with models",
      ["log", "calls", "tree", "submissions", "events", "files", "certificate", "integrity", "record"],
      (tab) => trial("tree-signed", tab),
    ),
    "findings and a decision": "#/group/slurm-unsigned?tab=integrity",
    competition: "#/competition/leaf-classification",
    compare: `#/compare?groups=${encodeURIComponent(`baseline-signed|${TREE}`)}`,
    standings: "#/standings",
    "no such page": "#/nothing",
  };
}
