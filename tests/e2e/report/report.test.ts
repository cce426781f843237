import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { collectResults } from "../../../src/analysis/results.ts";
import { readRecords } from "../../../src/analysis/trial-records.ts";
import { htmlReport } from "../../../src/reporters/html/page.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { plantGroup } from "./planted-group.ts";
import { HOSTILE, plantScenery } from "./scenery.ts";

const folder = temporaryFolder();
const groups = plantScenery(path.join(folder, "runs"), { seeds: 3 });

function written(format: string, ...args: string[]): string {
  const result = mlebench(["report", ...groups, "--format", format, ...args]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  return result.stdout;
}

const DEVIATIONS =
  "time limit 1 h instead of 24 h; memory 1 GiB instead of 440 GiB; GPU none instead of one 24 GB A10; not stated: processors";

describe("mlebench report", () => {
  test("JSON has the aggregate of every agent, every trial in short, and the failures", () => {
    const report = JSON.parse(written("json"));
    expect(report).toMatchObject({ schema: "mlebench/results", version: 1, missing: [] });
    expect(
      report.agents.map(({ name, seeds, trials }: { name: string; seeds: number; trials: unknown[] }) => [
        name,
        seeds,
        trials.length,
      ]),
    ).toEqual([
      ["tree-search", 3, 30],
      ["baseline", 3, 30],
      ["dummy", 3, 30],
    ]);
    expect(report.comparison).toMatchObject({ a: "tree-search", b: "baseline" });
    expect(report.failures.trials).toBe(90);
    expect(report.agents[2].deviations.join("; ")).toBe(DEVIATIONS);
  });

  test("the numbers are those of mlebench aggregate", () => {
    const report = JSON.parse(written("json"));
    const split = writeText(
      folder,
      "split.txt",
      report.competitions.map(({ id }: { id: string }) => id).join("\n"),
    );
    const file = fs.readdirSync(groups[0]).find((name) => name.includes("grading_report"))!;
    const aggregate = json(
      mlebench(["aggregate", "--grading-reports", path.join(groups[0], file), "--split", split, "--json"]),
    );
    expect(report.agents[0].aggregate.original).toEqual((aggregate as { original: unknown }).original);
  });

  test("--compare chooses the two agents, and refuses one that is not there", () => {
    expect(JSON.parse(written("json", "--compare", "baseline", "dummy")).comparison).toMatchObject({
      a: "baseline",
      b: "dummy",
    });
    expect(
      mlebench(["report", ...groups, "--compare", "baseline", "nobody", "--format", "json"]),
    ).toMatchObject({ code: 2 });
  });

  test("Markdown is one table after another, and hostile text stays text", () => {
    const text = written("markdown", "--title", HOSTILE);
    expect(text).toContain("| tree-search | 3 | **");
    expect(text).toContain("## Method");
    expect(text).toContain(`- baseline: ${DEVIATIONS}`);
    expect(text).toContain("Medals are against the Kaggle private leaderboards.");
    const outsideCode = text.replaceAll(/`[^`]*`/g, "");
    expect(outsideCode).not.toContain("<script");
    for (const table of text.split("\n\n").filter((block) => block.startsWith("|"))) {
      const widths = new Set(table.split("\n").map((line) => line.replaceAll("\\|", "").split("|").length));
      expect(widths.size).toBe(1);
    }
  });

  test("JUnit has a case for every trial, and failures carry their evidence", () => {
    const text = written("junit");
    expect(text.match(/<testcase /g)).toHaveLength(90);
    expect(text).toContain('<failure message="package or import error">');
    expect(text).not.toContain("<script");
    const total = [...text.matchAll(/ failures="(\d+)"/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(text.match(/<failure /g)).toHaveLength(total);
  });

  test("the GitHub summary is appended where GitHub wants it", () => {
    const file = writeText(folder, "summary.md", "before\n");
    const result = mlebench(["report", ...groups, "--format", "github"], { GITHUB_STEP_SUMMARY: file });
    expect(result).toMatchObject({ code: 0, stdout: "" });
    expect(fs.readFileSync(file, "utf8")).toMatch(/^before\n## [\s\S]*any medal %[\s\S]*### Deviations from/);
  });

  test("a trial that is missing or not graded counts as failed, is named, and the exit code says so", () => {
    const group = plantGroup(temporaryFolder(), "half", [
      {
        competitionId: "spaceship-titanic",
        seed: 0,
        grade: { gold_medal: true, score: 0.9, percentile: 100 },
      },
      { competitionId: "spaceship-titanic", seed: 1, grade: null },
      { competitionId: "leaf-classification", seed: 0 },
    ]);
    const result = mlebench(["report", group, "--format", "json"]);
    const report = json(result) as {
      missing: string[];
      agents: { aggregate: { published: { medal: number } } }[];
    };
    expect(result.code).toBe(1);
    expect(report.agents[0].aggregate.published.medal).toBe(25);
    expect(report.missing.join("\n")).toContain(
      "half: 2 of 4 trials are missing or not graded, and count as failed (leaf-classification, spaceship-titanic)",
    );
  });

  test("a bare grading report of the original makes a page, without what nobody recorded", () => {
    const run = {
      competition_id: "spaceship-titanic",
      score: Number.NaN,
      gold_medal: false,
      silver_medal: false,
      bronze_medal: false,
      above_median: false,
      submission_exists: true,
      valid_submission: true,
    };
    const text = JSON.stringify({ competition_reports: [run] }).replace('"score":null', '"score": NaN');
    const file = writeText(temporaryFolder(), "x_grading_report.json", text);
    const output = path.join(folder, "original.html");
    expect(mlebench(["report", `theirs=${file}`, "-o", output]).code).toBe(0);
    const page = fs.readFileSync(output, "utf8");
    expect(page).toContain("Nothing was measured");
    expect(page).toContain("theirs: 1 of the 3 seeds");
  });

  test("only a board that came from Kaggle is called so", async () => {
    const group = plantGroup(temporaryFolder(), "agent", [{ competitionId: "spaceship-titanic", seed: 0 }]);
    const read = readRecords([group]);
    if (!read.ok) throw new Error(read.message);
    const results = await collectResults(read.agents, read.notes, { title: "t", now: new Date(0) });
    expect(htmlReport(results)).toContain("2,288 Kaggle teams");
    const [facts] = results.competitions;
    const starter = { ...facts, leaderboard: { ...facts.leaderboard!, source: "starter field" } };
    const page = htmlReport({ ...results, competitions: [starter] });
    expect(page).toContain("starter field");
    expect(page).not.toContain("Kaggle");
  });

  test("many seeds are summed up instead of drawn one by one", async () => {
    const many = plantScenery(temporaryFolder(), {
      seeds: 40,
      competitions: ["spaceship-titanic", "leaf-classification"],
    });
    const output = path.join(folder, "many.html");
    expect(mlebench(["report", ...many, "-o", output]).code).toBe(0);
    const page = fs.readFileSync(output, "utf8");
    expect(page).toContain('class="bar"');
    expect(page.match(/class="dot /g)!.length).toBeLessThanOrEqual(2 * 3 * 40);
    expect(page.length).toBeLessThan(500_000);
  });
});
