import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { originalAggregate } from "../../../src/analysis/aggregate/original-aggregate.ts";
import { arrangeSeeds } from "../../../src/analysis/aggregate/seeds.ts";
import { compare, correctTogether } from "../../../src/analysis/compare/compare.ts";
import { planFor } from "../../../src/analysis/compare/planner.ts";
import { type GradedRun, readReports } from "../../../src/analysis/reports.ts";
import splits from "../../../src/competitions/splits.json" with { type: "json" };
import { PUBLISHED_ROWS, writePublishedRow } from "../../e2e/analysis/published-rows.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";
import scipy from "./scipy-figures.json" with { type: "json" };

function graded(competition: string, medal: "gold" | "silver" | "bronze" | null, percentile = 50): GradedRun {
  return {
    competition_id: competition,
    gold_medal: medal === "gold",
    silver_medal: medal === "silver",
    bronze_medal: medal === "bronze",
    above_median: medal !== null,
    submission_exists: true,
    valid_submission: true,
    percentile,
  };
}

const report = (...runs: GradedRun[]) => ({ file: "", runs });

describe("arranging seeds", () => {
  test("seed i is the i-th report of every competition, in reading order", () => {
    const outcome = arrangeSeeds(
      [report(graded("a", "gold"), graded("b", null)), report(graded("a", null), graded("b", "silver"))],
      {
        competitions: ["a", "b"],
        padMissing: false,
      },
    );
    if (!outcome.ok) throw new Error(outcome.message);
    expect(outcome.seeds.runs.map((seed) => seed.map((run) => run?.gold_medal))).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  test("a competition without any report is refused by name, and padded when asked for", () => {
    const reports = [report(graded("a", "gold")), report(graded("a", "gold"))];
    const refused = arrangeSeeds(reports, { competitions: ["a", "b"], padMissing: false });
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining("b") });
    const padded = arrangeSeeds(reports, { competitions: ["a", "b"], padMissing: true });
    if (!padded.ok) throw new Error(padded.message);
    expect(padded.seeds.missing).toEqual([{ competitionId: "b", seeds: 2 }]);
    expect(originalAggregate(padded.seeds).metrics.any_medal_percentage.mean).toBe(50);
  });

  test("more seeds than there are is refused", () => {
    const outcome = arrangeSeeds([report(graded("a", null))], {
      competitions: ["a"],
      numSeeds: 2,
      padMissing: false,
    });
    expect(outcome).toMatchObject({ ok: false });
  });
});

describe("the original's numbers", () => {
  test("mean and standard error follow the sample standard deviation over seeds", () => {
    const reports = ["gold", null, "bronze"].map((medal) =>
      report(graded("a", medal as "gold"), graded("b", null)),
    );
    const outcome = arrangeSeeds(reports, { competitions: ["a", "b"], padMissing: false });
    if (!outcome.ok) throw new Error(outcome.message);
    const { mean, standard_error, ci_upper } = originalAggregate(outcome.seeds).metrics.any_medal_percentage;
    expect(mean).toBeCloseTo(100 / 3, 12);
    expect(standard_error).toBeCloseTo(Math.sqrt(2500 / 3) / Math.sqrt(3), 12);
    expect(ci_upper).toBeCloseTo(100 / 3 + 1.96 * standard_error, 12);
  });

  test("every percentage and standard error is numpy's to the last bit, under the original's names", () => {
    for (const { total, counts, ...expected } of scipy.original) {
      const competitions = Array.from({ length: total }, (_, i) => `c${i}`);
      const reports = counts.map((count) =>
        report(...competitions.map((id, i) => graded(id, i < count ? "gold" : null))),
      );
      const outcome = arrangeSeeds(reports, { competitions, padMissing: false });
      if (!outcome.ok) throw new Error(outcome.message);
      const { metrics } = originalAggregate(outcome.seeds);
      expect(metrics.gold_medal_percentage).toEqual(expected);
      expect(metrics.total_competitions).toEqual({
        mean: total,
        ci_lower: total,
        ci_upper: total,
        standard_error: 0,
      });
      expect(Object.keys(metrics)).toEqual([
        ...["submission_exists_percentage", "valid_submissions_percentage", "above_median_percentage"],
        ...["gold_medal_percentage", "silver_medal_percentage", "bronze_medal_percentage"],
        ...["any_medal_percentage", "total_competitions"],
      ]);
    }
  });

  test.each(PUBLISHED_ROWS)(
    "a row like one of the published table comes out to the last digit: $agent",
    (row) => {
      const { padMissing, expected } = row;
      const groups = writePublishedRow(temporaryFolder(), row);
      const read = readReports(
        groups.flatMap((group) => fs.readdirSync(group).map((file) => path.join(group, file))),
      );
      if (!read.ok) throw new Error(read.message);
      const got = (["low", "medium", "high", "split75"] as const).map((split) => {
        const outcome = arrangeSeeds(read.reports, { competitions: splits[split], padMissing });
        if (!outcome.ok) throw new Error(outcome.message);
        const { mean, standard_error } = originalAggregate(outcome.seeds).metrics.any_medal_percentage;
        return `${mean.toFixed(2)} ± ${standard_error.toFixed(2)}`;
      });
      expect(got).toEqual(expected);
    },
  );
});

