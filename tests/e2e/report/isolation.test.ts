// full: runs agents in every kind of isolation, and every table over them
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { withVerdicts } from "../../../src/analysis/circumstances.ts";
import { demoRows } from "../../../src/analysis/demo-rows.ts";
import { collectResults } from "../../../src/analysis/results.ts";
import { readRecords } from "../../../src/analysis/trial-records.ts";
import { demoLines } from "../../../src/reporters/text/demo.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const FIXTURES = path.resolve("tests/fixtures/groups/0.1");
/** A medal won by a plain process, and trials that were isolated. */
const BARE = path.join(FIXTURES, "baseline-signed");
const ISOLATED = path.join(FIXTURES, "sample-signed");

test.each(["html", "markdown", "github", "junit", "json"])(
  "the %s report says in what a medal was won, and what verify says of it",
  (format) => {
    const output = path.join(temporaryFolder(), "report");
    const { stderr } = mlebench(["report", BARE, ISOLATED, "--format", format, "-o", output]);
    expect(stderr).not.toContain("    at ");
    const text = fs.readFileSync(output, "utf8");
    const plain = text.replaceAll("\\", "");
    for (const words of ["process, NOT isolated", "bubblewrap, isolated", "not restricted", "verified"])
      expect(plain, words).toContain(words);
    expect(plain).toMatch(/materials|external knowledge/);
  },
);

test("whoever ran without isolation is marked where agents stand side by side", () => {
  const markdown = mlebench(["report", BARE, ISOLATED, "--format", "markdown"]).stdout;
  expect(markdown).toMatch(/^\| baseline \\?\(NOT isolated\\?\) \|/m);
  expect(markdown).toMatch(/^\| sample \|/m);
  expect(markdown).toContain("could have read the answers");
  const page = path.join(temporaryFolder(), "report.html");
  mlebench(["report", BARE, ISOLATED, "-o", page]);
  const html = fs.readFileSync(page, "utf8");
  expect(html).toMatch(/<bdi>baseline<\/bdi> <small class="tag warns">NOT isolated<\/small>/);
  expect(html).not.toMatch(/<bdi>sample<\/bdi> <small class="tag/);
});

test("compare, aggregate and standings say it, too", () => {
  const split = writeText(temporaryFolder(), "ids.txt", "starter-batch-jobs\n");
  const compared = mlebench(["compare", BARE, ISOLATED, "--split", split, "--pad-missing"]).stdout;
  expect(compared).toContain("baseline (NOT isolated)");
  expect(compared).toContain(
    "sample: isolation: bubblewrap, isolated; network: none; materials: none; verification: verified",
  );
  const aggregated = mlebench(["aggregate", "--runs", BARE, "--split", split]).stdout;
  expect(aggregated).toContain("isolation: process, NOT isolated; network: not restricted");
  expect(aggregated).toContain("verification: verified");
  const alone = mlebench([
    ...["aggregate", "--split", split, "--grading-reports"],
    path.join(BARE, "2026-11-18T08-14-58-UTC_grading_report.json"),
  ]).stdout;
  expect(alone).toContain("isolation, network, materials and verification: not recorded");
  for (const format of ["text", "markdown", "csv", "html", "json"]) {
    const standings = mlebench(["standings", BARE, ISOLATED, "--no-published", "--format", format]).stdout;
    const plain = standings.replaceAll("\\", "");
    expect(plain, format).toContain("process, NOT isolated");
    expect(plain, format).toContain(format === "json" ? '"unisolated": true' : "baseline (NOT isolated)");
    expect(plain, format).toContain("bubblewrap, isolated");
  }
});

test("the demo's table says what its medals were won in", async () => {
  const read = readRecords([ISOLATED, BARE]);
  if (!read.ok) throw new Error(read.message);
  const results = await collectResults(await withVerdicts(read.agents), [], {
    title: "demo",
    now: new Date(0),
  });
  const lines = demoLines(results, demoRows(results), (_, text) => text);
  expect(lines.join("\n")).toContain("baseline: isolation: process, NOT isolated");
  expect(lines.join("\n")).toContain("baseline (NOT isolated): 1 medal");
});

test("a report without a look at the certificates says that nobody looked", () => {
  const markdown = mlebench(["report", BARE, "--format", "markdown", "--no-verify"]).stdout;
  expect(markdown).toContain("verification: not verified");
});

test("what is written for other programs says it, too", () => {
  const folder = temporaryFolder();
  const files: [string, string[]][] = [
    ["runs.jsonl", ["report", BARE, "--format", "jsonl", "-o", path.join(folder, "runs.jsonl")]],
    ["mlruns", ["report", BARE, "--format", "mlflow", "-o", path.join(folder, "mlruns")]],
    ["trajectories", ["export", "atif", BARE, path.join(folder, "trajectories")]],
  ];
  for (const [name, args] of files) {
    mlebench(args);
    expect(textBelow(path.join(folder, name)), name).toContain("process, NOT isolated");
  }
  const log = path.join(folder, "group.eval");
  mlebench(["export", "inspect", BARE, log]);
  const zip = spawnSync("unzip", ["-p", log], { encoding: "utf8" });
  if (zip.error === undefined) expect(zip.stdout).toContain("process, NOT isolated");
});

/** Of a file, or of all files of a folder. */
function textBelow(place: string): string {
  if (fs.statSync(place).isFile()) return fs.readFileSync(place, "utf8");
  return fs
    .readdirSync(place)
    .map((name) => textBelow(path.join(place, name)))
    .join("\n");
}
