import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { type SyntheticTrial, writeGroup, writeOriginalReport } from "./synthetic-group.ts";

const IDS = ["leaf-classification", "spooky-author-identification", "aerial-cactus-identification"];
const root = temporaryFolder();
const split = writeText(root, "split.txt", IDS.join("\n"));

/** Three seeds; the first competition always has gold, the second in seed 0, the third never. */
function trials(seed: number, better = false): SyntheticTrial[] {
  return IDS.map((competitionId, i) => {
    const medal = i === 0 ? "gold" : (i === 1 && seed === 0) || better ? "bronze" : null;
    return {
      competitionId,
      seed,
      medal,
      percentile: medal ? 95 : 30,
      points: [
        { elapsedSeconds: 1800, score: 0.3, medal: i < 2 ? "gold" : null, percentile: 97 },
        { elapsedSeconds: 5400, score: 0.4, medal, percentile: medal ? 95 : 30 },
      ],
      own: { value: seed, direction: i < 2 ? "minimize" : "maximize" },
    };
  });
}

const groups = [0, 1, 2].map((seed) => writeGroup(path.join(root, `a${seed}`), trials(seed), "ours"));
const better = [0, 1, 2].map((seed) => writeGroup(path.join(root, `b${seed}`), trials(seed, true), "theirs"));