describe("comparing two agents", () => {
  const arranged = (medals: ("gold" | null)[][], percentile: number) => {
    const reports = medals.map((seed) =>
      report(...seed.map((medal, i) => graded(`c${i}`, medal, percentile))),
    );
    const outcome = arrangeSeeds(reports, {
      competitions: medals[0].map((_, i) => `c${i}`),
      padMissing: false,
    });
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.seeds;
  };

  test("equal agents are within noise, tie everywhere, and no number of seeds separates them", () => {
    const seeds = arranged(
      [
        ["gold", null],
        [null, "gold"],
      ],
      60,
    );
    const result = compare(seeds, seeds);
    expect(result.medalRate).toMatchObject({ mean: 0, pValue: 1, withinNoise: true });
    expect(result).toMatchObject({ wins: 0, ties: 2, losses: 0, seedsNeeded: null });
  });

  test("an agent that always wins is beyond noise", () => {
    const always = arranged(new Array(3).fill(new Array(10).fill("gold")), 99);
    const never = arranged(new Array(3).fill(new Array(10).fill(null)), 10);
    const result = compare(always, never);
    expect(result.medalRate).toMatchObject({ mean: 100, withinNoise: false, verdict: "beyond noise" });
    expect(result.percentile?.mean).toBe(89);
    expect(result).toMatchObject({ wins: 10, losses: 0 });
  });

  test("a competition without a board has no part in the difference of percentiles", () => {
    const withoutBoard = (percentile: number) => {
      const seeds = arranged([["gold", null]], percentile);
      const runs = seeds.runs.map((seed) =>
        seed.map((run, i) => (run && i === 1 ? { ...run, score: 1, percentile: null } : run)),
      );
      return { ...seeds, runs };
    };
    expect(compare(withoutBoard(90), withoutBoard(40)).percentile?.mean).toBe(50);
  });

  test("the planner asks for more seeds when the spread grows, and for competitions where seeds cannot help", () => {
    const spread = (reach: number) => Array.from({ length: 10 }, () => [10 - reach, 10, 10 + reach]);
    const [few, many] = [planFor(spread(9))!, planFor(spread(40))!];
    expect(few.seedsHere!).toBeLessThan(many.seedsHere!);
    expect(few.power).toBeGreaterThan(many.power);
    const unlike = planFor(Array.from({ length: 10 }, (_, i) => [60 * (i % 2) - 27, 60 * (i % 2) - 28]))!;
    expect(unlike.seeds).toBeNull();
    expect(unlike.competitions!).toBeGreaterThan(10);
    expect(planFor([[10], [20]])).toBeNull();
    expect(planFor(new Array(3).fill([40, 41]))).toMatchObject({ power: 0, seeds: null });
  });

  test("runs that nobody made are in no test: the difference is that of the pairs that exist, both readings are shown", () => {
    const both = ["gold", null] as const;
    const a = arranged(
      Array.from({ length: 3 }, () => Array.from({ length: 10 }, (_, i) => both[Number(i < 8)])),
      50,
    );
    const b = arranged(
      Array.from({ length: 3 }, () => Array.from({ length: 10 }, (_, i) => both[Number(i >= 4)])),
      50,
    );
    // All of B's medals were won where B was not run to the end.
    const runs = b.runs.map((seed, s) => seed.map((run, i) => (s > 0 && i < 4 ? null : run)));
    const result = compare(a, { ...b, runs });
    expect(result.missing).toEqual({ a: 0, b: 8, planned: 30 });
    expect(result.pairs).toBe(22);
    expect(result.medalRate).toMatchObject({ mean: (100 * (6 - 4)) / 22, pairs: 22, competitions: 10 });
    expect(result.countingMissingAsFailed?.medalRate).toBeCloseTo((100 * (6 - 4)) / 30, 9);
    expect(compare(a, b).countingMissingAsFailed).toBeNull();
  });

  test("where one side alone has runs, nothing is compared and nothing breaks", () => {
    const a = arranged([["gold", "gold"]], 90);
    const none = { ...a, runs: [[null, null]] };
    expect(compare(a, none)).toMatchObject({
      ...{ medalRate: null, percentile: null, pairs: 0, missing: { a: 0, b: 2, planned: 2 } },
      countingMissingAsFailed: { medalRate: 100 },
      ...{ wins: 0, ties: 2, plan: null },
    });
  });

  test("scores that stand nowhere, on alternating sides, are not an error", () => {
    const [a, b] = [arranged([["gold", null]], 60), arranged([["gold", null]], 40)];
    const unranked = (seeds: typeof a, place: number) => ({
      ...seeds,
      runs: seeds.runs.map((seed) =>
        seed.map((run, i) => (run && i === place ? { ...run, score: 1, percentile: null } : run)),
      ),
    });
    expect(compare(unranked(a, 0), unranked(b, 1)).percentile).toBeNull();
  });

  describe("without a board", () => {
    const scored = (scores: (number | null)[][]) => {
      const seeds = arranged(
        scores.map((seed) => seed.map(() => null)),
        0,
      );
      const runs = seeds.runs.map((seed, s) =>
        seed.map(
          (run, i) =>
            run && { ...run, score: scores[s][i], percentile: null, valid_submission: scores[s][i] !== null },
        ),
      );
      return { ...seeds, runs };
    };
    const low = scored([[0.12], [0.14], [0.13]]);
    const high = scored([[0.72], [0.8], [0.79]]);

    test("the better score wins, in the direction of the metric", () => {
      const minimized = compare(low, high, () => "minimize");
      expect(minimized).toMatchObject({ wins: 1, losses: 0, medalRate: null, score: { mean: 100 } });
      expect(minimized.byCompetition[0].scoreDifference).toMatchObject({ mean: expect.closeTo(-0.64, 9) });
      expect(minimized.byCompetition[0].scoreDifference!.overSeeds!.high).toBeLessThan(-0.5);
      expect(compare(low, high, () => "maximize")).toMatchObject({
        wins: 0,
        losses: 1,
        score: { mean: -100 },
      });
      expect(compare(low, high)).toMatchObject({ ties: 1, score: null });
    });

    test("a run without a score is behind every run with one", () => {
      const invalid = scored([[null], [null], [null]]);
      expect(compare(high, invalid, () => "minimize")).toMatchObject({ wins: 1, score: { mean: 100 } });
    });

    test("one competition is too few to speak of others, whatever its scores", () => {
      expect(compare(low, high, () => "minimize").score).toMatchObject({
        verdict: "too few competitions to tell",
        withinNoise: true,
      });
    });
  });

  test("many comparisons are corrected together, and say how many they were", () => {
    const a = arranged(new Array(3).fill([...new Array(6).fill("gold"), ...new Array(4).fill(null)]), 60);
    const b = arranged(new Array(3).fill(new Array(10).fill(null)), 60);
    const one = compare(a, b);
    expect(one.medalRate).toMatchObject({ tests: 2, verdict: "beyond noise" });
    const many = correctTogether(new Array(12).fill(one));
    expect(many[11].medalRate).toMatchObject({
      tests: 24,
      verdict: "within noise",
      pValue: one.medalRate!.pValue,
    });
    expect(many[0].medalRate!.pHolm).toBeCloseTo(24 * one.medalRate!.pValue, 9);
  });
});
