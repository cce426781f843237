import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { writeFindings } from "../../../src/integrity/findings/write.ts";
import { writeGroup } from "../analysis/synthetic-group.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

// Opened in 2016, in 2024, and one that the catalogue has no date of.
const [OLD, NEW, UNDATED] = ["leaf-classification", "lmsys-chatbot-arena", "starter-spam"];

function scene() {
  const root = temporaryFolder();
  const group = writeGroup(path.join(root, "runs/g"), [
    { competitionId: OLD, seed: 0, medal: "gold" },
    { competitionId: NEW, seed: 0, medal: null },
    { competitionId: UNDATED, seed: 0, medal: "bronze" },
  ]);
  const ids = writeText(root, "ids.txt", [OLD, NEW, UNDATED].join("\n"));
  return { root, group, ids, runs: ["--runs-dir", path.join(root, "runs")] };
}

const finding = (trial: string) => ({
  trial,
  check: "rules",
  kind: "network-attempt",
  severity: "suspicious" as const,
  sentence: "It tries to reach other machines.",
  evidence: [{ file: "code/a.py", line: 2, quotation: "requests.get(…)" }],
  explained: null,
});

/** As a run writes it whose models file says where the model's training data end. */
function recordCutoff(group: string, trial: string, cutoff: string): void {
  const file = path.join(group, trial, "trial.json");
  const record = JSON.parse(fs.readFileSync(file, "utf8"));
  record.modelAccess = {
    roles: [
      { role: "default", name: "m", id: "m", languageModel: true, price: null, priceSource: null, cutoff },
    ],
    limits: { trial: {}, group: {} },
    providerTools: "refused",
    transcripts: "full",
    providerToolsRefused: {},
  };
  fs.writeFileSync(file, JSON.stringify(record));
}

test("medals are split by the end of the training data, and what was found stands beside every medal", () => {
  const { group, ids, runs } = scene();
  writeFindings(group, [{ check: "rules", trials: 3, notes: [], findings: [finding(`${OLD}_0-0`)] }]);
  const aggregate = (...more: string[]) =>
    mlebench(["aggregate", "--runs", "g", "--split", ids, ...runs, ...more]);
  expect(json(aggregate("--json"))).toMatchObject({ contamination: null, doubts: [] });
  const text = aggregate("--cutoff", "2020-01-01").stdout;
  expect(text).toContain(
    "training data until 2020-01-01; medals: 1 of 1 runs on competitions released before that, 0 of 1 runs on those released after, 1 of 1 runs on those of unknown date",
  );
  expect(text).toMatch(/leaf-classification .* 2016-07-30, before/);
  expect(text).toMatch(/lmsys-chatbot-arena .* 2024-02-05, after/);
  expect(text).toMatch(/starter-spam .* unknown/);
  expect(text).toMatch(/gold +leaf-classification_0-0 +2016-07-30 +plain +suspicious: network-attempt/);
  expect(text).toMatch(/bronze +starter-spam_0-2 +unknown +plain +nothing found \(rules\)/);
  expect(aggregate("--cutoff", "2020-02-30").code).toBe(2);

  for (const [i, id] of [OLD, NEW, UNDATED].entries()) recordCutoff(group, `${id}_0-${i}`, "2024-06-30");
  expect(json(aggregate("--json"))).toMatchObject({
    contamination: {
      cutoff: "2024-06-30",
      before: { trials: 2, medals: 1 },
      after: { trials: 0, medals: 0 },
    },
    byCompetition: [{ timing: "before" }, { timing: "before" }, { timing: "unknown" }],
  });
});

test("the report has the column, the split and the findings, as Markdown and as a page", () => {
  const { root, group, runs } = scene();
  writeFindings(group, [{ check: "rules", trials: 3, notes: [], findings: [finding(`${OLD}_0-0`)] }]);
  const page = path.join(root, "page.html");
  expect(mlebench(["report", "g", "-o", page, "--cutoff", "2020-01-01", ...runs]).code).toBe(0);
  const html = fs.readFileSync(page, "utf8");
  expect(html).toContain("training data until 2020-01-01");
  expect(html).toContain('<td class="released">2016-07-30, before</td>');
  expect(html).toContain("suspicious: network-attempt");
  const markdown = mlebench([
    "report",
    "g",
    "--format",
    "markdown",
    "--cutoff",
    "2020-01-01",
    ...runs,
  ]).stdout;
  expect(markdown).toMatch(/\| competition \| released \|/);
  expect(markdown).toMatch(/2024-02-05, after/);
  expect(markdown).toMatch(/## Medals\n\n.*\n.*\n\|.*gold.*leaf-classification.*suspicious: network-attempt/);
  // Without a day nothing is claimed.
  const without = mlebench(["report", "g", "--format", "markdown", ...runs]).stdout;
  expect(without).not.toContain("training data until");
  expect(without).not.toMatch(/\| competition \| released \|/);
});

test("aggregate and compare say that decisions are damaged, and leave with 1", () => {
  const { group, ids, runs } = scene();
  writeText(group, "integrity/decisions.jsonl", "{ nothing of ours\n");
  const aggregated = mlebench(["aggregate", "--runs", "g", "--split", ids, ...runs]);
  expect(aggregated.code).toBe(1);
  expect(aggregated.stderr).toMatch(/DOUBTFUL .*disqualified\. g: line 1 of its decisions is not a decision/);
  const compared = mlebench(["compare", "g", "g", ...runs, "--json"]);
  expect(compared.code).toBe(1);
  expect(compared.stderr).toContain("DOUBTFUL");
  expect(json(compared)).toMatchObject({ doubts: ["g: line 1 of its decisions is not a decision"] });
});