describe("aggregate", () => {
  test("run groups give the published numbers, curves over time and the deviations from the canonical set-up", () => {
    const result = mlebench(["aggregate", "--runs", ...groups, "--split", split, "--json"]);
    expect(result.stderr).toBe("");
    expect(json(result)).toMatchObject({
      seeds: 3,
      competitions: 3,
      original: { metrics: { any_medal_percentage: { mean: expect.closeTo(400 / 9, 10) } } },
      missing: [],
      groups: {
        deviations: expect.arrayContaining(["processors 4 vCPU instead of 36 vCPU"]),
        curves: { without: 0, selection: { finalMedalRate: expect.closeTo(400 / 9, 10), medalsLost: 3 } },
      },
    });
  });

  test("best of k follows the agent's own validation, in the direction of each competition's metric", () => {
    const { groups: insights } = json(
      mlebench(["aggregate", "--runs", ...groups, "--split", split, "--json"]),
    ) as { groups: { bestOfK: { k: number; chosen: number; possible: number }[] } };
    expect(insights.bestOfK.map(({ k }) => k)).toEqual([1, 2, 3]);
    // The first competition has a medal whatever is chosen; in the second, seed 0 has it and the smallest loss.
    expect(insights.bestOfK[2].possible).toBeCloseTo(insights.bestOfK[2].chosen, 12);
  });

  test("--num-seeds holds for best of k and curves as well", () => {
    const { groups: insights } = json(
      mlebench(["aggregate", "--runs", ...groups, "--split", split, "--num-seeds", "2", "--json"]),
    ) as { groups: { bestOfK: { k: number }[]; curves: { trials: unknown[] } } };
    expect(insights.bestOfK.map(({ k }) => k)).toEqual([1, 2]);
    expect(insights.curves.trials).toHaveLength(2 * IDS.length);
  });

  test("intervals of rates end at 0 and 100", () => {
    const { rates } = json(mlebench(["aggregate", "--runs", ...groups, "--split", split, "--json"])) as {
      rates: Record<string, Record<"overSeeds" | "overBoth", { low: number; high: number } | null>>;
    };
    for (const { overSeeds, overBoth } of Object.values(rates))
      for (const interval of [overSeeds, overBoth]) {
        if (interval === null) continue;
        expect(interval.low).toBeGreaterThanOrEqual(0);
        expect(interval.high).toBeLessThanOrEqual(100);
        expect(interval.high).toBeGreaterThan(interval.low);
      }
    expect(rates.bronze_medal_percentage.overSeeds!.low).toBe(0);
    // Gold never varied between seeds: nothing is known of its spread over seeds, and something over competitions.
    expect(rates.gold_medal_percentage.overSeeds).toBeNull();
    expect(rates.gold_medal_percentage.overBoth).not.toBeNull();
  });

  test("competitions are shown one by one, many of them only when asked for", () => {
    const few = mlebench(["aggregate", "--runs", ...groups, "--split", split]).stdout;
    expect(few).toMatch(/^leaf-classification +3 +3 +3 +0 +0 +3 +95\.0$/m);
    expect(few).toContain("as agents publish them: valid 100.00 %, medal 44.44 %, gold 33.33 %");
    const many = ["aggregate", "--runs", ...groups, "--split", "split75", "--pad-missing"];
    expect(mlebench(many).stdout).toContain("75 competitions one by one: --by-competition");
    expect(mlebench([...many, "--by-competition"]).stdout).toMatch(/^leaf-classification +3 +3/m);
  });

  test("reports of another split are refused with what they are of", () => {
    const { code, stderr } = mlebench(["aggregate", "--runs", ...groups, "--split", "starter"]);
    expect(code).toBe(2);
    expect(stderr).toContain("they are of aerial-cactus-identification");
  });

  test("the text says the same to people", () => {
    const { code, stdout } = mlebench(["aggregate", "--runs", ...groups, "--split", split]);
    expect(code).toBe(0);
    for (const part of [
      "3 competitions × 3 seeds",
      "44.44 ± 11.11",
      "selection error",
      "best of k",
      "deviations from",
    ])
      expect(stdout).toContain(part);
  });

  test("--original prints the original's JSON and nothing else", () => {
    const result = mlebench(["aggregate", "--runs", ...groups, "--split", split, "--original"]);
    expect(Object.keys(json(result) as object)).toEqual([
      "num_seeds_averaged",
      "num_competitions_per_seed",
      "metrics",
    ]);
    expect(result.stdout).toContain('"valid_submissions_percentage"');
    expect(result.stdout).toContain(
      '"total_competitions": {\n      "mean": 3.0,\n      "ci_lower": 3.0,\n      "ci_upper": 3.0,\n      "standard_error": 0.0\n',
    );
  });

  test("missing runs stand in the first line, with both readings; so do runs that are not used", () => {
    const first = (text: string) => text.split("\n").slice(0, 2);
    const padded = mlebench(["aggregate", "--runs", ...groups, "--split", "low", "--pad-missing"]).stdout;
    expect(first(padded)).toEqual([
      "low: 22 competitions × 3 seeds, 57 of 66 runs missing and counted as failed",
      "of the 9 runs that exist alone: valid 100.00 %, medal 44.44 %, gold 33.33 %",
    ]);
    const alone = writeGroup(path.join(root, "alone"), trials(3).slice(0, 1), "ours");
    const unused = mlebench(["aggregate", "--runs", ...groups, alone, "--split", split]).stdout;
    expect(first(unused)[0]).toContain("1 further runs not used");
  });

  test("one seed has no spread", () => {
    const { stdout } = mlebench(["aggregate", "--runs", groups[0], "--split", split]);
    expect(stdout).toContain("66.67");
    expect(stdout).not.toMatch(/\d ± \d/);
  });

  test("an experiment of the original's CSV names its groups", () => {
    const rows = ["experiment_id,run_group", "mine,a0", '"mine","a1"', "other,b0"];
    writeText(root, "run_group_experiments.csv", `${rows.join("\n")}\n`);
    const result = mlebench([
      ...["aggregate", "--experiment-id", "mine", "--runs-dir", root, "--split", split, "--json"],
    ]);
    expect(json(result)).toMatchObject({ seeds: 2, groups: { curves: { without: 0 } } });
    writeText(root, "run_group_experiments.csv", "experiment,group\nmine,a0\n");
    const unlike = mlebench(["aggregate", "--experiment-id", "mine", "--runs-dir", root, "--split", split]);
    expect([unlike.code, unlike.stderr]).toEqual([2, expect.stringContaining("experiment_id and run_group")]);
  });

  test("a group without a report is skipped aloud, and missing runs are padded only when asked for", () => {
    const bare = path.join(root, "bare");
    fs.mkdirSync(bare);
    const skipped = mlebench(["aggregate", "--runs", ...groups, bare, "--split", split, "--json"]);
    expect([skipped.code, skipped.stderr]).toEqual([1, expect.stringContaining("SKIPPED")]);
    const refused = mlebench(["aggregate", "--runs", ...groups, "--split", "low"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--pad-missing")]);
    const padded = mlebench(["aggregate", "--runs", ...groups, "--split", "low", "--pad-missing", "--json"]);
    expect(padded.code).toBe(0);
    expect((json(padded) as { missing: unknown[] }).missing).toHaveLength(19);
  });

  test.each([
    ["no source", [], "NO_REPORTS"],
    ["two sources", ["--runs", "a", "--grading-reports", "b"], "NO_REPORTS"],
    ["a group that is not there", ["--runs", "nowhere"], "NO_GROUP"],
    ["a report that is none", ["--grading-reports", split], "NO_REPORTS"],
    ["an unknown split", ["--runs", groups[0], "--split", "nothing"], "UNKNOWN_SPLIT"],
    ["an unknown experiment", ["--experiment-id", "nobody", "--runs-dir", root], "NO_REPORTS"],
    ["too many seeds", ["--runs", groups[0], "--split", split, "--num-seeds", "9"], "INCOMPLETE"],
  ])("%s is refused", (_, args, code) => {
    const result = mlebench(["aggregate", ...args]);
    expect([result.code, result.stdout, result.stderr]).toEqual([2, "", expect.stringContaining(code)]);
  });
});

describe("compare", () => {
  test("pairs two agents over the same competitions and seeds", () => {
    const result = mlebench(["compare", groups.join(","), better.join(","), "--json"]);
    expect(json(result)).toMatchObject({
      seeds: 3,
      competitions: 3,
      medalRate: { mean: expect.closeTo(-500 / 9, 10) },
      percentile: { mean: expect.closeTo((-5 * 65) / 9, 10) },
      wins: 0,
      ties: 1,
      losses: 2,
    });
  });

  test("calls the two by their agents' names, unless told otherwise", () => {
    const args = ["compare", groups.join(","), better.join(",")];
    expect(mlebench(args).stdout).toMatch(/^ours \(A\) against theirs \(B\): /);
    expect(mlebench([...args, "--names", "x", "y"]).stdout).toMatch(/^x \(A\) against y \(B\): /);
  });

  test("an agent against itself is all ties, and within noise", () => {
    expect(json(mlebench(["compare", groups.join(","), groups.join(","), "--json"]))).toMatchObject({
      medalRate: { mean: 0, pValue: 1, withinNoise: true },
      ties: 3,
      seedsNeeded: null,
    });
  });

  test("missing runs stand in the first line, are in no test, and both readings are shown", () => {
    const part = writeGroup(path.join(root, "part"), trials(1, true).slice(0, 1), "theirs");
    const args = ["compare", groups.slice(0, 2).join(","), `${better[0]},${part}`];
    const { code, stdout } = mlebench(args);
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toContain("missing 0 of A's 6 runs and 2 of B's, so 4 pairs are compared");
    expect(stdout).toContain("If every missing run counted as failed, A − B would be: medal rate -16.67");
    expect(stdout).toContain("flipping whole competitions: over competitions like these");
    // All three the same way is one of four equally likely outcomes; the mid-p beside it is half of that.
    expect(stdout).toContain(
      "with 3 of them, chance alone puts one agent ahead in all of them in 25 % of cases",
    );
    expect(json(mlebench([...args, "--json"]))).toMatchObject({
      ...{ missing: { a: 0, b: 2, planned: 6 }, pairs: 4, seeds: 2 },
      medalRate: { mean: -25, pairs: 4, tests: 2, verdict: "too few competitions to tell" },
    });
  });

  test("a competition that one side never ran is refused, unless asked to compare without it", () => {
    const part = writeGroup(path.join(root, "one"), trials(0).slice(0, 1), "theirs");
    const args = ["compare", groups[0], part, "--split", split];
    expect(mlebench(args).stderr).toContain("2 of 3 competitions have no report");
    expect(json(mlebench([...args, "--pad-missing", "--json"]))).toMatchObject({
      pairs: 1,
      missing: { b: 2 },
    });
  });

  test("the original's reports, which have no percentiles, get them from the human leaderboards", () => {
    const report = (name: string, score: number) =>
      writeOriginalReport(path.join(root, `${name}_grading_report.json`), [
        { competitionId: "spooky-author-identification", seed: 0, medal: null, score },
      ]);
    const result = mlebench(["compare", report("good", 0.2), report("bad", 1.2), "--json"]);
    const { percentile } = json(result) as { percentile: { mean: number } };
    expect(percentile.mean).toBeGreaterThan(50);
  });

  test.each([
    ["a group that is not there", ["nowhere", "nowhere"], "NO_GROUP"],
    ["nothing in common", [groups[0], path.join(root, "good_grading_report.json")], "NOT_COMPARED"],
  ])("%s is refused", (_, args, code) => {
    writeOriginalReport(path.join(root, "good_grading_report.json"), [
      { competitionId: "mlsp-2013-birds", seed: 0, medal: null },
    ]);
    const result = mlebench(["compare", ...args]);
    expect([result.code, result.stderr]).toEqual([2, expect.stringContaining(code)]);
  });
});
